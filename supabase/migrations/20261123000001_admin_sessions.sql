-- Sessions of administrators. A row says that admin-auth checked a sign-in and let the session out: until when it is
-- valid, when its token was refreshed last, and after how many minutes without a refresh it ends. Administrator rights
-- need such a row, so that a password alone (a hosted project's /token is open to everybody) reads no offer.
-- open_admin_session writes the rows, extend_admin_session dates them, remove_expired deletes them; nobody reads the
-- table through the data API.

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

-- True while the user of the request is an administrator and the request's session is open. It runs as its owner,
-- because the user may read neither table nor, embedded, anything of the schema auth.
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
  );
$$;

-- Opens the session of an administrator who has just signed in; the same session twice is one row. False, and nothing
-- is written, where the user is no administrator. admin-auth calls it before it returns the tokens.
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

-- Dates the session after a token refresh, so that it is not idle; returns whether it is valid. A session that has
-- ended stays ended, whatever its refresh token is still good for.
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

drop function public.is_administrator(uuid);

-- As before, except that it reports an ended session, which row level security alone would show as an empty list.
-- PT401 is PostgREST's way to choose the HTTP status of an error.
create or replace function public.offer_pages(page_size integer) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (place - 1) / size, 'first_created_at', created_at, 'first_id', id, 'total', total
    ) order by place), '[]'::jsonb)
    from (
      select created_at, id, greatest(page_size, 1) as size, count(*) over () as total,
        row_number() over (order by created_at desc, id desc) as place
      from public.offers
    ) as numbered
    where (place - 1) % size = 0
  );
end;
$$;

-- Deletes rate limits whose window is over and sessions that have ended. Embedded it runs hourly and at start; hosted,
-- call it from pg_cron or leave it: expired rows count for nothing.
create function public.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Rows that a running transaction has locked are left for the next time, so that neither waits for the other.
  delete from private.rate_limits where (bucket, key_hash, window_start) in (
    select bucket, key_hash, window_start from private.rate_limits
    where window_end < now() for update skip locked
  );
  delete from private.admin_sessions
  where ends_at <= now() or refreshed_at + make_interval(mins => idle_minutes) <= now();
end;
$$;
revoke all on function public.remove_expired() from public, anon, authenticated, service_role;
grant execute on function public.remove_expired() to service_role;
