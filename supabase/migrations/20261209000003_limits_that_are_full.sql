-- A limited request learns which limits are full, and for how long each is, so that the edge functions can reject further
-- requests of an IP, a network or an account without a call. "full" replaces "sender" of submit_offer and begin_bot_check, is
-- new in begin_sign_in, and is an object in negotiate_as_buyer.

create or replace function private.full_limits(limits jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_object_agg(l ->> 'bucket', w.wait)
  from jsonb_array_elements(limits) as l, private.seconds_until_free(jsonb_build_array(l)) as w (wait)
  where w.wait > 0;
$$;

create or replace function public.begin_sign_in(limits jsonb) returns jsonb
language sql security definer set search_path = ''
as $$
  select jsonb_build_object(
    'wait', private.count_hits_unless_full(limits), 'counted_at', now(), 'full', private.full_limits(limits)
  );
$$;
grant execute on function public.begin_sign_in(jsonb) to service_role;

create or replace function public.begin_bot_check(token_hash text, payload_hash text, sender jsonb, checks jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  earlier constant jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer := private.seconds_until_free(sender);
begin
  if earlier is not null and wait = 0 then
    wait := private.count_hits(sender);
  end if;
  wait := greatest(wait, private.seconds_until_free(checks));
  if wait = 0 and earlier is null then
    wait := private.count_hits(checks);
  end if;
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', private.full_limits(sender || checks));
  end if;
  return coalesce(earlier, '{"outcome": "new"}');
end;
$$;
grant execute on function public.begin_bot_check(text, text, jsonb, jsonb) to service_role;

create or replace function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb default '[]', expired boolean default false,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := gen_random_uuid();
  listed private.listings;
  low boolean;
  wait integer := private.count_hits_unless_full(limits -> 'sender');
  held boolean;
begin
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', private.full_limits(limits -> 'sender'));
  end if;

  select l.* into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed.state is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.idempotency_keys k where k.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed.state);
  end if;
  if expired then
    return coalesce(private.earlier_offer(token_hash, payload_hash), '{"outcome": "expired"}');
  end if;

  insert into private.idempotency_keys (token_hash, payload_hash, offer_id, language)
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

  select c.held, c.wait into held, wait from private.count_offer(limits) as c;
  if wait > 0 then
    delete from private.idempotency_keys k where k.offer_id = new_id;
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;
  perform public.release_hits(checks);
  low := private.is_low(offer -> 'price', listed);
  perform private.store_offer(new_id, offer, held, low, messages);
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;

create or replace function public.negotiate_as_buyer(
  token_hash text, limits jsonb, move jsonb default null, targets text[] default '{}', mail boolean default false,
  mail_limits jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  link private.offer_links;
  outcome text := 'read';
  wait integer;
begin
  select l.* into link from private.offer_links l where l.token_hash = negotiate_as_buyer.token_hash;
  if move is not null and link.token_hash is not null then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = link.offer_id));
  end if;
  if link.token_hash is null or not private.is_link_good(link) then
    wait := private.count_hits_unless_full(limits);
    return case when wait > 0
      then jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', private.full_limits(limits))
      else '{"outcome": "invalid"}'
    end;
  end if;
  if move is not null then
    outcome := private.make_move(link.offer_id, 'buyer', move, mail, targets, mail_limits);
  end if;
  -- Checked again: make_move may have waited for a publication, or for an erasure.
  if not private.is_link_good(link) then
    return '{"outcome": "invalid"}';
  end if;
  return jsonb_build_object('outcome', outcome, 'state', private.negotiation(link.offer_id, 'buyer'));
end;
$$;
grant execute on function public.negotiate_as_buyer(text, jsonb, jsonb, text[], boolean, jsonb) to service_role;
