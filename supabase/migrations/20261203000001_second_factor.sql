-- The second factor of administrators: TOTP, checked by admin-auth and used up here. A row of private.admin_factors is the
-- factor of one administrator: its secret, sealed by admin-auth with a key that no database holds, the id of that key, the
-- last time step that a code was used of, the keyed hashes of the unused recovery codes, and when wrong codes came. With such
-- a row open_admin_session opens no session without a code. admin-auth writes it through set_factor, the owner's commands
-- delete it through remove_factor; it goes with the administrator. No role of the data API reads the table.

create table private.admin_factors (
  user_id uuid primary key references private.admins (user_id) on delete cascade,
  sealed text not null,
  key_id text not null,
  last_step bigint not null,
  recovery_hashes text[] not null,
  wrong_at timestamptz[] not null default '{}'
);
alter table private.admin_factors enable row level security;

-- What the owner of a hosted project could demand before.
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
drop function private.has_second_factor();

-- Opens the session of an administrator who has just signed in; the same session twice is one row. `step` is the time step of
-- the code that admin-auth found right, 0 for a wrong one; `recovery` the hash of a recovery code. A step or a recovery code
-- is used up with the statement that lets the sign-in through, so that of two requests at once one gets in. Codes are rejected
-- while 10 wrong ones came in 24 hours, whatever network they came from; recovery codes are not.
-- Returns {"status": `opened`, `none` (no administrator), `code_required`, `wrong_code`, `too_many_codes`}; with a factor
-- also its "sealed" and "key_id", how many recovery codes are "left", and how many "wrong" codes came in 24 hours.
drop function public.open_admin_session(uuid, text, integer, integer);
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
      set last_step = coalesce(step, f.last_step), recovery_hashes = array_remove(f.recovery_hashes, recovery)
      where f.user_id = factor.user_id
        and (f.last_step < step and cardinality(recent) < 10 or recovery = any(f.recovery_hashes))
      returning f.* into factor;
      if not found then
        status := case when cardinality(recent) < 10 then 'wrong_code' else 'too_many_codes' end;
        -- Nothing was returned into it.
        select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
      end if;
    end if;
    if status = 'wrong_code' then
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

-- Ends the sessions of a user, after a change of the password; wrong codes count anew.
create or replace function public.end_admin_sessions(user_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.admin_sessions s where s.user_id = end_admin_sessions.user_id;
  update private.admin_factors f set wrong_at = '{}' where f.user_id = end_admin_sessions.user_id;
$$;

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
create or replace function public.read_administrators() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', a.user_id, 'email', u.email, 'since', a.created_at,
    'has_factor', exists (select from private.admin_factors f where f.user_id = a.user_id))
    order by a.created_at, a.user_id), '[]')
  from private.admins a join auth.users u on u.id = a.user_id;
$$;
