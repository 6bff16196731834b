-- submit_offer alone decides about an offer: for a proof of work it is the only call. Before, announce_offer looked ahead
-- for each, which doubled the work of the database. It runs one statement for each table: functions that store_offer
-- called took 30 % of its time.
--
-- Offers count one after the other: each counts in the row of `submit.everybody`, and holds it until its commit. Others
-- that waited for it inside "insert … on conflict" would all be woken by each commit, and one would go on: with 32
-- connections an offer took 1.4 to 2.3 times the processor time. A lock has a queue, and wakes the first.

-- Runs after the bot check and stores the offer once, however often the request comes. The receipt is written first,
-- so that a second request with the same token waits for the first one's commit and then finds its outcome.
-- `work` is the step that the token's work was made for, `max_work` the hardest step.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, {"outcome": "conflict"}, or, with nothing stored
-- or counted, {"outcome": "harder", "step"} (the step to work for), {"outcome": "limited", "wait"} (too many offers are
-- held; seconds until an offer is not held), and {"outcome": "not_for_sale", "state"} (null for a name that is not in
-- the catalogue).
-- The row lock of the listing makes a publication wait for offers in flight, so that none is stored once it has been
-- acknowledged. An offer that is already stored passes, so that its repetition gets the same outcome. Before the first
-- publication every name passes: functions of versions without published listings have a list of their own.
-- `held_limits` are counted by private.take_held.
-- `messages` are queued with the offer: see private.queue_messages.
create or replace function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := gen_random_uuid();
  listed text;
  step integer;
  shared_step integer;
begin
  select l.state into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.offer_receipts r where r.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed);
  end if;

  insert into private.offer_receipts (token_hash, payload_hash, offer_id)
  values (token_hash, payload_hash, new_id)
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Held until the commit. Before it, two offers can want the same listing or receipt alone, so that none of the locks
  -- that follow can be part of a deadlock.
  perform pg_advisory_xact_lock(hashtext('private.rate_limits'));

  -- Counts as private.count_hits does. Every offer locks its sender's rows first, then by bucket and key, so that two
  -- offers cannot deadlock.
  with counted as (
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    select l.bucket, l.key, w.started, w.started + make_interval(secs => l."window"), 1
    from jsonb_to_recordset(steps) as l (bucket text, key text, "window" integer, own boolean),
      -- private.window_start.
      lateral (select to_timestamp(floor(extract(epoch from now()) / l."window") * l."window")) as w (started)
    order by l.own is not true, l.bucket, l.key
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning r.bucket, r.key_hash, r.hits
  ), of_limits as (
    select (c.hits - 1) / greatest(l.max, 1) as of_limit, l.own
    from counted as c
    join jsonb_to_recordset(steps) as l (bucket text, key text, max integer, own boolean)
      on l.bucket = c.bucket and l.key = c.key_hash
  )
  select coalesce(max(of_limit), 0), coalesce(max(of_limit) filter (where own is not true), 0)
  into step, shared_step
  from of_limits;

  if step > work and work < max_work then
    perform private.give_back(steps);
    delete from private.offer_receipts r where r.offer_id = new_id;
    -- The hardest work would be of no use.
    if step > max_work and private.look_at_held(held_limits, shared_step > max_work) > 0 then
      return jsonb_build_object('outcome', 'limited', 'wait', private.wait_for_step(steps, max_work));
    end if;
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
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (new_id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(new_id, step > max_work, messages);
  end if;
  return jsonb_build_object('outcome', 'stored', 'id', new_id);
end;
$$;

drop function private.store_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb);
