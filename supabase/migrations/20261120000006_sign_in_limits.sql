-- Signing in. admin-auth counts an attempt before it tries the password and gives it back when the password was right.
-- An account under attack is not locked: past its own limit each visitor still gets the few attempts of `harder_limits`.

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

create function public.forgive_sign_in(limits jsonb) returns void
language sql security definer set search_path = ''
as $$ select private.give_back(limits); $$;
revoke all on function public.forgive_sign_in(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.forgive_sign_in(jsonb) to service_role;
