-- Limits. SECURITY.md says against whom each of them holds. A sender meets its own limits first and is rejected; what many
-- senders use up together only makes offers held, so that an attacker cannot keep other people's offers away.
--
-- A limit is {"bucket": text, "key": hexadecimal text, "max": hits, "window": seconds}. A list of limits is counted in the
-- order of bucket and key. No two limits of a list have the same bucket and key.

drop function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb);
drop function public.announce_offer(text, text, jsonb, jsonb, integer, jsonb);
drop function public.count_failed_check(jsonb);
drop function public.begin_sign_in(jsonb, jsonb, jsonb, jsonb);
drop function public.begin_sign_in_by_proof(text, integer, jsonb, integer, integer);
drop function public.forgive_sign_in(jsonb, jsonb, jsonb);
drop function public.use_once(text, integer);
drop function private.is_used(text);
drop function private.take_held(jsonb, boolean);
drop function private.look_at_held(jsonb, boolean);
drop function private.held_limits_of(jsonb, boolean);
drop function private.limits_before(jsonb);
drop function private.limits_after(jsonb, boolean);
drop function private.count_steps(jsonb);
drop function private.look_at_steps(jsonb);
drop function private.wait_for_step(jsonb, integer);
drop function private.give_back(jsonb);
drop function private.take(jsonb);
drop function private.count_hits(jsonb);
drop function private.look(jsonb);
drop function private.seconds_left(timestamptz, integer);
drop function private.window_start(integer);
delete from private.rate_limits;

-- Returns the start of the window of a moment. Windows are aligned to the epoch.
create function private.window_start(seconds integer, at timestamptz default now()) returns timestamptz
language sql stable set search_path = ''
as $$ select to_timestamp(floor(extract(epoch from at) / seconds) * seconds); $$;
revoke all on function private.window_start(integer, timestamptz) from public, anon, authenticated, service_role;

-- Returns the seconds to wait, 0 unless a limit is full. Counts nothing.
create function private.look(limits jsonb) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(max(greatest(1, ceil(extract(epoch from r.window_end - now()))::integer)), 0)
  from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits >= l.max;
$$;
revoke all on function private.look(jsonb) from public, anon, authenticated, service_role;

-- Counts one hit in every limit and returns the seconds to wait, 0 unless a limit is exceeded. Counts beyond `max` too,
-- so that take_back subtracts exactly what was counted. The upsert is atomic: of two concurrent requests exactly one
-- gets the last free hit. One call in a hundred deletes expired rows.
create function private.take(limits jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer;
begin
  if random() < 0.01 then
    delete from private.rate_limits where (bucket, key_hash, window_start) in (
      select bucket, key_hash, window_start from private.rate_limits
      where window_end < now() limit 1000 for update skip locked
    );
  end if;
  with counted as (
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    select l.bucket, l.key, w.started, w.started + make_interval(secs => l."window"), 1
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer),
      private.window_start(l."window") as w (started)
    order by l.bucket, l.key
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning r.*
  )
  select coalesce(max(greatest(1, ceil(extract(epoch from c.window_end - now()))::integer)), 0) into wait
  from counted c
  join jsonb_to_recordset(limits) as l (bucket text, key text, max integer)
    on l.bucket = c.bucket and l.key = c.key_hash
  where c.hits > l.max;
  return wait;
end;
$$;
revoke all on function private.take(jsonb) from public, anon, authenticated, service_role;

-- Subtracts the hit that was counted at a moment from every limit. Rows are locked in the order of bucket and key.
create function private.take_back(limits jsonb, counted_at timestamptz default now()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
begin
  for one in
    select l.bucket, l.key, private.window_start(l."window", counted_at) as started
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer)
    order by l.bucket, l.key
  loop
    update private.rate_limits r set hits = greatest(r.hits - 1, 0)
    where r.bucket = one.bucket and r.key_hash = one.key and r.window_start = one.started;
  end loop;
end;
$$;
revoke all on function private.take_back(jsonb, timestamptz) from public, anon, authenticated, service_role;

-- Counts an attempt to sign in, before it is queued. Writes nothing while a limit is full: otherwise each rejected attempt
-- would add rows for the email in it. Returns {"wait": seconds, "counted_at": time, for take_back_hits}.
create function public.begin_sign_in(limits jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  wait integer := private.look(limits);
begin
  if wait = 0 then
    wait := private.take(limits);
  end if;
  return jsonb_build_object('wait', wait, 'counted_at', now());
end;
$$;
revoke all on function public.begin_sign_in(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.begin_sign_in(jsonb) to service_role;

-- Subtracts a hit again: of a completed sign-in, or of a bot check that could not be made.
create function public.take_back_hits(limits jsonb, counted_at timestamptz default now()) returns void
language sql security definer set search_path = ''
as $$ select private.take_back(limits, counted_at); $$;
revoke all on function public.take_back_hits(jsonb, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.take_back_hits(jsonb, timestamptz) to service_role;

-- Runs before a bot check that takes a request to a third party. Counts it in `checks`, which submit_offer takes back
-- after a check that was passed. Returns {"outcome": "new"}, or what submit_offer returns for a token that was used or a
-- limit that is full.
create function public.begin_bot_check(token_hash text, payload_hash text, sender jsonb, checks jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  earlier jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer := private.look(sender);
begin
  if earlier is not null and wait = 0 then
    wait := private.take(sender);
  end if;
  wait := greatest(wait, private.look(checks));
  if wait = 0 and earlier is null then
    wait := private.take(checks);
  end if;
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', true);
  end if;
  return coalesce(earlier, '{"outcome": "new"}');
end;
$$;
revoke all on function public.begin_bot_check(text, text, jsonb, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.begin_bot_check(text, text, jsonb, jsonb) to service_role;

-- Runs after the bot check and stores the offer once, however often the request comes. The receipt is written before the
-- offer, so that a second request with the same token waits for the first one's commit and then finds its outcome.
-- `limits` are those of order-submit/limits.ts, `checks` those of begin_bot_check. With `expired` the token is too old for
-- a new offer, and only finds one that it stored before.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, {"outcome": "conflict"}, {"outcome": "expired"},
-- {"outcome": "limited", "wait", "sender": whether each offer of the sender is rejected until then}, and {"outcome":
-- "not_for_sale", "state"} (null for a name that is not in the catalogue).
-- The row lock of the listing makes a publication wait for offers in flight, so that none is stored once it has been
-- acknowledged. An offer that is already stored passes, so that its repetition gets the same outcome. Before the first
-- publication every name passes: functions of versions without published listings have a list of their own.
-- `messages` are queued with the offer: see private.queue_messages. The receipt has the language of the page: "locale" of
-- the offer, else the catalogue's first language.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb default '[]', expired boolean default false,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := gen_random_uuid();
  listed text;
  wait integer := private.look(limits -> 'sender');
  held boolean;
  held_limits jsonb;
begin
  if wait = 0 then
    wait := private.take(limits -> 'sender');
  end if;
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', true);
  end if;

  select l.state into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.offer_receipts r where r.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed);
  end if;
  if expired then
    return coalesce(private.earlier_offer(token_hash, payload_hash), '{"outcome": "expired"}');
  end if;

  insert into private.offer_receipts (token_hash, payload_hash, offer_id, language)
  values (token_hash, payload_hash, new_id, coalesce(
    offer ->> 'locale', (select c.language from private.published_catalogue c)
  ))
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Held until the commit, because every offer counts in the row of `submit.all`. Others that waited for it inside "insert
  -- … on conflict" would all be woken by each commit, and one would go on: with 32 connections an offer took 1.4 to 2.3
  -- times the processor time. A lock has a queue, and wakes the first. What an offer waits for before it, no other offer
  -- holds while it waits for the lock with anything that this one has: none can be part of a deadlock.
  perform pg_advisory_xact_lock(hashtext('private.rate_limits'));

  held := private.take(limits -> 'sender_and_domain') > 0;
  if not held then
    held := private.take(limits -> 'shared') > 0;
  end if;
  if held then
    held_limits := limits -> 'held';
    -- Not the first of this network for this domain.
    if private.take(limits -> 'held_first') > 0 then
      held_limits := held_limits || (limits -> 'held_again');
    end if;
    wait := private.take(held_limits);
    if wait > 0 then
      perform private.take_back(held_limits);
      perform private.take_back(limits -> 'held_first');
      delete from private.offer_receipts r where r.offer_id = new_id;
      return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', false);
    end if;
  end if;
  perform private.take_back(checks);

  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, held)
  values (new_id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email', held);
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (new_id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(new_id, held, messages);
  end if;
  return jsonb_build_object('outcome', 'stored', 'id', new_id);
end;
$$;
revoke all on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;
