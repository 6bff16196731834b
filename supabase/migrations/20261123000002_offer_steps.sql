-- Limits of offers become steps. Valid work is not rejected because others made many offers: each time that a limit is
-- full once more, the next offer needs twice the work (its step, 0 at first). Past the hardest step an offer is stored
-- as `held`, which the dashboard lists apart; only the number of held offers is limited.
--
-- A step limit looks like any other: {"bucket": text, "key": hexadecimal text, "max": hits, "window": seconds}. With
-- "own": true it counts the sender alone (an address, an email) and not what all senders share (a domain).

-- Whether the offer came when its limits were past the hardest step. submit_offer writes it; nobody changes it.
alter table public.offers add column held boolean not null default false;

-- The step on which the next offer stands, without counting it.
create function private.look_at_steps(steps jsonb) returns integer
language sql stable security definer set search_path = ''
as $$
  select coalesce(max(r.hits / greatest(l.max, 1)), 0)
  from jsonb_to_recordset(steps) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window");
$$;
revoke all on function private.look_at_steps(jsonb) from public, anon, authenticated, service_role;

-- Counts one hit in every limit and returns the step of the offer that is counted. Rows are locked in the order of
-- bucket and key, as private.take does, so that two offers cannot wait for each other.
create function private.count_steps(steps jsonb) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
  counted integer;
  step integer := 0;
begin
  for one in
    select l.bucket, l.key, greatest(l.max, 1) as max, l."window", private.window_start(l."window") as started
    from jsonb_to_recordset(steps) as l (bucket text, key text, max integer, "window" integer)
    order by l.bucket, l.key
  loop
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    values (one.bucket, one.key, one.started, one.started + make_interval(secs => one."window"), 1)
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning hits into counted;
    step := greatest(step, (counted - 1) / one.max);
  end loop;
  return step;
end;
$$;
revoke all on function private.count_steps(jsonb) from public, anon, authenticated, service_role;

-- The limits that count the sender alone, or the others.
create function private.limits_of(limits jsonb, own boolean) returns jsonb
language sql immutable set search_path = ''
as $$
  select coalesce(jsonb_agg(one), '[]'::jsonb)
  from jsonb_array_elements(limits) as one
  where coalesce((one ->> 'own')::boolean, false) = own;
$$;
revoke all on function private.limits_of(jsonb, boolean) from public, anon, authenticated, service_role;

drop function public.announce_offer(text, text, jsonb, jsonb);
drop function public.submit_offer(jsonb, text, text, jsonb);

-- Before the bot check, and without counting anything: what the token's receipt says, the seconds to wait after failed
-- bot checks (`failures`: limits), or the step whose work the offer needs.
-- Returns {"outcome": "repeated", "id"}, {"outcome": "conflict"}, {"outcome": "limited", "wait"} or
-- {"outcome": "new", "step"}.
create function public.announce_offer(
  token_hash text, payload_hash text, steps jsonb, failures jsonb default '[]'
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  earlier jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer;
begin
  if earlier is not null then
    return earlier;
  end if;
  wait := private.look(failures);
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;
  return jsonb_build_object('outcome', 'new', 'step', private.look_at_steps(steps));
end;
$$;
revoke all on function public.announce_offer(text, text, jsonb, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.announce_offer(text, text, jsonb, jsonb) to service_role;

-- After the bot check: stores the offer once, however often the request comes. The receipt is written first, so that a
-- second request with the same token waits for the first one's commit and then finds its outcome.
-- `work` is the step that the token's work was made for, `max_work` the hardest step there is.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, {"outcome": "conflict"}, or, with nothing kept,
-- {"outcome": "harder", "step"} (the step to work for) and {"outcome": "limited", "wait"} (seconds; too many are held).
-- An offer that is held counts in the sender's own `held_limits`. It counts in the others as well (how many are held
-- for its domain) only if a limit that all senders share put it past the hardest step.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id uuid := gen_random_uuid();
  shared_step integer;
  step integer;
  counted_held jsonb;
  wait integer;
begin
  insert into private.offer_receipts (token_hash, payload_hash, offer_id)
  values (submit_offer.token_hash, submit_offer.payload_hash, new_id)
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Every offer locks its sender's rows first, so that two offers cannot wait for each other.
  step := private.count_steps(private.limits_of(steps, true));
  shared_step := private.count_steps(private.limits_of(steps, false));
  step := greatest(step, shared_step);
  if step > work and work < max_work then
    perform private.give_back(steps);
    delete from private.offer_receipts r where r.offer_id = new_id;
    return jsonb_build_object('outcome', 'harder', 'step', least(step, max_work));
  end if;
  if step > max_work then
    counted_held := case when shared_step > max_work then held_limits else private.limits_of(held_limits, true) end;
    wait := private.take(counted_held);
    if wait > 0 then
      perform private.give_back(counted_held);
      perform private.give_back(steps);
      delete from private.offer_receipts r where r.offer_id = new_id;
      return jsonb_build_object('outcome', 'limited', 'wait', wait);
    end if;
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

-- True the first time within so many seconds, false afterwards: for sign-in proofs, which are good for one sign-in.
create function public.use_once(key_hash text, seconds integer) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
  values ('used', use_once.key_hash, 'epoch', now() + make_interval(secs => seconds), 1)
  on conflict on constraint rate_limits_pkey do update set window_end = excluded.window_end
    where r.window_end <= now();
  return found;
end;
$$;
revoke all on function public.use_once(text, integer) from public, anon, authenticated, service_role;
grant execute on function public.use_once(text, integer) to service_role;
