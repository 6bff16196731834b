-- The reference of an erased offer is never given again. Of two deals for a name one shows where to pay. A date of payment that was
-- moved has its own reminder and message; those that there are keep theirs. A buyer whose deal fell through reads that, while the
-- name is still reserved or sold.

create table private.erased_references (reference text primary key);
alter table private.erased_references enable row level security;

drop function private.deal_number(deal private.deals);

create or replace function private.keep_reference() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.erased_references values (old.reference) on conflict do nothing;
  return null;
end;
$$;

create or replace function private.is_reference_given(reference text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.deals d where d.reference = is_reference_given.reference)
    or exists (select from private.erased_references e where e.reference = is_reference_given.reference);
$$;

create or replace function private.new_reference(name text) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  label constant text := left(regexp_replace(upper(regexp_replace(name, '^xn--|\..*$', '', 'g')), '[^A-Z0-9]', '', 'g'), 4);
  signs constant text := 'ACDEFGHJKMNPQRTUVWXY34679';
  random bytea;
  made text;
begin
  loop
    random := uuid_send(gen_random_uuid());
    select label || '-' || string_agg(substr(signs, get_byte(random, place) % 25 + 1, 1), '') into made
    from generate_series(0, 3) as place;
    exit when not private.is_reference_given(made);
  end loop;
  return made;
end;
$$;

create or replace function private.deal_ahead(offer public.offers, deal private.deals) returns text
language sql stable set search_path = ''
as $$
  select o.customer_name
  from public.offers o join private.deals d on d.offer_id = o.id and d.ended_at is null
  where o.domain_name = offer.domain_name and o.status = 'accepted' and o.id <> offer.id and deal.paid_at is null
    and (deal.reference is null or d.paid_at is not null or (d.agreed_at, d.reference) < (deal.agreed_at, deal.reference))
  order by d.paid_at is null, d.agreed_at, d.reference limit 1;
$$;

create or replace function private.pay_ways(offer public.offers, deal private.deals) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  settings constant jsonb := (select c.settings from private.published_catalogue c);
  agreed constant record := private.standing_amount(offer);
  listed private.listings;
  has_amount boolean;
begin
  select l.* into listed from private.listings l where l.name = offer.domain_name;
  if listed.state = 'sold' and deal.paid_at is null or private.deal_ahead(offer, deal) is not null then
    return '{}';
  end if;
  -- As shown-amount.ts: of more than nine digits, decimals included, none is sure.
  has_amount := coalesce(
    agreed.value > 0 and agreed.value * case when agreed.value = trunc(agreed.value) then 1 else 100 end < 1e9, false
  );
  return array_remove(array[
    case when has_amount and private.is_pay_link(deal.link) then 'link' end,
    case when has_amount and coalesce(listed.checkout, settings ->> 'checkout') is not null then 'template' end,
    case when settings ? 'closing' then 'closing' end
  ], null);
end;
$$;

create or replace function private.pay_by_number(deal private.deals) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer * 100000 + (deal.pay_by - date '2000-01-01') from private.deals d
  where d.offer_id = deal.offer_id and (d.agreed_at, d.ended_at is null) <= (deal.agreed_at, deal.ended_at is null);
$$;

create or replace function private.payment_of(offer_id uuid) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  offer public.offers;
  deal constant private.deals := private.deal_in_force(offer_id);
begin
  select o.* into offer from public.offers o where o.id = offer_id;
  return jsonb_strip_nulls(jsonb_build_object(
    'way', private.pay_way(offer, deal), 'chosen', deal.way, 'link', case when private.is_pay_link(deal.link) then deal.link end,
    'template', coalesce(
      (select l.checkout from private.listings l where l.name = offer.domain_name),
      (select c.settings ->> 'checkout' from private.published_catalogue c)
    ),
    'email', offer.customer_email, 'taken_by', private.deal_ahead(offer, deal)
  ));
end;
$$;

create or replace function private.is_link_good(link private.offer_links) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.offers o
    left join private.listings l on l.name = o.domain_name
    left join lateral (
      select m.kind, m.created_at from private.offer_moves m where m.offer_id = o.id order by m.number desc limit 1
    ) as last on true
    where o.id = (link).offer_id
      and exists (select from private.offer_links k where k.token_hash = (link).token_hash)
      and (l.state = 'for_sale' or l.state = 'reserved' and o.status = 'accepted'
        or l.state = 'sold' and (private.deal_in_force(o.id)).paid_at is not null
        or o.status = 'rejected' and last.kind = 'take_back'
        or not exists (select from private.published_catalogue))
      and greatest(last.created_at, (link).created_at) > now() - case
        when o.status <> 'accepted' and last.kind in ('decline', 'withdraw', 'close')
          or o.status = 'rejected' and last.kind = 'take_back' then interval '14 days' else interval '90 days' end
  );
$$;

create or replace function private.queue_deal_alarms(targets text[]) returns void
language sql set search_path = ''
as $$
  insert into private.messages (kind, offer_id, target, move_number)
  select alarm.kind, alarm.offer_id, t.target, alarm.number
  from (
    select 'unpaid' as kind, d.offer_id, private.pay_by_number(d) as number, d.agreed_at as since
    from private.deals d join public.offers o on o.id = d.offer_id
    where d.ended_at is null and d.paid_at is null
      and d.pay_by between ((now() - interval '8 days') at time zone 'UTC')::date and ((now() - interval '12 hours') at time zone 'UTC')::date - 1
      and private.pay_by_of(o, d) is not null
    union all
    select 'pay_link', d.offer_id, (c ->> 'number')::integer, (c ->> 'at')::timestamptz
    from private.deals d, jsonb_array_elements(d.changes) as c
    where c ->> 'field' = 'link' and (c ->> 'at')::timestamptz > now() - interval '7 days'
  ) as alarm, unnest(targets) as t (target)
  where alarm.since >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
  on conflict do nothing;
$$;

create or replace function private.queue_reminders(limits jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  due record;
begin
  for due in
    select o.id, private.pay_by_number(d) as number, 'mailto:' || lower(o.customer_email) as target
    from private.deals d join public.offers o on o.id = d.offer_id
    where d.ended_at is null and d.paid_at is null and d.pay_by between today and today + 2
      and (d.agreed_at at time zone 'UTC')::date < d.pay_by - 2
      and d.agreed_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
      and private.pay_by_of(o, d) is not null
      and not exists (
        select from private.messages m
        where m.offer_id = o.id and m.kind = 'reminder' and m.move_number = private.pay_by_number(d)
      )
    order by d.pay_by, d.agreed_at
  loop
    exit when private.count_hits_unless_full(limits) > 0;
    insert into private.messages (kind, offer_id, target, locale, move_number)
    values ('reminder', due.id, due.target, private.offer_language(due.id), due.number) on conflict do nothing;
  end loop;
end;
$$;

create or replace function private.delivered_deal(offer public.offers, kind text, number integer) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  deal private.deals;
  change jsonb;
begin
  if kind = 'pay_link' then
    select d.* into deal from private.deals d
    where d.offer_id = offer.id and d.changes @> jsonb_build_array(jsonb_build_object('number', number));
    select c into change from jsonb_array_elements(private.deal_changes(deal, true)) as c
    where (c ->> 'number')::integer = number;
  elsif kind in ('unpaid', 'reminder') or kind in ('reply', 'move') and exists (
    select from private.offer_moves m
    where m.offer_id = offer.id and m.kind = 'accept' and m.number = delivered_deal.number
      and not exists (select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number)
  ) then
    deal := private.deal_in_force(offer.id);
  end if;
  if deal.reference is null then
    return null;
  end if;
  return jsonb_strip_nulls(
    private.payment_of(offer.id) - '{email,taken_by}'::text[] || to_jsonb(private.standing_amount(offer)) || jsonb_build_object(
      'number', number, 'reference', deal.reference, 'pay_by', private.pay_by_of(offer, deal), 'change', change
    )
  );
end;
$$;

create or replace function public.acquire_messages(max integer, lease_seconds integer, sent bigint[] default '{}') returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
  waiting record;
  ids bigint[];
  deliveries jsonb := '[]';
  without_mail boolean;
begin
  -- One call at a time, so that the rows of a digest stay together.
  select coalesce(s.paused_before, '-infinity') into after from private.message_state s for update;
  if sent <> '{}' then
    perform public.mark_messages_sent(sent);
  end if;
  update private.messages m
  set failed_at = now(), dismissed_at = now(), leased_until = null, reason = 'A confirmation is not sent later than 24 hours.',
    reason_at = now()
  where m.kind = 'confirmation' and m.sent_at is null and m.failed_at is null and m.due_at <= now()
    and m.created_at <= now() - interval '24 hours';

  update private.messages m
  set failed_at = now(), dismissed_at = now(), leased_until = null, reason = 'There is nothing to pay, or by another date.', reason_at = now()
  where m.kind in ('reminder', 'unpaid') and m.sent_at is null and m.failed_at is null and m.due_at <= now() and not exists (
    select from private.deals d join public.offers o on o.id = d.offer_id
    where d.offer_id = m.offer_id and d.ended_at is null and d.paid_at is null
      and private.pay_by_number(d) = m.move_number and private.pay_by_of(o, d) is not null
  );

  for waiting in
    select f.server, oldest.kind, oldest.target from private.failing_servers f, lateral (
      select m.kind, m.target from private.messages m
      where m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
        and private.server_of(m.target) = f.server
      order by m.kind in ('confirmation', 'reply', 'reminder'), m.due_at, m.id limit 1
    ) as oldest
    where f.next_try_at <= now()
  loop
    exit when jsonb_array_length(deliveries) >= max;
    ids := private.acquire_delivery(waiting.kind, waiting.target, after, lease_seconds);
    continue when ids is null;
    deliveries := deliveries || jsonb_build_array(private.describe_delivery(ids));
    update private.failing_servers f
    set attempts = f.attempts + 1, next_try_at = now() + make_interval(secs => lease_seconds)
    where f.server = waiting.server;
  end loop;

  for waiting in
    -- The owner's targets are few: each is found by one step in the index, however many messages wait for it.
    with recursive owner_targets as (
      (select m.kind, m.target from private.messages m
       where m.sent_at is null and m.failed_at is null and m.kind > 'confirmation'
       order by m.kind, m.target limit 1)
      union all
      select further.kind, further.target from owner_targets t, lateral (
        select m.kind, m.target from private.messages m
        where m.sent_at is null and m.failed_at is null and (m.kind, m.target) > (t.kind, t.target)
        order by m.kind, m.target limit 1
      ) as further
    )
    select t.kind, t.target from owner_targets t, lateral (
      select m.due_at from private.messages m
      where m.kind = t.kind and m.target = t.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
      order by m.due_at limit 1
    ) as oldest
    where not private.is_waiting(t.target)
    order by oldest.due_at
  loop
    for delivery in 1..5 loop
      exit when jsonb_array_length(deliveries) >= max;
      ids := private.acquire_delivery(waiting.kind, waiting.target, after, lease_seconds);
      exit when ids is null;
      deliveries := deliveries || jsonb_build_array(private.describe_delivery(ids));
    end loop;
  end loop;

  without_mail := private.is_waiting('mailto:');
  ids := array(
    select m.id from private.messages m
    where not without_mail and m.sent_at is null and m.failed_at is null and m.kind = 'confirmation'
      and m.due_at <= now() and m.created_at >= after
    order by m.due_at, m.id limit greatest(max - jsonb_array_length(deliveries), 0)
    for update skip locked
  );
  if ids = '{}' then
    return deliveries;
  end if;
  perform private.give_up(ids);
  perform private.lease(ids, null, lease_seconds);
  return deliveries || coalesce((
    select jsonb_agg(private.describe_delivery(array[m.id]) order by m.id)
    from private.messages m where m.id = any(ids) and m.failed_at is null
  ), '[]');
end;
$$;
grant execute on function public.acquire_messages(integer, integer, bigint[]) to service_role;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 8;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function private.moved_table(kind text, out name text, out key text)
language plpgsql stable set search_path = ''
as $$
begin
  key := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind in ('idempotency_keys', 'offer_links') then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages', 'offer_moves', 'name_changes') then 'id'
    when kind in ('deals', 'erased_references') then 'reference' end;
  if key is null then
    raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end if;
  name := case kind when 'offers' then 'public.offers' else format('private.%I', kind) end;
end;
$$;

create trigger deals_leave_references after delete on private.deals
  for each row execute function private.keep_reference();

update private.messages m set move_number = private.pay_by_number(d)
from private.deals d
where d.offer_id = m.offer_id and d.ended_at is null and d.pay_by is not null
  and m.kind in ('unpaid', 'reminder') and m.move_number < 100000;
