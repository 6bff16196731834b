-- A right password gives back what begin_sign_in counted, also of the few attempts under attack, in the order in which
-- that locked it: a sign-in that ends and one that begins cannot wait for each other.

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

-- Gives one hit back, where it turned out not to count. Rows are locked in the order of their names, as take does.
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
