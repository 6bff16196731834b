-- Administrators, their sessions and their second factor, on the embedded backend and on a hosted project alike. A row of
-- private.admins makes a user an administrator: tokens carry no role of this product, so that deleting the row takes effect at
-- once. A row of private.admin_sessions says that admin-auth checked a sign-in and returned the session: until when it is
-- valid, when its token was refreshed last, and after how many minutes without a refresh it ends. Rights need such a row,
-- because a password alone opens a session too (a hosted project's /token is open to every client). They also need the session
-- of auth, which ends on sign-out and when a refresh token is used twice. A row of private.admin_factors is the second factor
-- of one administrator: TOTP, checked by admin-auth and used up here. With such a row open_admin_session opens no session
-- without a code.
-- The owner's commands write admins and delete factors; admin-auth writes sessions (open_admin_session, extend_admin_session)
-- and factors (set_factor); remove_expired deletes sessions. No role of the data API reads the tables.

-- Nothing that this role makes from here on is open to a role of the data API: every right is granted by name. Older hosted
-- projects grant everything in `public`; the right to execute is PostgreSQL's default for every role, in every schema.
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

create table private.admin_factors (
  user_id uuid primary key references private.admins (user_id) on delete cascade,
  -- The secret, sealed by admin-auth with a key that no database holds, and the id of that key.
  sealed text not null,
  key_id text not null,
  -- The last time step that a code was used of.
  last_step bigint not null,
  -- Keyed hashes of the recovery codes that are not used.
  recovery_hashes text[] not null,
  -- When wrong codes came.
  wrong_at timestamptz[] not null default '{}',
  -- Of used recovery codes: a code that was used up is not a wrong one.
  used_hashes text[] not null default '{}'
);
alter table private.admin_factors enable row level security;

-- Returns whether auth has the session and one of its refresh tokens is valid: a refresh revokes one and stores the next in one
-- transaction. A session without stored refresh tokens is valid, because newer versions of GoTrue store a counter instead.
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
          where t.session_id = s.id and not coalesce(t.revoked, false)
        )
      )
  );
$$;

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

-- Opens the session of an administrator who has just signed in; the same session twice is one row. `step` is the time step of
-- the code that admin-auth found right, 0 for a wrong one; `recovery` the hash of a recovery code. A step or a recovery code
-- is used up with the statement that lets the sign-in through, so that of two requests at once one gets in. The other's code
-- was used up: it is rejected as a wrong one, and does not count. Codes are rejected while 10 wrong ones came in 24 hours,
-- whatever network they came from; recovery codes are not.
-- Returns {"status": `opened`, `none` (no administrator), `code_required`, `wrong_code`, `too_many_codes`}; with a factor
-- also its "sealed" and "key_id", how many recovery codes are "left", and how many "wrong" codes came in 24 hours (absent for
-- a code that was used up).
create function public.open_admin_session(
  user_id uuid, session_id text, hours integer, idle_minutes integer, step bigint default null, recovery text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  factor private.admin_factors;
  recent timestamptz[];
  status text := 'opened';
begin
  -- The lock makes an enrolment, a removal and a sign-in at once follow each other.
  perform from private.admins a where a.user_id = open_admin_session.user_id for update;
  if not found or coalesce(session_id, '') = '' then
    return jsonb_build_object('status', 'none');
  end if;
  select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
  if factor.user_id is not null then
    recent := array(select w from unnest(factor.wrong_at) as w where w > now() - interval '24 hours');
    if step is null and recovery is null then
      status := 'code_required';
    else
      update private.admin_factors f
      set last_step = coalesce(step, f.last_step), recovery_hashes = array_remove(f.recovery_hashes, recovery),
        used_hashes = array_remove(f.used_hashes || recovery, null)
      where f.user_id = factor.user_id
        and (f.last_step < step and cardinality(recent) < 10 or recovery = any(f.recovery_hashes))
      returning f.* into factor;
      if not found then
        status := case when cardinality(recent) < 10 then 'wrong_code' else 'too_many_codes' end;
        -- Nothing was returned into it.
        select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
      end if;
    end if;
    if status = 'wrong_code' and coalesce(step > 0, recovery = any(factor.used_hashes)) then
      -- It was used up: it does not count.
      recent := null;
    elsif status = 'wrong_code' then
      recent := recent || now();
      update private.admin_factors f set wrong_at = recent where f.user_id = factor.user_id;
    end if;
  end if;
  if status = 'opened' then
    insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
    values (open_admin_session.session_id, open_admin_session.user_id, now() + make_interval(hours => hours),
            open_admin_session.idle_minutes)
    on conflict do nothing;
    if not exists (
      select 1 from private.admin_sessions s
      where s.session_id = open_admin_session.session_id and s.user_id = open_admin_session.user_id
    ) then
      status := 'none';
    end if;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'status', status, 'sealed', factor.sealed, 'key_id', factor.key_id, 'left', cardinality(factor.recovery_hashes),
    'wrong', cardinality(recent)
  ));
end;
$$;
grant execute on function public.open_admin_session(uuid, text, integer, integer, bigint, text) to service_role;

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

-- Ends the sessions of a user, after a change of the password; wrong codes count anew.
create function public.end_admin_sessions(user_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.admin_sessions s where s.user_id = end_admin_sessions.user_id;
  update private.admin_factors f set wrong_at = '{}' where f.user_id = end_admin_sessions.user_id;
$$;
grant execute on function public.end_admin_sessions(uuid) to service_role;

-- Stores the factor of an administrator, with the step of the code that confirmed it, and ends the sessions. Returns false,
-- with nothing changed, if the user is no administrator or has a factor.
create function public.set_factor(user_id uuid, sealed text, key_id text, step bigint, recovery_hashes text[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.admins a where a.user_id = set_factor.user_id for update;
  if not found then
    return false;
  end if;
  insert into private.admin_factors (user_id, sealed, key_id, last_step, recovery_hashes)
  values (set_factor.user_id, set_factor.sealed, set_factor.key_id, step, set_factor.recovery_hashes)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  delete from private.admin_sessions s where s.user_id = set_factor.user_id;
  return true;
end;
$$;
grant execute on function public.set_factor(uuid, text, text, bigint, text[]) to service_role;

-- Deletes the factor of an administrator, and ends the sessions. Returns whether there was one.
create function public.remove_factor(user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.admin_factors f where f.user_id = remove_factor.user_id;
  if not found then
    return false;
  end if;
  delete from private.admin_sessions s where s.user_id = remove_factor.user_id;
  return true;
end;
$$;
grant execute on function public.remove_factor(uuid) to service_role;

-- Every administrator, the first one first: [{"user_id", "email", "since", "has_factor"}].
create function public.read_administrators() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', a.user_id, 'email', u.email, 'since', a.created_at,
    'has_factor', exists (select from private.admin_factors f where f.user_id = a.user_id))
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
