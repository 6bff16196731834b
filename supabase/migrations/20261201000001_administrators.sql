-- Administrators and their sessions, on the embedded backend and on a hosted project alike. A row of private.admins makes a
-- user an administrator: tokens carry no role of this product, so that deleting the row takes effect at once. A row of
-- private.admin_sessions says that admin-auth checked a sign-in and returned the session: until when it is valid, when its
-- token was refreshed last, and after how many minutes without a refresh it ends. Rights need such a row, because a password
-- alone opens a session too (a hosted project's /token is open to every client). They also need the session of auth, which
-- ends on sign-out and when a refresh token is used twice.
-- The owner's commands write admins; open_admin_session and extend_admin_session write sessions, remove_expired deletes
-- them. No role of the data API reads either table.

-- Nothing that this role makes from here on is open to a role of the data API: every right is granted by name. Older hosted
-- projects grant everything in `public`; the right to execute is PostgreSQL's default for everybody, in every schema.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

create schema private;
-- Policies call private.is_admin with the rights of the role that they apply to. The tables of the schema stay closed.
grant usage on schema private to authenticated;

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.admins enable row level security;

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
alter table private.admin_sessions enable row level security;

-- Returns whether auth has the session and one of its refresh tokens is valid. A refresh revokes the old token before
-- it stores the new one, and on the embedded backend another request may run in between: a token that was revoked
-- within the last 5 seconds still counts. A session without stored refresh tokens is valid, because newer versions of
-- GoTrue store a counter instead.
create function private.has_auth_session(session_id text, user_id uuid) returns boolean
language sql stable set search_path = ''
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

-- Whether the session of the request has what the owner demands beyond the password. True here: the embedded backend's
-- tokens carry no `aal`. The owner of a hosted project replaces it to demand a second factor, as SECURITY.md shows.
create function private.has_second_factor() returns boolean
language sql stable set search_path = ''
as $$ select true; $$;

-- Returns whether the user of the request is an administrator and the session of the request is open. Every read and change
-- of the dashboard calls it, the functions that run as their owner too, which no policy of a table would stop. Runs as its
-- owner, because the user may read neither table nor, on the embedded backend, the schema auth.
create function private.is_admin() returns boolean
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
grant execute on function private.is_admin() to authenticated;

-- Rejects the call unless private.is_admin. PT401 is PostgREST's way to set the HTTP status of an error: row level security
-- alone would show an ended session as an empty list.
create function private.require_admin() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
end;
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
grant execute on function public.open_admin_session(uuid, text, integer, integer) to service_role;

-- Records a token refresh, so that the session is not idle, and returns whether the session is valid. A session that
-- has ended stays ended, even if auth still accepts its refresh token.
create function public.extend_admin_session() returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update private.admin_sessions s set refreshed_at = now()
  where s.session_id = (select auth.jwt() ->> 'session_id')
    and s.user_id = (select auth.uid())
    and (select private.is_admin());
  return found;
end;
$$;
grant execute on function public.extend_admin_session() to authenticated;

-- Ends the sessions of a user, after a change of the password.
create function public.end_admin_sessions(user_id uuid) returns void
language sql security definer set search_path = ''
as $$ delete from private.admin_sessions s where s.user_id = end_admin_sessions.user_id; $$;
grant execute on function public.end_admin_sessions(uuid) to service_role;

-- Every administrator, the first one first: [{"user_id", "email", "since"}].
create function public.read_administrators() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', a.user_id, 'email', u.email, 'since', a.created_at)
    order by a.created_at, a.user_id), '[]')
  from private.admins a join auth.users u on u.id = a.user_id;
$$;
grant execute on function public.read_administrators() to service_role;

-- Makes a user an administrator. One that is stays one, since the same time.
create function public.grant_administrator(user_id uuid) returns void
language sql security definer set search_path = ''
as $$ insert into private.admins (user_id) values (user_id) on conflict do nothing; $$;
grant execute on function public.grant_administrator(uuid) to service_role;

-- Revokes the role of an administrator and ends the user's sessions. Returns `revoked`, or with nothing changed `none` (no
-- administrator) or `last`.
create function public.revoke_administrator(user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two calls at once, the second one sees what the first one left.
  lock table private.admins in share row exclusive mode;
  if not exists (select from private.admins a where a.user_id = revoke_administrator.user_id) then
    return 'none';
  end if;
  if not exists (select from private.admins a where a.user_id <> revoke_administrator.user_id) then
    return 'last';
  end if;
  delete from private.admins a where a.user_id = revoke_administrator.user_id;
  delete from private.admin_sessions s where s.user_id = revoke_administrator.user_id;
  return 'revoked';
end;
$$;
grant execute on function public.revoke_administrator(uuid) to service_role;
