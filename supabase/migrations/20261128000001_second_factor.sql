-- Whether the session of the request has what the owner demands beyond the password. True here: the embedded backend's
-- tokens carry no `aal`. The owner of a hosted project replaces it to demand a second factor, as SECURITY.md shows.
create function private.has_second_factor() returns boolean
language sql stable set search_path = ''
as $$ select true; $$;
revoke all on function private.has_second_factor() from public, anon, authenticated, service_role;

-- As before, and demands the second factor where the owner does. Every read and change of the dashboard comes past here,
-- the functions that run as their owner too, which no policy of a table would stop.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1
    from private.admins a
    join private.admin_sessions s on s.user_id = a.user_id
    where a.user_id = (select auth.uid())
      and s.session_id = (select auth.jwt() ->> 'session_id')
      and now() < s.ends_at
      and now() < s.refreshed_at + make_interval(mins => s.idle_minutes)
      and private.has_auth_session(s.session_id, s.user_id)
      and private.has_second_factor()
  );
$$;
