-- A server that takes no message (a rejected login, a webhook that is gone) makes what is queued for it wait, instead of failing
-- each message for good: private.failing_servers, with begin_delivery, mark_recovery_reported, and parameters more for
-- mark_messages_failed and report_delivery. Queued messages stay queued and none of them is being tried; what failed for good
-- before stays so until Retry. No server fails at first, and the hashes of its settings are not known yet.

alter table private.messages add column is_trying boolean not null default false;
alter table private.message_state add column servers jsonb not null default '{}';

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

drop function public.mark_messages_failed(ids bigint[], reason text, permanent boolean, address_rejected boolean);

drop function public.report_delivery(mail integer, webhooks integer);

create or replace function private.server_of(target text) returns text
language sql immutable set search_path = ''
as $$ select case when target like 'mailto:%' then 'mailto:' else target end; $$;

create or replace function private.is_waiting(target text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.failing_servers f
    where f.server = private.server_of(is_waiting.target) and f.next_try_at is not null
  );
$$;

create or replace function private.lease(ids bigint[], batch uuid, lease_seconds integer) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set batch = lease.batch, is_trying = false,
    leased_until = now() + make_interval(secs => lease_seconds),
    due_at = now() + make_interval(secs => lease_seconds)
  where m.id = any(ids) and m.failed_at is null;
$$;

create or replace function public.begin_delivery(ids bigint[]) returns boolean
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

create or replace function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts + 1, 'offers', (
      select jsonb_agg(jsonb_strip_nulls(to_jsonb(named)) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held,
          case when m.kind = 'confirmation' and o.low then true end as low, t.message,
          l.price as asking_price, private.offer_language(o.id) as language,
          (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) as move,
          case when m.kind <> 'reply' then (
            select v.amount from private.offer_moves v
            where v.offer_id = o.id and v.number <= m.move_number and v.amount is not null order by v.number desc limit 1
          ) end as current_amount,
          case when m.kind = 'reply' then private.newest_link(o.id) end as link
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

create or replace function private.lock_messages() returns void
language sql set search_path = ''
as $$ select from private.message_state for update; $$;

create or replace function private.make_due(server text) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set due_at = now(), give_up_at = greatest(m.give_up_at, now() + interval '3 days')
  where m.sent_at is null and m.failed_at is null and m.leased_until is null and m.attempts > 0
    and private.server_of(m.target) = make_due.server;
$$;

create or replace function private.end_failures(sent bigint[]) returns void
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

create or replace function private.is_reported(lasting boolean, since timestamptz) returns boolean
language sql stable set search_path = ''
as $$ select lasting or since < now() - interval '10 minutes'; $$;

create or replace function private.count_waiting(server text) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from private.messages m
  where m.sent_at is null and m.failed_at is null and (m.attempts > 0 or m.due_at <= now() or m.leased_until is not null)
    and private.server_of(m.target) = count_waiting.server;
$$;

create or replace function private.reported_failures() returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'problem', f.problem, 'waiting', private.count_waiting(f.server), 'next_try_at', f.next_try_at) order by f.since), '[]')
  from private.failing_servers f
  where f.recovered_at is null and private.is_reported(f.lasting, f.since);
$$;

create or replace function public.mark_messages_sent(ids bigint[]) returns void
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

create or replace function private.note_failure(ids bigint[], server text, failure jsonb) returns boolean
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

create or replace function public.mark_messages_failed(
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

  for waiting in
    select f.server, oldest.kind, oldest.target from private.failing_servers f, lateral (
      select m.kind, m.target from private.messages m
      where m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
        and private.server_of(m.target) = f.server
      order by m.kind in ('confirmation', 'reply'), m.due_at, m.id limit 1
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

create or replace function public.make_messages_due() returns void
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

create or replace function public.report_delivery(mail integer, webhooks integer, servers jsonb default '{}') returns jsonb
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

create or replace function private.replace_webhook(former text, added text[]) returns void
language sql set search_path = ''
as $$
  update private.messages m set target = added[1], due_at = now(), give_up_at = greatest(m.give_up_at, now() + interval '3 days')
  where cardinality(added) = 1 and m.target = former and former <> 'mailto:' and m.sent_at is null and m.failed_at is null
    and not exists (
      select from private.messages o
      where o.offer_id = m.offer_id and o.kind = m.kind and o.target = added[1] and o.move_number = m.move_number
    );
$$;

create or replace function public.mark_recovery_reported(server text) returns void
language sql security definer set search_path = ''
as $$
  delete from private.failing_servers f where f.server = mark_recovery_reported.server and f.recovered_at is not null;
$$;
grant execute on function public.mark_recovery_reported(text) to service_role;

create or replace function public.read_message_state() returns jsonb
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

create or replace function public.message_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  state private.message_state;
  after timestamptz;
begin
  perform private.require_admin();
  select s.* into state from private.message_state s;
  after := coalesce(state.paused_before, '-infinity');
  return jsonb_build_object('mail', state.mail, 'webhooks', state.webhooks,
    'sent', state.sent, 'last_sent_at', state.last_sent_at) || (
      select jsonb_build_object(
        'queued', count(*) filter (where m.created_at >= after and (m.attempts > 0 or m.due_at <= now())),
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
        'retry_at', greatest(m.due_at, f.next_try_at))
      from private.messages m
      left join private.failing_servers f on f.server = private.server_of(m.target)
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is null
      order by m.reason_at desc limit 1
    ), 'problems', private.reported_failures(), 'failures', (
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
grant execute on function public.message_status() to authenticated;

create or replace function public.retry_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  retried integer;
begin
  perform private.require_admin();
  perform private.lock_messages();
  update private.failing_servers f set next_try_at = null;
  update private.messages m
  set due_at = now(), failed_at = null, is_trying = false, give_up_at = now() + interval '3 days', reason = null, reason_at = null
  where m.sent_at is null and m.dismissed_at is null and not m.address_rejected
    and (m.leased_until is null or m.leased_until <= now())
    and (m.attempts > 0 or m.due_at <= now())
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s);
  get diagnostics retried = row_count;
  return retried;
end;
$$;
grant execute on function public.retry_messages() to authenticated;
