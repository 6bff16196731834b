-- Calls of the owner's commands (npm run admin, export, messages, move) on a hosted project, where they have the secret
-- key instead of the database's files. All are for service_role alone. They open nothing that the key did not open before:
-- with it, GoTrue's admin API sets the password of any administrator.

-- Every administrator, the first one first: [{"user_id", "email", "since"}].
create function public.read_administrators() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', a.user_id, 'email', u.email, 'since', a.created_at)
    order by a.created_at, a.user_id), '[]')
  from private.admins a join auth.users u on u.id = a.user_id;
$$;
revoke all on function public.read_administrators() from public, anon, authenticated, service_role;
grant execute on function public.read_administrators() to service_role;

-- Makes a user an administrator. One that is stays one, since the same time.
create function public.appoint_administrator(user_id uuid) returns void
language sql security definer set search_path = ''
as $$ insert into private.admins (user_id) values (user_id) on conflict do nothing; $$;
revoke all on function public.appoint_administrator(uuid) from public, anon, authenticated, service_role;
grant execute on function public.appoint_administrator(uuid) to service_role;

-- Takes the role from an administrator and ends the user's sessions. Returns `dismissed`, or with nothing changed `none`
-- (no administrator) or `last`.
create function public.dismiss_administrator(user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two calls at once, the second one sees what the first one left.
  lock table private.admins in share row exclusive mode;
  if not exists (select from private.admins a where a.user_id = dismiss_administrator.user_id) then
    return 'none';
  end if;
  if not exists (select from private.admins a where a.user_id <> dismiss_administrator.user_id) then
    return 'last';
  end if;
  delete from private.admins a where a.user_id = dismiss_administrator.user_id;
  delete from private.admin_sessions s where s.user_id = dismiss_administrator.user_id;
  return 'dismissed';
end;
$$;
revoke all on function public.dismiss_administrator(uuid) from public, anon, authenticated, service_role;
grant execute on function public.dismiss_administrator(uuid) to service_role;

-- Ends the sessions of a user, after a change of the password.
create function public.end_admin_sessions(user_id uuid) returns void
language sql security definer set search_path = ''
as $$ delete from private.admin_sessions s where s.user_id = end_admin_sessions.user_id; $$;
revoke all on function public.end_admin_sessions(uuid) from public, anon, authenticated, service_role;
grant execute on function public.end_admin_sessions(uuid) to service_role;

-- Returns {"offers": […], "has_messages"}: offers that are older than a given one, newest first, each with its message
-- if it has one, and whether any offer has a message.
create function public.export_offers(
  page_size integer, before_created_at timestamptz default null, before_id uuid default null
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'has_messages', exists (select from private.offer_messages),
    'offers', (
      select coalesce(jsonb_agg(page.line order by page.created_at desc, page.id desc), '[]') from (
        select o.created_at, o.id,
          jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object('message', m.message)) as line
        from public.offers o left join private.offer_messages m on m.offer_id = o.id
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
revoke all on function public.export_offers(integer, timestamptz, uuid) from public, anon, authenticated, service_role;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

-- Counts the offers that are no newer than a given one, or all.
create function public.count_offers(newest_created_at timestamptz default null, newest_id uuid default null)
returns bigint
language sql stable security definer set search_path = ''
as $$
  select count(*) from public.offers o
  where newest_id is null or (o.created_at, o.id) <= (newest_created_at, newest_id);
$$;
revoke all on function public.count_offers(timestamptz, uuid) from public, anon, authenticated, service_role;
grant execute on function public.count_offers(timestamptz, uuid) to service_role;

-- How messages stand, without any target: {"queued", "paused", "failed", "sent", "reason"}, the last one of the latest
-- failed try.
create function public.read_message_state() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'queued', count(m.id) filter (where m.failed_at is null and (m.created_at < s.paused_before) is not true),
    'paused', count(m.id) filter (where m.failed_at is null and m.created_at < s.paused_before),
    'failed', count(m.id) filter (where m.failed_at is not null),
    'sent', s.sent,
    'reason', (array_agg(m.reason order by m.reason_at desc) filter (where m.reason is not null))[1]
  )
  from private.message_state s left join private.messages m on m.sent_at is null
  group by s.single;
$$;
revoke all on function public.read_message_state() from public, anon, authenticated, service_role;
grant execute on function public.read_message_state() to service_role;
