-- Limits of offers become steps. Valid work is not rejected because others made many offers: each time that a limit is
-- full again, the next offer needs twice the work. Its step is how often the limit has been full, 0 at first. Beyond
-- the hardest step an offer is stored as `held`, which the dashboard lists apart; only the number of held offers is
-- limited.
--
-- A limit is {"bucket": text, "key": hexadecimal text, "max": hits, "window": seconds, "own": boolean}. "own": true
-- marks a limit that counts one sender (an IP, an email); others count all senders (a domain). A limit of held offers
-- may have "after": a limit of max 1. It then counts only the offers that come after that limit is full, so that the
-- first held offer of each network does not count in it.

-- Whether the offer's limits were beyond the hardest step. submit_offer writes it, and it never changes.
alter table public.offers add column held boolean not null default false;

-- Counts one hit in every limit and returns the counted rows. Counts beyond `max` too, so that give_back can take back
-- exactly what was counted. The upsert is atomic: of two concurrent requests exactly one gets the last free hit. Rows
-- are locked in the order of bucket and key, so that two transactions cannot deadlock. No two limits may have the same
-- bucket and key.
create function private.count_hits(limits jsonb) returns setof private.rate_limits
language plpgsql security definer set search_path = ''
as $$
begin
  return query
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    select l.bucket, l.key, w.started, w.started + make_interval(secs => l."window"), 1
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer),
      private.window_start(l."window") as w (started)
    order by l.bucket, l.key
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning r.*;
end;
$$;
revoke all on function private.count_hits(jsonb) from public, anon, authenticated, service_role;

-- Counts one hit in every limit and returns the seconds to wait, 0 unless a limit is exceeded. One call in a hundred
-- deletes expired rows.
create or replace function private.take(limits jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
begin
  if random() < 0.01 then
    delete from private.rate_limits where (bucket, key_hash, window_start) in (
      select bucket, key_hash, window_start from private.rate_limits
      where window_end < now() limit 1000 for update skip locked
    );
  end if;
  return (
    select coalesce(max(private.seconds_left(r.window_start, l."window")), 0)
    from private.count_hits(limits) as r
    join jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
      on l.bucket = r.bucket and l.key = r.key_hash
    where r.hits > l.max
  );
end;
$$;
revoke all on function private.take(jsonb) from public, anon, authenticated, service_role;

-- Counts one hit in every limit and returns the step of the offer that was counted.
create function private.count_steps(steps jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
begin
  return (
    select coalesce(max((r.hits - 1) / greatest(l.max, 1)), 0)
    from private.count_hits(steps) as r
    join jsonb_to_recordset(steps) as l (bucket text, key text, max integer)
      on l.bucket = r.bucket and l.key = r.key_hash
  );
end;
$$;
revoke all on function private.count_steps(jsonb) from public, anon, authenticated, service_role;

-- Returns the step of the next offer, without counting it.
create function private.look_at_steps(steps jsonb) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(max(r.hits / greatest(l.max, 1)), 0)
  from jsonb_to_recordset(steps) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window");
$$;
revoke all on function private.look_at_steps(jsonb) from public, anon, authenticated, service_role;

-- Returns the limits that count one sender, or those that count all senders.
create function private.limits_of(limits jsonb, own boolean) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(one), '[]'::jsonb)
  from jsonb_array_elements(limits) as one
  where coalesce((one ->> 'own')::boolean, false) = own;
$$;
revoke all on function private.limits_of(jsonb, boolean) from public, anon, authenticated, service_role;

-- Returns the seconds until the limits put no offer beyond the step `max_work`, 0 if they do not.
create function private.wait_for_step(steps jsonb, max_work integer) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(max(private.seconds_left(r.window_start, l."window")), 0)
  from jsonb_to_recordset(steps) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits / greatest(l.max, 1) > wait_for_step.max_work;
$$;
revoke all on function private.wait_for_step(jsonb, integer) from public, anon, authenticated, service_role;

-- Returns the limits in "after" of `held_limits`.
create function private.limits_before(held_limits jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(one -> 'after'), '[]'::jsonb)
  from jsonb_array_elements(held_limits) as one
  where one ? 'after';
$$;
revoke all on function private.limits_before(jsonb) from public, anon, authenticated, service_role;

-- Returns `held_limits` without those with "after" if the limits in "after" are not full.
create function private.limits_after(held_limits jsonb, is_full boolean) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(one), '[]'::jsonb)
  from jsonb_array_elements(held_limits) as one
  where is_full or not one ? 'after';
$$;
revoke all on function private.limits_after(jsonb, boolean) from public, anon, authenticated, service_role;

-- Returns the limits that count a held offer: those of its sender, and the others only if a limit that counts all
-- senders put it beyond the hardest step.
create function private.held_limits_of(held_limits jsonb, is_shared boolean) returns jsonb
language sql immutable set search_path = ''
as $$
  select case when is_shared then held_limits else jsonb_path_query_array(held_limits, '$[*] ? (@.own == true)') end;
$$;
revoke all on function private.held_limits_of(jsonb, boolean) from public, anon, authenticated, service_role;

-- Counts a held offer and returns the seconds to wait, 0 if it may be stored; otherwise nothing is counted. The limits
-- in "after" are counted first: their rows are locked before all others, so that two offers cannot deadlock.
create function private.take_held(held_limits jsonb, is_shared boolean) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  counted jsonb := private.held_limits_of(held_limits, is_shared);
  before jsonb := private.limits_before(counted);
  wait integer;
begin
  counted := private.limits_after(counted, private.take(before) > 0);
  wait := private.take(counted);
  if wait > 0 then
    perform private.give_back(counted);
    perform private.give_back(before);
  end if;
  return wait;
end;
$$;
revoke all on function private.take_held(jsonb, boolean) from public, anon, authenticated, service_role;

-- Returns the seconds to wait as take_held does, without counting.
create function private.look_at_held(held_limits jsonb, is_shared boolean) returns integer
language plpgsql stable security definer set search_path = ''
as $$
declare
  counted jsonb := private.held_limits_of(held_limits, is_shared);
begin
  return private.look(private.limits_after(counted, private.look(private.limits_before(counted)) > 0));
end;
$$;
revoke all on function private.look_at_held(jsonb, boolean) from public, anon, authenticated, service_role;

drop function public.announce_offer(text, text, jsonb, jsonb);
drop function public.submit_offer(jsonb, text, text, jsonb);

-- Runs before the bot check and writes nothing. `failures` are the limits of failed bot checks; `max_work` and
-- `held_limits` are those of submit_offer.
-- Returns {"outcome": "repeated", "id"} or {"outcome": "conflict"} if the token has a receipt, {"outcome": "limited",
-- "wait"} (seconds) after too many failed checks or while submit_offer would return it, otherwise {"outcome": "new",
-- "step"}: the step whose work is needed.
create function public.announce_offer(
  token_hash text, payload_hash text, steps jsonb, failures jsonb default '[]', max_work integer default 0,
  held_limits jsonb default '[]'
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  earlier jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer;
  step integer;
  shared_step integer;
begin
  if earlier is not null then
    return earlier;
  end if;
  wait := private.look(failures);
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;
  step := private.look_at_steps(steps);
  if step > max_work then
    shared_step := private.look_at_steps(jsonb_path_query_array(steps, '$[*] ? (!(@.own == true))'));
    if private.look_at_held(held_limits, shared_step > max_work) > 0 then
      return jsonb_build_object('outcome', 'limited', 'wait', private.wait_for_step(steps, max_work));
    end if;
  end if;
  return jsonb_build_object('outcome', 'new', 'step', step);
end;
$$;
revoke all on function public.announce_offer(text, text, jsonb, jsonb, integer, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.announce_offer(text, text, jsonb, jsonb, integer, jsonb) to service_role;

-- Runs after the bot check and stores the offer once, however often the request comes. The receipt is written first,
-- so that a second request with the same token waits for the first one's commit and then finds its outcome.
-- `work` is the step that the token's work was made for, `max_work` the hardest step.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, {"outcome": "conflict"}, or, with nothing stored
-- or counted, {"outcome": "harder", "step"} (the step to work for) and {"outcome": "limited", "wait"} (too many offers
-- are held; seconds until an offer is not held).
-- `held_limits` are counted by private.take_held.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id uuid := gen_random_uuid();
  shared_step integer;
  step integer;
begin
  insert into private.offer_receipts (token_hash, payload_hash, offer_id)
  values (submit_offer.token_hash, submit_offer.payload_hash, new_id)
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Every offer locks its sender's rows first, so that two offers cannot deadlock.
  step := private.count_steps(private.limits_of(steps, true));
  shared_step := private.count_steps(private.limits_of(steps, false));
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
  return jsonb_build_object('outcome', 'stored', 'id', new_id);
end;
$$;
revoke all on function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb) to service_role;

-- Counts a failed bot check and returns the seconds to wait: 0 while the limits allow more.
create function public.count_failed_check(limits jsonb) returns integer
language sql security definer set search_path = ''
as $$ select private.take(limits); $$;
revoke all on function public.count_failed_check(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.count_failed_check(jsonb) to service_role;
