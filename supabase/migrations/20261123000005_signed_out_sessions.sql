-- An administrator's session ends with the session of auth: on sign-out, which deletes the row of auth.sessions, and
-- when a refresh token is used twice, which revokes all tokens of the session. Before, the access token still had
-- administrator rights until it expired.

-- True while auth has the session and one of its refresh tokens is valid. A refresh revokes the old token before it
-- stores the new one, and embedded a request may come between: a token that was revoked within the last 5 seconds still
-- counts. A session without any stored refresh token is valid too, because newer versions of GoTrue store a counter.
create function private.has_auth_session(session_id text, user_id uuid) returns boolean
language sql stable security invoker set search_path = ''
as $$
  select exists (
    select 1
    from auth.sessions s
    where s.user_id = has_auth_session.user_id
      and s.id::text = has_auth_session.session_id
      and (
        not exists (select 1 from auth.refresh_tokens t where t.session_id = s.id)
        or exists (
          select 1 from auth.refresh_tokens t
          where t.session_id = s.id
            and (not coalesce(t.revoked, false) or t.updated_at > now() - interval '5 seconds')
        )
      )
  );
$$;
revoke all on function private.has_auth_session(text, uuid) from public, anon, authenticated, service_role;

-- As before, and the session must be one of auth.
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
  );
$$;

-- As before, and deletes the sessions that auth has ended.
create or replace function public.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Rows that a running transaction has locked are left for the next time, so that neither waits for the other.
  delete from private.rate_limits where (bucket, key_hash, window_start) in (
    select bucket, key_hash, window_start from private.rate_limits
    where window_end < now() for update skip locked
  );
  delete from private.admin_sessions s
  where s.ends_at <= now()
    or s.refreshed_at + make_interval(mins => s.idle_minutes) <= now()
    or not private.has_auth_session(s.session_id, s.user_id);
end;
$$;
