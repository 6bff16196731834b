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

-- Inserts rows that npm run move read from another database of this product; rows that are there stay as they are. Kinds:
-- offers, offer_messages, offer_receipts, offer_status_changes, erasures, messages, in this order because of their
-- references. Ids are kept, but for numbered rows, whose numbers may be in use here: those are found by their content.
-- Returns {"present": how many of the rows are here with the same content, "total": rows of the table}.
create function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  present bigint;
  total bigint;
begin
  case kind
    when 'offers' then
      insert into public.offers select r.* from jsonb_populate_recordset(null::public.offers, rows) as r
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::public.offers, rows) as r
      where exists (select from public.offers o where o.id = r.id and to_jsonb(o) = to_jsonb(r));
      select count(*) into total from public.offers;
    when 'offer_messages' then
      insert into private.offer_messages
      select r.* from jsonb_populate_recordset(null::private.offer_messages, rows) as r
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::private.offer_messages, rows) as r
      where exists (select from private.offer_messages o where o.offer_id = r.offer_id and o.message = r.message);
      select count(*) into total from private.offer_messages;
    when 'offer_receipts' then
      insert into private.offer_receipts
      select r.* from jsonb_populate_recordset(null::private.offer_receipts, rows) as r
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::private.offer_receipts, rows) as r
      where exists (
        select from private.offer_receipts o where o.token_hash = r.token_hash and o.offer_id = r.offer_id
      );
      select count(*) into total from private.offer_receipts;
    when 'offer_status_changes' then
      insert into private.offer_status_changes (offer_id, old_status, new_status, changed_by, changed_at)
      select r.offer_id, r.old_status, r.new_status, r.changed_by, r.changed_at
      from jsonb_populate_recordset(null::private.offer_status_changes, rows) as r
      where not exists (
        select from private.offer_status_changes o
        where (o.offer_id, o.changed_at, o.old_status, o.new_status)
          = (r.offer_id, r.changed_at, r.old_status, r.new_status)
      )
      order by r.id;
      select count(*) into present from jsonb_populate_recordset(null::private.offer_status_changes, rows) as r
      where exists (
        select from private.offer_status_changes o
        where (o.offer_id, o.changed_at, o.old_status, o.new_status)
          = (r.offer_id, r.changed_at, r.old_status, r.new_status)
          and o.changed_by is not distinct from r.changed_by
      );
      select count(*) into total from private.offer_status_changes;
    when 'erasures' then
      insert into private.erasures (offers, erased_at)
      select r.offers, r.erased_at from jsonb_populate_recordset(null::private.erasures, rows) as r
      where not exists (
        select from private.erasures o where (o.offers, o.erased_at) = (r.offers, r.erased_at)
      )
      order by r.id;
      select count(*) into present from jsonb_populate_recordset(null::private.erasures, rows) as r
      where exists (select from private.erasures o where (o.offers, o.erased_at) = (r.offers, r.erased_at));
      select count(*) into total from private.erasures;
    when 'messages' then
      insert into private.messages (kind, offer_id, target, locale, digest, batch, due_at, attempts, leased_until,
        give_up_at, reason, reason_at, created_at, sent_at, failed_at)
      select r.kind, r.offer_id, r.target, r.locale, r.digest, r.batch, r.due_at, r.attempts, r.leased_until,
        r.give_up_at, r.reason, r.reason_at, r.created_at, r.sent_at, r.failed_at
      from jsonb_populate_recordset(null::private.messages, rows) as r
      order by r.id
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::private.messages, rows) as r
      where exists (
        select from private.messages o where (o.offer_id, o.kind, o.target) = (r.offer_id, r.kind, r.target)
      );
      select count(*) into total from private.messages;
    else
      raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end case;
  return jsonb_build_object('present', present, 'total', total);
end;
$$;
revoke all on function public.receive_rows(text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.receive_rows(text, jsonb) to service_role;
