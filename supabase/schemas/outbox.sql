-- The outbox: messages about offers and moves. A row of private.messages is one message to one target:
-- `mailto:ada@example.com` or the URL of a webhook. Rows are written in the transaction that stores the offer or the move, and
-- by queue_overdue; the edge function `deliver` acquires them, sends them and marks them. A message is queued until sent_at or
-- failed_at is set. The single row of private.message_state is about all messages: `deliver` and the owner's commands write it.
-- A row of private.failing_servers is a mail server or a webhook that takes no message: what is queued for it waits.
-- Administrators read them through message_status, the owner's commands through read_message_state; the tables are closed.

create table private.messages (
  id bigint generated always as identity primary key,
  -- To the owner's targets: `offer`, `low` (a low offer, in a digest once a day), `overdue` (a pending offer), `move` (one of
  -- the buyer's), `expired` (the end date of a move has passed), `silent` (nothing happened for 7 days after an acceptance),
  -- `unpaid` (the date of a payment has passed), `pay_link` (an administrator changed the link of a payment). To the customer:
  -- `confirmation`, `reply` about a move of the owner's or an acceptance of the buyer's own, and `reminder` (of a payment).
  kind text not null,
  offer_id uuid not null references public.offers (id) on delete cascade,
  target text not null,
  -- Language of a confirmation or a reply; null: the default.
  locale text,
  -- True: sent together with the other digest rows of this kind and target, as one delivery.
  digest boolean not null default false,
  -- The delivery of a digest row; it stays the same over retries, and so does the Message-ID that is made of it.
  batch uuid,
  due_at timestamptz not null default now(),
  -- How often the message was tried; counted before each try.
  attempts integer not null default 0,
  -- Until when a message that was acquired is left alone; null where its last delivery ended.
  leased_until timestamptz,
  -- Whether a try began that has not ended: still true where the process ended during it.
  is_trying boolean not null default false,
  -- A message that was tried before fails at this time.
  give_up_at timestamptz not null default now() + interval '3 days',
  -- What the last failed try reported, and when.
  reason text check (char_length(reason) <= 300),
  reason_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  -- Whether the last try of a confirmation ended with a rejection of the customer's address: a mark at its offer and no
  -- fault, since the visitor mistyped it.
  address_rejected boolean not null default false,
  -- When an administrator dismissed a failed message: it is neither reported nor tried again.
  dismissed_at timestamptz,
  -- Each move has its own messages; others have move 0, but `unpaid` and `reminder` the number of the deal with its date
  -- (private.pay_by_number), and `pay_link` that of the change.
  move_number integer not null default 0,
  constraint messages_kind_check
    check (kind in (
      'offer', 'low', 'confirmation', 'overdue', 'reply', 'move', 'expired', 'silent', 'unpaid', 'pay_link', 'reminder'
    )),
  constraint messages_once unique (offer_id, kind, target, move_number)
);
-- For the number of messages that a target got in the last minutes.
create index messages_by_target on private.messages (target, created_at);
create index messages_queued on private.messages (kind, target, due_at, id)
  where sent_at is null and failed_at is null;
create index messages_to_customers on private.messages (due_at, id)
  where sent_at is null and failed_at is null and kind = 'confirmation';
create index messages_not_delivered on private.messages (reason_at) include (failed_at)
  where sent_at is null and reason_at is not null and dismissed_at is null and not address_rejected;
create index confirmations_rejected on private.messages (failed_at) include (offer_id)
  where address_rejected and failed_at is not null;
create index confirmations_by_mailbox on private.messages (regexp_replace(target, '\+[^@]*@', '@'), created_at)
  where kind = 'confirmation';
alter table private.messages enable row level security;

create table private.message_state (
  single boolean primary key default true check (single),
  -- Number of targets that are configured.
  mail integer not null default 0,
  webhooks integer not null default 0,
  -- After a restore: messages and overdue offers from before this time wait for resume_messages.
  paused_before timestamptz,
  sent bigint not null default 0,
  last_sent_at timestamptz,
  -- A keyed hash of the settings of each server, by private.failing_servers.server: another one means that they were changed.
  servers jsonb not null default '{}'
);
insert into private.message_state default values;
alter table private.message_state enable row level security;

create table private.failing_servers (
  -- `mailto:` for the mail server, through which every mail goes, or the URL of a webhook.
  server text primary key,
  -- What does not work and what to do, without email address and URL.
  problem text not null check (char_length(problem) <= 300),
  -- The reply, or its absence, as far as two messages have it in common: `DATA 550 5.7.60`.
  reply text not null,
  -- Whether it lasts until the owner mends it: a rejected login, and no server that is down.
  lasting boolean not null,
  -- Whether it is about the server for certain. Otherwise one message alone failed, perhaps by its own fault, and others go on.
  confirmed boolean not null,
  -- The first message that failed so; it may be gone.
  message_id bigint not null,
  since timestamptz not null default now(),
  -- Messages that were tried since the others wait.
  attempts integer not null default 1,
  -- When one more message may be tried, while the others wait. Null: all may be.
  next_try_at timestamptz,
  -- Since when it works again, which is yet to be reported to the owner, and how many messages had waited.
  recovered_at timestamptz,
  waited integer not null default 0
);
alter table private.failing_servers enable row level security;

-- The server that a target is reached through.
create function private.server_of(target text) returns text
language sql immutable set search_path = ''
as $$ select case when target like 'mailto:%' then 'mailto:' else target end; $$;

-- Whether messages to this target wait, because its server fails.
create function private.is_waiting(target text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.failing_servers f
    where f.server = private.server_of(is_waiting.target) and f.next_try_at is not null
  );
$$;

-- Whether the customer had a mail about the offer, or one is queued. Those of accepted offers stay (remove_expired).
create function private.had_mail(offer_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.messages m
    where m.offer_id = had_mail.offer_id and m.kind in ('confirmation', 'reply', 'reminder') and m.failed_at is null
  );
$$;

-- Queues the messages of a new offer, in the transaction that stores it. `messages` is [{"kind", "target", "locale"?,
-- "limits"?, "link"?: {"offer_id", "number", "hash", "nonce"} of the customer, stored where the confirmation is queued}]. Past 20 messages of
-- one kind to one target in ten minutes, and for a held offer, they are digests: due at the next whole multiple of ten minutes. A customer gets at most one confirmation in 24 hours, and none for a held offer or
-- while one of the confirmation's `limits` is full: a visitor can enter the email of another, so that a mailbox counts without its
-- `+…`, and the confirmations of a sender's network and of all are limited.
-- submit_offer holds a lock, so that two offers at once do not both find room for the last confirmation.
-- (A loop with a few statements for each message makes storing an offer 50 % slower.)
create function private.queue_messages(offer_id uuid, held boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  confirmation constant jsonb := jsonb_path_query_first(messages, '$[*] ? (@.kind == "confirmation")');
  customer constant text := lower(confirmation ->> 'target');
  limits constant jsonb := coalesce(confirmation -> 'limits', '[]');
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select n.kind, queue_messages.offer_id, n.target, n.digest,
    case when n.digest then next_digest else now() end
  from (
    select m.kind, m.target, held or exists (
      select from private.messages r
      where r.kind = m.kind and r.target = m.target and r.created_at > now() - interval '10 minutes'
      offset 19
    ) as digest
    from jsonb_to_recordset(messages) as m (kind text, target text)
    where m.kind <> 'confirmation'
  ) as n
  on conflict do nothing;

  if confirmation is null or held then
    return;
  end if;
  perform from private.messages r
  where r.kind = 'confirmation' and r.created_at > now() - interval '24 hours'
    and regexp_replace(r.target, '\+[^@]*@', '@') = regexp_replace(customer, '\+[^@]*@', '@');
  -- Counted unless full: those that are not sent must not fill the limit of all.
  if found or private.count_hits_unless_full(limits) > 0 then
    return;
  end if;
  insert into private.messages (kind, offer_id, target, locale)
  values ('confirmation', queue_messages.offer_id, customer, confirmation ->> 'locale');
  insert into private.offer_links (token_hash, offer_id, number, nonce)
  select l.hash, queue_messages.offer_id, l.number, l.nonce
  from jsonb_to_record(confirmation -> 'link') as l (hash text, number integer, nonce text)
  where l.hash is not null;
end;
$$;

-- Queues one message to each target where the end date of the last move has passed within a week, and where nothing happened
-- for 7 days after an acceptance without a date of payment; none for names that are sold.
create function private.queue_deadlines(targets text[]) returns void
language sql set search_path = ''
as $$
  insert into private.messages (kind, offer_id, target, move_number)
  select case m.kind when 'accept' then 'silent' else 'expired' end, m.offer_id, t.target, m.number
  from private.offer_moves m
  join public.offers o on o.id = m.offer_id
  left join private.listings l on l.name = o.domain_name,
    unnest(targets) as t (target)
  where l.state is distinct from 'sold'
    and (m.valid_until > now() - interval '7 days' and m.valid_until <= now()
      or m.kind = 'accept' and m.created_at > now() - interval '14 days' and m.created_at <= now() - interval '7 days')
    and not exists (select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number)
    and not (m.kind = 'accept' and exists (
      select from private.deals d where d.offer_id = o.id and d.ended_at is null
        and (d.paid_at is not null or private.pay_by_of(o, d) is not null)
    ))
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
  on conflict do nothing;
$$;

-- Queues, about deals, one message to each target where "Pay by" has passed within a week and nothing is paid, and about each
-- change of a link of the last week. The date ends where the last of its days on earth does.
create function private.queue_deal_alarms(targets text[]) returns void
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

-- Queues the reminders to buyers two days before "Pay by", one for each date of a deal, as long as `limits` are not full; none where the
-- agreement is no older than that.
create function private.queue_reminders(limits jsonb) returns void
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

-- Queues the alarm for pending offers older than 5/6 of the time within which the owner answers (20 of 24 hours), once for
-- each target, and returns how many were queued; held and low offers have none. Past 20 in ten minutes they are digests. Offers
-- that no message was queued for when they came (messages were not configured yet) are one digest, due at once. Queues the
-- messages of queue_deadlines and queue_deal_alarms too, and with `reminder_limits` those of queue_reminders: it is the
-- scheduler's call.
create function public.queue_overdue(targets text[], reminder_limits jsonb default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  urgent_before constant timestamptz := now() - private.reply_within() * 5 / 6;
  queued integer;
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select 'overdue', late.id, late.target, not late.announced or late.number > 20,
    case when late.announced and late.number > 20 then next_digest else now() end
  from (
    select o.id, o.created_at, o.announced, t.target,
      recent.count + row_number() over (partition by t.target, o.announced order by o.created_at) as number
    from unnest(targets) as t (target),
      lateral (
        select count(*) from private.messages m
        where m.kind = 'overdue' and m.target = t.target and m.created_at > now() - interval '10 minutes'
      ) as recent,
      lateral (
        select p.id, p.created_at,
          exists (select from private.messages m where m.offer_id = p.id and m.kind = 'offer') as announced
        from public.offers p
        where p.id in (
          select n.id from private.regular_offers n
          where n.status = 'pending' and n.created_at < urgent_before
            -- For offers from before a restore, an alarm may have been sent that the backup does not hold.
            and n.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
          -- Not "not exists": without statistics the planner chose quadratic time for it (a minute for 20,000).
          except
          select m.offer_id from private.messages m where m.kind = 'overdue' and m.target = t.target
        )
      ) as o
  ) as late
  order by late.created_at
  on conflict do nothing;
  get diagnostics queued = row_count;
  perform private.queue_deadlines(targets);
  perform private.queue_deal_alarms(targets);
  if reminder_limits is not null then
    perform private.queue_reminders(reminder_limits);
  end if;
  return queued;
end;
$$;
grant execute on function public.queue_overdue(text[], jsonb) to service_role;

-- The delay after so many tries: 10 seconds, 20, 40 … at most 6 hours.
create function private.retry_delay(attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '10 seconds' * 2 ^ least(attempts - 1, 20), interval '6 hours'); $$;

-- Fails those of the messages that were tried before and whose time is over.
create function private.give_up(ids bigint[]) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set failed_at = now(), leased_until = null, reason = coalesce(m.reason, 'The delivery did not end.'),
    reason_at = coalesce(m.reason_at, now())
  where m.id = any(ids) and m.attempts > 0 and m.give_up_at <= now();
$$;

-- Acquires the messages as one delivery. They are due again after the lease.
create function private.lease(ids bigint[], batch uuid, lease_seconds integer) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set batch = lease.batch, is_trying = false,
    leased_until = now() + make_interval(secs => lease_seconds),
    due_at = now() + make_interval(secs => lease_seconds)
  where m.id = any(ids) and m.failed_at is null;
$$;

-- Counts a try of an acquired delivery before it is made, so that a message that ends the process is tried after growing
-- delays and holds up no other. Returns whether it may be made: not where its server was found to fail meanwhile.
create function public.begin_delivery(ids bigint[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  -- Rows of a digest are locked in the order of note_failure.
  perform private.lock_messages();
  update private.messages m
  set attempts = m.attempts + 1, is_trying = true,
    due_at = greatest(m.leased_until, now() + private.retry_delay(m.attempts + 1))
  where m.id = any(ids) and m.leased_until is not null and not m.is_trying and m.sent_at is null and m.failed_at is null;
  return found;
end;
$$;
grant execute on function public.begin_delivery(bigint[]) to service_role;

-- Acquires the oldest delivery of one kind to one target that is due: a single message, or the rows of one digest. Returns
-- the messages' ids, or null. Messages created before `after` are left out; the ones to give up become failed.
create function private.acquire_delivery(kind text, target text, after timestamptz, lease_seconds integer)
returns bigint[]
language plpgsql set search_path = ''
as $$
declare
  first private.messages;
  ids bigint[];
  batch uuid;
begin
  loop
    select m.* into first from private.messages m
    where m.kind = acquire_delivery.kind and m.target = acquire_delivery.target
      and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
    order by m.due_at, m.id limit 1
    for update skip locked;
    if first.id is null then
      return null;
    end if;
    exit when first.attempts = 0 or first.give_up_at > now();
    perform private.give_up(array[first.id]);
  end loop;

  ids := array[first.id];
  if first.digest then
    batch := coalesce(first.batch, gen_random_uuid());
    ids := array(
      select m.id from private.messages m
      where m.kind = acquire_delivery.kind and m.target = acquire_delivery.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
        and m.digest and m.batch is not distinct from first.batch
      order by m.due_at, m.id limit case when first.kind in ('overdue', 'low') then null else 200 end
      for update skip locked
    );
  end if;
  perform private.lease(ids, batch, lease_seconds);
  return ids;
end;
$$;

-- What a message says of the deal: {"number" (of the message), "reference", "amount", "value" and "currency" that were agreed,
-- "pay_by", "way", "link", "template", "change" (of `pay_link`: {"from", "to", "at", "by": the administrator's email})}. Null where
-- it is about none, or about one that has ended since; a changed link is reported all the same.
create function private.delivered_deal(offer public.offers, kind text, number integer) returns jsonb
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

-- One delivery as acquire_messages returns it, each offer with its message, asking price and language where they are known;
-- of a message about a move with the move, for the owner with the amount that was named last up to it, or up to now in an alarm
-- (`current_amount`), and for the buyer with the newest link; with the deal where the message is about one in force
-- (private.delivered_deal). A confirmation of a low offer says what the page says, and promises no answer: its offer has "low".
create function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts + 1, 'offers', (
      select jsonb_agg(
        named.texts || jsonb_strip_nulls(to_jsonb(named) - 'texts') order by named.created_at, named.id
      ) from (
        select private.offer_texts(to_jsonb(o)) as texts, o.value, nullif(o.currency, '') as currency, o.id, o.created_at, o.held,
          case when m.kind = 'confirmation' and o.low then true end as low, t.message,
          l.price as asking_price, private.offer_language(o.id) as language,
          case when m.kind not in ('unpaid', 'pay_link', 'reminder') then (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) end as move,
          private.delivered_deal(o, m.kind, m.move_number) as deal,
          case when m.kind <> 'reply' then (
            select v.amount from private.offer_moves v
            where v.offer_id = o.id and (v.number <= m.move_number or m.kind in ('overdue', 'low')) and v.amount is not null
            order by v.number desc limit 1
          ) end as current_amount,
          case when m.kind in ('confirmation', 'reply', 'reminder') then private.newest_link(o.id) end as link
        from private.messages d join public.offers o on o.id = d.offer_id
        left join private.offer_messages t on t.offer_id = o.id
        left join private.listings l on l.name = o.domain_name
        where d.id = any(ids)
        order by o.created_at, o.id limit 200
      ) as named
    )
  )
  from private.messages m where m.id = ids[1];
$$;

-- One change of the state of servers at a time, in the order in which acquire_messages locks.
create function private.lock_messages() returns void
language sql set search_path = ''
as $$ select from private.message_state for update; $$;

-- Makes what waits for a server due, for three more days; digests that were never tried keep their time.
create function private.make_due(server text) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set due_at = now(), give_up_at = greatest(m.give_up_at, now() + interval '3 days')
  where m.sent_at is null and m.failed_at is null and m.leased_until is null and m.attempts > 0
    and private.server_of(m.target) = make_due.server;
$$;

-- Ends the failure of the servers that took these messages, and makes what waits for them due. The owner is told of one that
-- was reported. Where one message alone failed and another got through, it was the fault of that message.
create function private.end_failures(sent bigint[]) returns void
language plpgsql set search_path = ''
as $$
declare
  failing record;
begin
  for failing in
    select f.*, taken.ids from private.failing_servers f, lateral (
      select array_agg(m.id) as ids from private.messages m
      where m.id = any(sent) and private.server_of(m.target) = f.server
    ) as taken
    where f.recovered_at is null and taken.ids is not null
  loop
    if private.is_reported(failing.lasting, failing.since)
      and (failing.confirmed or failing.message_id = any(failing.ids)) then
      update private.failing_servers f
      set recovered_at = now(), next_try_at = null,
        waited = cardinality(failing.ids) + private.count_waiting(f.server)
      where f.server = failing.server;
    else
      delete from private.failing_servers f where f.server = failing.server;
    end if;
    if failing.confirmed then
      perform private.make_due(failing.server);
    end if;
  end loop;
end;
$$;

-- Whether a failure is one to report: at once where it lasts until the owner mends it, otherwise after ten minutes.
create function private.is_reported(lasting boolean, since timestamptz) returns boolean
language sql stable set search_path = ''
as $$ select lasting or since < now() - interval '10 minutes'; $$;

-- Messages that are not sent and wait for this server, without digests before their time.
create function private.count_waiting(server text) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from private.messages m
  where m.sent_at is null and m.failed_at is null and (m.attempts > 0 or m.due_at <= now() or m.leased_until is not null)
    and private.server_of(m.target) = count_waiting.server;
$$;

-- The servers that fail, longest first: [{"problem", "waiting": messages, "next_try_at": null where all are tried}].
create function private.reported_failures() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'problem', f.problem, 'waiting', private.count_waiting(f.server), 'next_try_at', f.next_try_at) order by f.since), '[]')
  from private.failing_servers f
  where f.recovered_at is null and private.is_reported(f.lasting, f.since);
$$;

create function public.mark_messages_sent(ids bigint[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  marked bigint[];
begin
  perform private.lock_messages();
  with sent as (
    update private.messages m
    set sent_at = now(), failed_at = null, leased_until = null, is_trying = false, reason = null, reason_at = null
    where m.id = any(ids) and m.sent_at is null
    returning m.id
  )
  select array_agg(s.id) into marked from sent s;
  if marked is null then
    return;
  end if;
  update private.message_state s set sent = s.sent + cardinality(marked), last_sent_at = now();
  perform private.end_failures(marked);
end;
$$;
grant execute on function public.mark_messages_sent(bigint[]) to service_role;

-- Notes that messages failed through their server, and returns whether they are given up no more: while the server fails for
-- certain, or has taken nothing since their last try. `failure` is {"problem", "reply", "lasting", "certain"}; what is not
-- certain counts once two different messages got the same reply. Then the others wait, also those acquired and not tried.
create function private.note_failure(ids bigint[], server text, failure jsonb) returns boolean
language plpgsql set search_path = ''
as $$
declare
  known private.failing_servers;
  certain boolean := (failure ->> 'certain')::boolean;
begin
  insert into private.failing_servers as f (server, problem, reply, lasting, confirmed, message_id)
  values (note_failure.server, left(failure ->> 'problem', 300), failure ->> 'reply', (failure ->> 'lasting')::boolean, certain, ids[1])
  on conflict on constraint failing_servers_pkey do nothing;
  if not found then
    select f.* into known from private.failing_servers f where f.server = note_failure.server;
    certain := certain or known.recovered_at is null
      and (known.confirmed or known.reply = failure ->> 'reply' and known.message_id <> all (ids));
    update private.failing_servers f
    set problem = left(failure ->> 'problem', 300), reply = failure ->> 'reply', lasting = (failure ->> 'lasting')::boolean,
      confirmed = certain, message_id = ids[1], recovered_at = null,
      attempts = case when f.next_try_at is null then 1 else f.attempts end
    where f.server = note_failure.server;
  end if;
  if not certain then
    return coalesce(known.message_id = any (ids) and known.recovered_at is null, false);
  end if;
  update private.failing_servers f
  set next_try_at = now() + least(private.retry_delay(f.attempts),
    case when f.lasting then interval '1 hour' else interval '5 minutes' end)
  where f.server = note_failure.server;
  update private.messages m
  set give_up_at = greatest(m.give_up_at, now() + interval '3 days'),
    due_at = case when m.leased_until is not null and not m.is_trying then now() else m.due_at end,
    leased_until = case when m.is_trying then m.leased_until end
  where m.sent_at is null and m.failed_at is null and private.server_of(m.target) = note_failure.server
    and (m.leased_until is not null and not m.is_trying or m.attempts > 0 and m.give_up_at < now() + interval '2 days');
  return true;
end;
$$;

-- Stores why the messages were not sent, and when they are tried again: not at all where `permanent` is true or three
-- days are over. `address_rejected`: the server rejected the recipient's address. `failure`: of the server, see note_failure.
create function public.mark_messages_failed(
  ids bigint[], reason text, permanent boolean, address_rejected boolean default false, failure jsonb default null
) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  target constant text := (select m.target from private.messages m where m.id = ids[1]);
  keeps boolean := false;
  others_wait boolean;
begin
  perform private.lock_messages();
  if failure is not null and target is not null then
    keeps := private.note_failure(ids, private.server_of(target), failure);
  else
    -- It was this message: another one may be tried at once.
    update private.failing_servers f set next_try_at = now(), attempts = greatest(f.attempts - 1, 1)
    where f.server = private.server_of(target) and f.next_try_at is not null;
  end if;
  others_wait := keeps and private.is_waiting(target);
  update private.messages m
  set reason = left(coalesce(mark_messages_failed.reason, ''), 300), reason_at = now(), leased_until = null, is_trying = false,
    -- Where the others wait for the server, it stands behind them.
    due_at = now() + case when others_wait then interval '0' else private.retry_delay(m.attempts) end,
    give_up_at = case when keeps then greatest(m.give_up_at, now() + interval '3 days') else m.give_up_at end,
    failed_at = case when permanent or not keeps and m.give_up_at <= now() then now() end,
    address_rejected = m.kind = 'confirmation' and mark_messages_failed.address_rejected
  where m.id = any(ids) and m.sent_at is null and m.failed_at is null;
end;
$$;
grant execute on function public.mark_messages_failed(bigint[], text, boolean, boolean, jsonb) to service_role;

-- Marks `sent`, which saves a call for each message, then acquires the messages that are due, for `lease_seconds`: at most
-- `max` deliveries, first at most 5 for each kind and target of the owner, those that wait longest first, then
-- confirmations, the oldest first, all of them with a few statements, since an offer has one each. A message whose lease
-- ends without mark_messages_failed and without being marked as sent is acquired again, with the delays of failed ones. Reminders,
-- and messages that nothing is paid, are dropped where the deal has ended or is paid, or its date was moved.
-- Of a server that fails, one message is acquired when the time of the next try has come: one to the owner before one to a
-- customer, and that which was not tried for longest. Confirmations older than 24 hours are dropped: they would come too late.
-- Returns [{"ids", "kind", "target", "locale", "batch", "attempts", "offers"}]; `batch` is null for a single message.
-- A digest has at most 200 offers, oldest first. A digest of overdue or low offers has the ids of all of them and the 200
-- oldest offers.
create function public.acquire_messages(max integer, lease_seconds integer, sent bigint[] default '{}') returns jsonb
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

-- Makes everything that is queued due once more, whatever its age and its lease; digests that were never tried keep their
-- time, and a message whose try ended the process waits for its delay. Of a server that fails one message is tried. For the
-- start, when no delivery is under way.
create function public.make_messages_due() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_messages();
  update private.messages m
  set due_at = now() + case when m.is_trying then private.retry_delay(m.attempts) else interval '0' end,
    leased_until = null, is_trying = false, give_up_at = greatest(m.give_up_at, now() + interval '10 minutes')
  where m.sent_at is null and m.failed_at is null and (m.attempts > 0 or m.leased_until is not null);
  update private.failing_servers f set next_try_at = now() where f.next_try_at is not null;
end;
$$;
grant execute on function public.make_messages_due() to service_role;

-- Stores how many targets are configured, for message_status, and by `servers` a hash of the settings of each server: where they
-- were changed, what waits for that server is due, and where a webhook that failed has another URL, it goes there. Returns
-- [{"server", "problem", "since", "waited"}] of the servers that work again, which is yet to be reported to the owner.
create function public.report_delivery(mail integer, webhooks integer, servers jsonb default '{}') returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  before constant jsonb := (select s.servers from private.message_state s);
  failing record;
begin
  update private.message_state s
  set mail = report_delivery.mail, webhooks = report_delivery.webhooks, servers = report_delivery.servers
  where (s.mail, s.webhooks, s.servers) is distinct from (report_delivery.mail, report_delivery.webhooks, report_delivery.servers);
  if before is distinct from servers then
    perform private.lock_messages();
    for failing in select f.server from private.failing_servers f where before -> f.server is distinct from servers -> f.server loop
      perform private.replace_webhook(failing.server, array(
        select k from jsonb_object_keys(servers) k where not before ? k and k <> 'mailto:' and not servers ? failing.server
      ));
      perform private.make_due(failing.server);
      update private.failing_servers f set next_try_at = null where f.server = failing.server;
    end loop;
    delete from private.failing_servers f where not servers ? f.server and f.recovered_at is null;
  end if;
  delete from private.failing_servers f where f.recovered_at < now() - interval '1 day';
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'server', f.server, 'problem', f.problem, 'since', f.since, 'waited', f.waited) order by f.since), '[]')
    from private.failing_servers f where f.recovered_at is not null and not private.is_waiting('mailto:')
  );
end;
$$;
grant execute on function public.report_delivery(integer, integer, jsonb) to service_role;

-- Has what waits for a webhook that is not configured any more go to the URL that took its place, if that is one.
create function private.replace_webhook(former text, added text[]) returns void
language sql set search_path = ''
as $$
  update private.messages m set target = added[1], due_at = now(), give_up_at = greatest(m.give_up_at, now() + interval '3 days')
  where cardinality(added) = 1 and m.target = former and former <> 'mailto:' and m.sent_at is null and m.failed_at is null
    and not exists (
      select from private.messages o
      where o.offer_id = m.offer_id and o.kind = m.kind and o.target = added[1] and o.move_number = m.move_number
    );
$$;

-- Ends the report of a server that works again.
create function public.mark_recovery_reported(server text) returns void
language sql security definer set search_path = ''
as $$
  delete from private.failing_servers f where f.server = mark_recovery_reported.server and f.recovered_at is not null;
$$;
grant execute on function public.mark_recovery_reported(text) to service_role;

-- Holds back what is older than now. The owner calls it after a restore: what the backup has as queued may have been
-- sent since the backup was made. Granted to no role.
create function public.pause_messages() returns void
language sql security definer set search_path = ''
as $$ update private.message_state set paused_before = now(); $$;

-- Ends that, and returns how many messages waited.
create function public.resume_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
begin
  select s.paused_before into after from private.message_state s for update;
  update private.message_state set paused_before = null;
  return (
    select count(*)::integer from private.messages m
    where m.sent_at is null and m.failed_at is null and m.created_at < after
  );
end;
$$;
grant execute on function public.resume_messages() to service_role;

-- How messages stand, without any target: {"queued", "paused", "failed", "sent", "wait_seconds": how long the oldest one that
-- is not held back has been waiting, without digests and confirmations whose address was rejected, "reason": the last one of
-- the latest failed try, "problems": see reported_failures}. Without what is no fault: see message_status.
create function public.read_message_state() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'queued', count(m.id) filter (where m.queued and not m.paused),
    'paused', count(m.id) filter (where m.queued and m.paused),
    'failed', count(m.id) filter (where not m.queued and not m.address_rejected),
    'sent', s.sent,
    'wait_seconds', coalesce(extract(epoch from now() - min(m.created_at)
      filter (where m.queued and not m.paused and not m.digest and not m.address_rejected))::integer, 0),
    'reason', (array_agg(m.reason order by m.reason_at desc)
      filter (where m.reason is not null and not m.address_rejected))[1],
    'problems', private.reported_failures()
  )
  from private.message_state s
  left join lateral (
    select u.*, u.failed_at is null as queued, (u.created_at < s.paused_before) is true as paused
    from private.messages u where u.sent_at is null and u.dismissed_at is null
  ) as m on true
  group by s.single;
$$;
grant execute on function public.read_message_state() to service_role;
