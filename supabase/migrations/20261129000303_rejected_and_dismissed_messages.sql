-- A confirmation whose address the mail server rejects is a mark at its offer and no fault: a visitor mistyped it. Other
-- messages that fail are listed one by one, each until it is sent or dismissed.

-- Whether the last try of a confirmation ended with a rejection of the customer's address.
alter table private.messages add column address_rejected boolean not null default false;
-- When an administrator dismissed a failed message: it is neither reported nor tried again.
alter table private.messages add column dismissed_at timestamptz;

drop index private.messages_not_delivered;
create index messages_not_delivered on private.messages (reason_at) include (failed_at)
  where sent_at is null and reason_at is not null and dismissed_at is null and not address_rejected;
create index confirmations_rejected on private.messages (failed_at) include (offer_id)
  where address_rejected and failed_at is not null;

-- As before. `address_rejected`: the server rejected the recipient's address.
drop function public.mark_messages_failed(bigint[], text, boolean);
create function public.mark_messages_failed(
  ids bigint[], reason text, permanent boolean, address_rejected boolean default false
) returns void
language sql security definer set search_path = ''
as $$
  update private.messages m
  set reason = left(coalesce(mark_messages_failed.reason, ''), 300), reason_at = now(), leased_until = null,
    due_at = now() + private.retry_pause(m.attempts),
    failed_at = case when permanent or m.give_up_at <= now() then now() end,
    address_rejected = m.kind = 'confirmation' and mark_messages_failed.address_rejected
  where m.id = any(ids) and m.sent_at is null and m.failed_at is null;
$$;
revoke all on function public.mark_messages_failed(bigint[], text, boolean, boolean)
  from public, anon, authenticated, service_role;
grant execute on function public.mark_messages_failed(bigint[], text, boolean, boolean) to service_role;

-- How messages stand, for administrators, without any target. `queued` leaves out what is paused; `oldest_queued_at` is
-- the oldest message that is due or was tried, so that a digest's wait for its time does not count. `last_failure` is that
-- of a message that is tried again; `failures` are the 20 latest deliveries that are not, as [{"id" (of its first message),
-- "kind", "domain" (of one of its offers), "offers" (how many), "reason", "at", "target_kind"}], and `failed` counts all such
-- messages. `rejected_confirmations` are the offers of the 100 latest confirmations whose address was rejected for good.
create or replace function public.message_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  state private.message_state;
  after timestamptz;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  select s.* into state from private.message_state s;
  after := coalesce(state.paused_before, '-infinity');
  return jsonb_build_object('mail', state.mail, 'webhooks', state.webhooks,
    'sent', state.sent, 'last_sent_at', state.last_sent_at) || (
      select jsonb_build_object(
        'queued', count(*) filter (where m.created_at >= after),
        'paused', count(*) filter (where m.created_at < after),
        'oldest_queued_at', min(m.created_at)
          filter (where m.created_at >= after and (m.attempts > 0 or m.due_at <= now())))
      from private.messages m where m.sent_at is null and m.failed_at is null
    ) || (
      select jsonb_build_object('failed', count(*)) from private.messages m
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is not null
    ) || jsonb_build_object('last_failure', (
      select jsonb_build_object(
        'reason', m.reason, 'at', m.reason_at,
        'target_kind', case when m.target like 'mailto:%' then 'mail' else 'webhook' end,
        'retry_at', m.due_at)
      from private.messages m
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is null
      order by m.reason_at desc limit 1
    ), 'failures', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.at desc, f.id desc), '[]') from (
        select min(m.id) as id, min(m.kind) as kind, min(o.domain_name) as domain, count(*) as offers,
          min(m.reason) as reason, max(m.reason_at) as at,
          case when min(m.target) like 'mailto:%' then 'mail' else 'webhook' end as target_kind
        from private.messages m join public.offers o on o.id = m.offer_id
        where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
          and m.failed_at is not null
        group by coalesce(m.batch::text, m.id::text)
        order by at desc, id desc limit 20
      ) as f
    ), 'rejected_confirmations', (
      select coalesce(jsonb_agg(r.offer_id), '[]') from (
        select m.offer_id from private.messages m
        where m.address_rejected and m.failed_at is not null
        order by m.failed_at desc limit 100
      ) as r
    ));
end;
$$;

-- As before, and leaves out what was dismissed and confirmations whose address was rejected. Without their old reasons,
-- which nothing reports as failed until the next try has.
create or replace function public.retry_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  retried integer;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  update private.messages m
  set due_at = now(), failed_at = null, give_up_at = now() + interval '3 days', reason = null, reason_at = null
  where m.sent_at is null and m.dismissed_at is null and not m.address_rejected
    and (m.leased_until is null or m.leased_until <= now())
    and (m.attempts > 0 or m.due_at <= now())
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s);
  get diagnostics retried = row_count;
  return retried;
end;
$$;

-- Takes a failed delivery, named by one of its messages, from the report, and returns the number of its messages. For
-- administrators.
create function public.dismiss_message(id bigint) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dismissed integer;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  update private.messages m set dismissed_at = now()
  where (m.id = dismiss_message.id
      or m.batch = (select b.batch from private.messages b where b.id = dismiss_message.id))
    and m.failed_at is not null and m.sent_at is null and m.dismissed_at is null;
  get diagnostics dismissed = row_count;
  return dismissed;
end;
$$;
revoke all on function public.dismiss_message(bigint) from public, anon, authenticated, service_role;
grant execute on function public.dismiss_message(bigint) to authenticated;

-- As before, and `confirmation_rejected`: what the mail server said when it rejected the address for good, or null.
create or replace function public.offer_message(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return jsonb_build_object('message', (
    select t.message from private.offer_messages t where t.offer_id = offer_message.offer_id
  ), 'confirmation_rejected', (
    select m.reason from private.messages m
    where m.offer_id = offer_message.offer_id and m.address_rejected and m.failed_at is not null
  ));
end;
$$;

-- As before, without what is no fault: see message_status.
create or replace function public.read_message_state() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'queued', count(m.id) filter (where m.failed_at is null and (m.created_at < s.paused_before) is not true),
    'paused', count(m.id) filter (where m.failed_at is null and m.created_at < s.paused_before),
    'failed', count(m.id) filter (where m.failed_at is not null and not m.address_rejected),
    'sent', s.sent,
    'reason', (array_agg(m.reason order by m.reason_at desc)
      filter (where m.reason is not null and not m.address_rejected))[1]
  )
  from private.message_state s left join private.messages m on m.sent_at is null and m.dismissed_at is null
  group by s.single;
$$;
