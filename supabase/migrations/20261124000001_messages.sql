-- Messages about offers. A row is one message to one target: `mailto:ada@example.com` or the URL of a webhook. Rows are
-- written in the transaction that stores the offer; the edge function `deliver` takes them, sends them and marks them.
-- A message is queued until sent_at or failed_at is set. All functions run as their owner; the tables are closed.

create table private.messages (
  id bigint generated always as identity primary key,
  -- offer and overdue go to the owner's targets, confirmation to the customer.
  kind text not null check (kind in ('offer', 'confirmation', 'overdue')),
  offer_id uuid not null references public.offers (id) on delete cascade,
  target text not null,
  -- Language of a confirmation; null: the default.
  locale text,
  -- True: sent together with the other digest rows of this kind and target, as one delivery.
  digest boolean not null default false,
  -- The delivery of a digest row; it stays the same over retries, and so does the Message-ID that is made of it.
  batch uuid,
  due_at timestamptz not null default now(),
  -- How often the message was taken.
  attempts integer not null default 0,
  -- Until when a message that was taken is left alone; null where its last delivery ended.
  leased_until timestamptz,
  -- A message that was tried before fails at this time.
  give_up_at timestamptz not null default now() + interval '3 days',
  -- What the last failed try reported, and when.
  reason text check (char_length(reason) <= 300),
  reason_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  unique (offer_id, kind, target)
);
-- For the number of messages that a target got in the last minutes.
create index messages_by_target on private.messages (target, created_at);
create index messages_queued on private.messages (kind, target, due_at, id)
  where sent_at is null and failed_at is null;
create index messages_to_customers on private.messages (due_at, id)
  where sent_at is null and failed_at is null and kind = 'confirmation';
create index messages_not_delivered on private.messages (reason_at) include (failed_at)
  where sent_at is null and reason_at is not null;
revoke all on table private.messages from public, anon, authenticated, service_role;

-- The single row about all messages.
create table private.message_state (
  single boolean primary key default true check (single),
  -- Number of targets that are configured.
  mail integer not null default 0,
  webhooks integer not null default 0,
  -- After a restore: messages and overdue offers from before this time wait for resume_messages.
  paused_before timestamptz,
  sent bigint not null default 0,
  last_sent_at timestamptz
);
insert into private.message_state default values;
revoke all on table private.message_state from public, anon, authenticated, service_role;

-- Queues the messages of a new offer, in the transaction that stores it. `messages` is [{"kind", "target", "locale"?}].
-- Past 20 messages of one kind to one target in ten minutes, and for a held offer, they are digests: due at the next
-- whole multiple of ten minutes. A customer gets at most one confirmation in 24 hours, and none for a held offer.
-- (A loop with a few statements for each message makes storing an offer 50 % slower.)
create function private.queue_messages(offer_id uuid, held boolean, messages jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  customer text;
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

  if not held and messages @> '[{"kind": "confirmation"}]' then
    customer := lower(jsonb_path_query_first(messages, '$[*] ? (@.kind == "confirmation").target') #>> '{}');
    -- Of two offers of one customer at once, the second waits here until the first is stored.
    perform pg_advisory_xact_lock(hashtextextended(customer, 0));
    perform from private.messages r
    where r.kind = 'confirmation' and r.target = customer and r.created_at > now() - interval '24 hours';
    if not found then
      insert into private.messages (kind, offer_id, target, locale)
      select 'confirmation', queue_messages.offer_id, customer, m.locale
      from jsonb_to_recordset(messages) as m (kind text, locale text)
      where m.kind = 'confirmation'
      limit 1;
    end if;
  end if;
end;
$$;
revoke all on function private.queue_messages(uuid, boolean, jsonb) from public, anon, authenticated, service_role;

drop function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb);

-- Runs after the bot check and stores the offer once, however often the request comes. The receipt is written first,
-- so that a second request with the same token waits for the first one's commit and then finds its outcome.
-- `work` is the step that the token's work was made for, `max_work` the hardest step.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, {"outcome": "conflict"}, or, with nothing stored
-- or counted, {"outcome": "harder", "step"} (the step to work for) and {"outcome": "limited", "wait"} (too many offers
-- are held; seconds until an offer is not held).
-- `held_limits` are counted by private.take_held.
-- `messages` are queued with the offer: see private.queue_messages.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id uuid := gen_random_uuid();
  shared_step integer;
  step integer;
begin
  insert into private.offer_receipts (token_hash, payload_hash, offer_id)
  values (token_hash, payload_hash, new_id)
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Every offer locks its sender's rows first, so that two offers cannot deadlock.
  step := private.count_steps(jsonb_path_query_array(steps, '$[*] ? (@.own == true)'));
  shared_step := private.count_steps(jsonb_path_query_array(steps, '$[*] ? (!(@.own == true))'));
  step := greatest(step, shared_step);
  if step > work and work < max_work then
    perform private.give_back(steps);
    delete from private.offer_receipts r where r.offer_id = new_id;
    return jsonb_build_object('outcome', 'harder', 'step', least(step, max_work));
  end if;
  if step > max_work and private.take_held(held_limits, shared_step > max_work) > 0 then
    perform private.give_back(steps);
    delete from private.offer_receipts r where r.offer_id = new_id;
    return jsonb_build_object('outcome', 'limited', 'wait', private.wait_for_step(steps, max_work));
  end if;

  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, held)
  values (new_id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email', step > max_work);
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(new_id, step > max_work, messages);
  end if;
  return jsonb_build_object('outcome', 'stored', 'id', new_id);
end;
$$;
revoke all on function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb) to service_role;

-- The jsonpaths in submit_offer replace it: they take 10 % of its time.
drop function private.limits_of(jsonb, boolean);

-- The pause after so many tries: 10 seconds, 20, 40 … at most 6 hours.
create function private.retry_pause(attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '10 seconds' * 2 ^ least(attempts - 1, 20), interval '6 hours'); $$;
revoke all on function private.retry_pause(integer) from public, anon, authenticated, service_role;

-- Takes the oldest delivery of one kind to one target that is due: a single message, or the rows of one digest. Returns
-- the messages' ids, or null. Messages created before `after` are left out; the ones to give up become failed.
create function private.take_delivery(kind text, target text, after timestamptz, lease_seconds integer)
returns bigint[]
language plpgsql security definer set search_path = ''
as $$
declare
  first private.messages;
  ids bigint[];
  new_batch uuid;
begin
  loop
    select m.* into first from private.messages m
    where m.kind = take_delivery.kind and m.target = take_delivery.target
      and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
    order by m.due_at, m.id limit 1
    for update skip locked;
    if first.id is null then
      return null;
    end if;
    exit when first.attempts = 0 or first.give_up_at > now();
    update private.messages m
    set failed_at = now(), leased_until = null, reason = coalesce(m.reason, 'The delivery did not end.'),
      reason_at = coalesce(m.reason_at, now())
    where m.id = first.id;
  end loop;

  ids := array[first.id];
  if first.digest then
    new_batch := coalesce(first.batch, gen_random_uuid());
    ids := array(
      select m.id from private.messages m
      where m.kind = take_delivery.kind and m.target = take_delivery.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
        and m.digest and m.batch is not distinct from first.batch
      order by m.due_at, m.id limit case when first.kind = 'overdue' then null else 200 end
      for update skip locked
    );
  end if;
  update private.messages m
  set attempts = m.attempts + 1,
    batch = new_batch,
    leased_until = now() + make_interval(secs => lease_seconds),
    due_at = now() + greatest(make_interval(secs => lease_seconds), private.retry_pause(m.attempts + 1))
  where m.id = any(ids);
  return ids;
end;
$$;
revoke all on function private.take_delivery(text, text, timestamptz, integer)
  from public, anon, authenticated, service_role;

-- One delivery as take_messages returns it.
create function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts, 'offers', (
      select jsonb_agg(to_jsonb(named) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held
        from private.messages d join public.offers o on o.id = d.offer_id
        where d.id = any(ids)
        order by o.created_at, o.id limit 200
      ) as named
    )
  )
  from private.messages m where m.id = ids[1];
$$;
revoke all on function private.describe_delivery(bigint[]) from public, anon, authenticated, service_role;

-- Takes the messages that are due, for `lease_seconds`: at most `max` deliveries and 5 for each kind and target, the
-- targets that wait longest first. A message whose lease ends without mark_messages_sent or mark_messages_failed is
-- taken again, with the pauses of failed ones.
-- Returns [{"ids", "kind", "target", "locale", "batch", "attempts", "offers"}]; `batch` is null for a single message.
-- A digest has at most 200 offers, oldest first. A digest of overdue offers has the ids of all of them and the 200
-- oldest offers.
create function public.take_messages(max integer, lease_seconds integer) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
  place record;
  ids bigint[];
  deliveries jsonb := '[]';
begin
  -- One call at a time, so that the rows of a digest stay together.
  select coalesce(s.paused_before, '-infinity') into after from private.message_state s for update;
  for place in
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
    select t.kind, t.target, oldest.due_at from owner_targets t, lateral (
      select m.due_at from private.messages m
      where m.kind = t.kind and m.target = t.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
      order by m.due_at limit 1
    ) as oldest
    union all
    (select m.kind, m.target, m.due_at from private.messages m
     where m.sent_at is null and m.failed_at is null and m.kind = 'confirmation'
       and m.due_at <= now() and m.created_at >= after
     order by m.due_at, m.id limit greatest(max, 0))
    order by due_at
  loop
    for delivery in 1..5 loop
      exit when jsonb_array_length(deliveries) >= max;
      ids := private.take_delivery(place.kind, place.target, after, lease_seconds);
      exit when ids is null;
      deliveries := deliveries || jsonb_build_array(private.describe_delivery(ids));
    end loop;
  end loop;
  return deliveries;
end;
$$;
revoke all on function public.take_messages(integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.take_messages(integer, integer) to service_role;

create function public.mark_messages_sent(ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  with marked as (
    update private.messages m
    set sent_at = now(), failed_at = null, leased_until = null, reason = null, reason_at = null
    where m.id = any(ids) and m.sent_at is null
    returning m.id
  )
  update private.message_state s set sent = s.sent + (select count(*) from marked), last_sent_at = now()
  where exists (select from marked);
$$;
revoke all on function public.mark_messages_sent(bigint[]) from public, anon, authenticated, service_role;
grant execute on function public.mark_messages_sent(bigint[]) to service_role;

-- Stores why the messages were not sent, and when they are tried again: not at all where `permanent` is true or three
-- days are over.
create function public.mark_messages_failed(ids bigint[], reason text, permanent boolean) returns void
language sql security definer set search_path = ''
as $$
  update private.messages m
  set reason = left(coalesce(mark_messages_failed.reason, ''), 300), reason_at = now(), leased_until = null,
    due_at = now() + private.retry_pause(m.attempts),
    failed_at = case when permanent or m.give_up_at <= now() then now() end
  where m.id = any(ids) and m.sent_at is null and m.failed_at is null;
$$;
revoke all on function public.mark_messages_failed(bigint[], text, boolean)
  from public, anon, authenticated, service_role;
grant execute on function public.mark_messages_failed(bigint[], text, boolean) to service_role;

-- Makes everything that is queued due once more, whatever its age and its lease; digests that were never taken keep
-- their time. For the start, when no delivery is under way.
create function public.make_messages_due() returns void
language sql security definer set search_path = ''
as $$
  update private.messages m
  set due_at = now(), leased_until = null, give_up_at = greatest(m.give_up_at, now() + interval '10 minutes')
  where m.sent_at is null and m.failed_at is null and m.attempts > 0;
$$;
revoke all on function public.make_messages_due() from public, anon, authenticated, service_role;
grant execute on function public.make_messages_due() to service_role;

-- Queues the alarm for pending offers older than 20 hours, once for each target, and returns how many were queued.
-- Offers that no message was queued for when they came (messages were not configured yet) are one digest, due at once.
create function public.queue_overdue(targets text[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  queued integer;
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select 'overdue', late.id, late.target, not late.announced or late.place > 20,
    case when late.announced and late.place > 20 then next_digest else now() end
  from (
    select o.id, o.created_at, o.announced, t.target,
      recent.count + row_number() over (partition by t.target, o.announced order by o.created_at) as place
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
          select n.id from public.offers n
          where n.status = 'pending' and not n.held and n.created_at < now() - interval '20 hours'
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
  return queued;
end;
$$;
revoke all on function public.queue_overdue(text[]) from public, anon, authenticated, service_role;
grant execute on function public.queue_overdue(text[]) to service_role;

-- Stores how many targets are configured, for message_status.
create function public.report_delivery(mail integer, webhooks integer) returns void
language sql security definer set search_path = ''
as $$
  update private.message_state s set mail = report_delivery.mail, webhooks = report_delivery.webhooks
  where (s.mail, s.webhooks) is distinct from (report_delivery.mail, report_delivery.webhooks);
$$;
revoke all on function public.report_delivery(integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.report_delivery(integer, integer) to service_role;

-- Holds back what is older than now. The owner calls it after a restore: what the backup has as queued may have been
-- sent since the backup was made.
create function public.pause_messages() returns void
language sql security definer set search_path = ''
as $$ update private.message_state set paused_before = now(); $$;
revoke all on function public.pause_messages() from public, anon, authenticated, service_role;

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
revoke all on function public.resume_messages() from public, anon, authenticated, service_role;
grant execute on function public.resume_messages() to service_role;

-- How messages stand, for administrators, without any target. `queued` leaves out what is paused; `oldest_queued_at` is
-- the oldest message that is due or was tried, so that a digest's wait for its time does not count.
create function public.message_status() returns jsonb
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
      where m.sent_at is null and m.reason_at is not null and m.failed_at is not null
    ) || jsonb_build_object('last_failure', (
      select jsonb_build_object(
        'reason', m.reason, 'at', m.reason_at,
        'target_kind', case when m.target like 'mailto:%' then 'mail' else 'webhook' end,
        'retry_at', case when m.failed_at is null then m.due_at end)
      from private.messages m
      where m.sent_at is null and m.reason_at is not null
      order by m.reason_at desc limit 1
    ));
end;
$$;
revoke all on function public.message_status() from public, anon, authenticated, service_role;
grant execute on function public.message_status() to authenticated;

-- Makes queued and failed messages due now, for three more days, and returns how many. Leaves out deliveries under way,
-- digests that wait for their time, and what is paused. For administrators.
create function public.retry_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  retried integer;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  update private.messages m
  set due_at = now(), failed_at = null, give_up_at = now() + interval '3 days'
  where m.sent_at is null and (m.leased_until is null or m.leased_until <= now())
    and (m.attempts > 0 or m.due_at <= now())
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s);
  get diagnostics retried = row_count;
  return retried;
end;
$$;
revoke all on function public.retry_messages() from public, anon, authenticated, service_role;
grant execute on function public.retry_messages() to authenticated;

-- As before, and deletes messages 30 days after they were sent. Those of pending offers stay: without them, the alarm
-- and the confirmation would be queued again.
create or replace function public.remove_expired() returns void
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
  delete from private.messages m using public.offers o
  where o.id = m.offer_id and o.status <> 'pending' and m.sent_at < now() - interval '30 days';
end;
$$;

-- As before. The messages of the offers are deleted with them; this deletes any other confirmation to the email too.
create or replace function public.erase_customer(email text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  erased integer;
begin
  perform set_config('private.erasing', 'yes', true);
  delete from public.offers where lower(customer_email) = lower(email);
  get diagnostics erased = row_count;
  delete from private.messages m where m.kind = 'confirmation' and m.target = 'mailto:' || lower(email);
  perform set_config('private.erasing', '', true);
  if erased > 0 then
    insert into private.erasures (offers) values (erased);
  end if;
  return erased;
end;
$$;
