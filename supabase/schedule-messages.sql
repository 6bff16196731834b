-- Sends messages every minute on a hosted project: retries, digests and alarms do not wait for the next offer. Every hour
-- it deletes what has expired.
-- Run it once in the project's SQL editor, with the two values of the first block filled in. It can be run again, for
-- example after the secret key was changed. It is no migration, because the embedded database has neither extension.

do $$
declare
  project_url constant text := 'https://YOUR-PROJECT.supabase.co';
  secret_key constant text := 'sb_secret_YOUR-KEY';
  entry record;
  id uuid;
begin
  if project_url || secret_key like '%YOUR-%' then
    raise exception 'Fill in project_url and secret_key first (Project Settings, API Keys).';
  end if;
  -- In Vault, so that the key stands neither in the schedule nor in its log.
  for entry in
    select * from (values ('deliver_project_url', project_url), ('deliver_secret_key', secret_key)) as e (name, value)
  loop
    select s.id into id from vault.secrets s where s.name = entry.name;
    if found then
      perform vault.update_secret(id, entry.value);
    else
      perform vault.create_secret(entry.value, entry.name);
    end if;
  end loop;
end;
$$;

create extension if not exists pg_cron with schema pg_catalog;
create extension if not exists pg_net;

-- A schedule of the same name is replaced.
select cron.schedule('deliver-messages', '* * * * *', $$
  select net.http_post(
    url := rtrim((select decrypted_secret from vault.decrypted_secrets where name = 'deliver_project_url'), '/')
      || '/functions/v1/deliver',
    headers := jsonb_build_object(
      'content-type', 'application/json',
      'apikey', (select decrypted_secret from vault.decrypted_secrets where name = 'deliver_secret_key')
    ),
    body := '{}'::jsonb,
    -- Longer than two calls of the function take: the second one waits for the first.
    timeout_milliseconds := 90000
  );
$$);

-- Counters of limits (some rows for each offer), sessions and sent messages; storing an offer deletes none.
select cron.schedule('remove-expired', '30 * * * *', 'select public.remove_expired()');

-- One row a minute would stay forever.
select cron.schedule('delete-old-runs', '0 3 * * *', $$
  delete from cron.job_run_details where end_time < now() - interval '7 days';
$$);
