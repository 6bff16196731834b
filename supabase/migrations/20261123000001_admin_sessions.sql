-- Sessions of administrators. A row says that admin-auth checked a sign-in and returned the session: until when it is
-- valid, when its token was refreshed last, and after how many minutes without a refresh it ends. Administrator rights
-- need such a row, because a password alone opens a session too (a hosted project's /token is open to every client).
-- They also need the session of auth, which ends on sign-out and when a refresh token is used twice.
-- open_admin_session inserts rows, extend_admin_session updates the time of the last refresh, remove_expired deletes
-- rows. No role of the data API can read the table.

create table private.admin_sessions (
  -- The claim `session_id` of the session's access tokens, compared as text.
  session_id text primary key check (char_length(session_id) between 1 and 200),
  user_id uuid not null references auth.users (id) on delete cascade,
  opened_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  ends_at timestamptz not null,
  idle_minutes integer not null check (idle_minutes > 0)
);
create index admin_sessions_by_user on private.admin_sessions (user_id);
revoke all on table private.admin_sessions from public, anon, authenticated, service_role;

-- Returns whether auth has the session and one of its refresh tokens is valid. A refresh revokes the old token before
-- it stores the new one, and on the embedded backend another request may run in between: a token that was revoked
-- within the last 5 seconds still counts. A session without stored refresh tokens is valid, because newer versions of
-- GoTrue store a counter instead.
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

-- Returns whether the user of the request is an administrator and the session of the request is open. Runs as its
-- owner, because the user may read neither table nor, on the embedded backend, the schema auth. 20261128000001 replaces it.
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

-- Opens the session of an administrator who has just signed in; the same session twice is one row. Returns false and
-- writes nothing if the user is not an administrator. admin-auth calls it before it returns the tokens.
create function public.open_admin_session(user_id uuid, session_id text, hours integer, idle_minutes integer)
returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  if coalesce(session_id, '') = ''
    or not exists (select 1 from private.admins a where a.user_id = open_admin_session.user_id) then
    return false;
  end if;
  insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
  values (open_admin_session.session_id, open_admin_session.user_id, now() + make_interval(hours => hours),
          open_admin_session.idle_minutes)
  on conflict do nothing;
  return exists (
    select 1 from private.admin_sessions s
    where s.session_id = open_admin_session.session_id and s.user_id = open_admin_session.user_id
  );
end;
$$;
revoke all on function public.open_admin_session(uuid, text, integer, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.open_admin_session(uuid, text, integer, integer) to service_role;

-- Records a token refresh, so that the session is not idle, and returns whether the session is valid. A session that
-- has ended stays ended, even if auth still accepts its refresh token.
create function public.extend_admin_session() returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update private.admin_sessions s set refreshed_at = now()
  where s.session_id = (select auth.jwt() ->> 'session_id')
    and s.user_id = (select auth.uid())
    and (select private.is_admin());
  return found;
end;
$$;
revoke all on function public.extend_admin_session() from public, anon, authenticated, service_role;
grant execute on function public.extend_admin_session() to authenticated;

-- open_admin_session replaces it.
drop function public.is_administrator(uuid);

-- Deletes rate limits whose window is over and sessions that have ended. The embedded backend calls it at start and
-- every hour. On a hosted project call it from pg_cron, or not at all: expired rows have no effect.
create function public.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips rows that a running transaction has locked, so that neither waits for the other.
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
revoke all on function public.remove_expired() from public, anon, authenticated, service_role;
grant execute on function public.remove_expired() to service_role;
