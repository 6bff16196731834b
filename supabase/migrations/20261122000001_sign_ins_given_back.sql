-- A right password takes back all hits that begin_sign_in counted, those of `harder_limits` included, and locks rows in
-- the same order, so that two sign-ins cannot deadlock.

drop function public.forgive_sign_in(jsonb);

create function public.forgive_sign_in(limits jsonb, account_limits jsonb, harder_limits jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.give_back(limits);
  perform private.give_back(account_limits);
  perform private.give_back(harder_limits);
end;
$$;
revoke all on function public.forgive_sign_in(jsonb, jsonb, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.forgive_sign_in(jsonb, jsonb, jsonb) to service_role;

-- Takes back one hit of every limit. Rows are locked in the order of bucket and key, as take does.
create or replace function private.give_back(limits jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
begin
  for one in
    select l.bucket, l.key, private.window_start(l."window") as started
    from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
    order by l.bucket, l.key
  loop
    update private.rate_limits r set hits = greatest(r.hits - 1, 0)
    where r.bucket = one.bucket and r.key_hash = one.key and r.window_start = one.started;
  end loop;
end;
$$;
revoke all on function private.give_back(jsonb) from public, anon, authenticated, service_role;
