-- Limits of sign-in. admin-auth counts an attempt before it checks the password and takes the hit back if the password
-- was right. An account under attack is not locked: beyond its limit each IP still has the few attempts of
-- `harder_limits`.

-- Counts an attempt and returns the seconds to wait, 0 if it is allowed. 20261123000004 replaces it.
create function public.begin_sign_in(limits jsonb, account_limits jsonb, harder_limits jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer := private.take(limits);
begin
  if wait = 0 and private.take(account_limits) > 0 then
    wait := private.take(harder_limits);
  end if;
  return wait;
end;
$$;
revoke all on function public.begin_sign_in(jsonb, jsonb, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.begin_sign_in(jsonb, jsonb, jsonb) to service_role;

-- Takes back the hits of an attempt. 20261122000001 replaces it.
create function public.forgive_sign_in(limits jsonb) returns void
language sql security definer set search_path = ''
as $$ select private.give_back(limits); $$;
revoke all on function public.forgive_sign_in(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.forgive_sign_in(jsonb) to service_role;
