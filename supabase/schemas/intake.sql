-- Storing offers. A row of private.idempotency_keys maps the hash of a bot check's token to the offer that was stored for
-- it, so that a repeated request gets the first outcome and a token is good for one offer. submit_offer writes rows; it and
-- begin_bot_check read them. Both functions are for order-submit alone, with the service role; the table is closed.

create table private.idempotency_keys (
  token_hash text primary key,
  -- Hash of the offer's texts: distinguishes a repeated request from another offer with a used token.
  payload_hash text not null,
  offer_id uuid not null references public.offers (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now(),
  -- Language of the page that the offer was made on, as a BCP 47 code, for the mail to the owner; null where it is not known.
  -- Here, so that the columns of offers stay as they are.
  language text check (char_length(language) <= 40)
);
create index idempotency_keys_by_offer on private.idempotency_keys (offer_id);
alter table private.idempotency_keys enable row level security;

-- The language of the page that an offer was made on; null where it is not known.
create function private.offer_language(offer_id uuid) returns text
language sql stable set search_path = ''
as $$ select k.language from private.idempotency_keys k where k.offer_id = offer_language.offer_id limit 1; $$;

-- What the outcome of a stored or repeated offer has besides its id: {"low": true} of a low one.
create function private.low_mark(low boolean) returns jsonb
language sql immutable set search_path = ''
as $$ select case when low then jsonb_build_object('low', true) else '{}' end; $$;

-- Returns the outcome for a token that was used: {"outcome": "repeated", "id": …}, with {"low": true} of a low offer, or
-- {"outcome": "conflict"}; null for any other.
create function private.earlier_offer(token_hash text, payload_hash text) returns jsonb
language sql stable set search_path = ''
as $$
  select case when k.payload_hash = earlier_offer.payload_hash
    then jsonb_build_object('outcome', 'repeated', 'id', k.offer_id) || private.low_mark(o.low)
    else jsonb_build_object('outcome', 'conflict')
  end
  from private.idempotency_keys k join public.offers o on o.id = k.offer_id
  where k.token_hash = earlier_offer.token_hash;
$$;

-- Runs before a bot check that takes a request to a third party. Counts it in `checks`, which submit_offer releases after a
-- check that was passed. Returns {"outcome": "new"}, or what submit_offer returns for a token that was used or a limit that
-- is full.
create function public.begin_bot_check(token_hash text, payload_hash text, sender jsonb, checks jsonb) returns jsonb
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

-- What order-submit or negotiation read in a text, {"amount", "currency"}, without the currency of a number alone: with that of
-- the listing's price. Null where there is none, or no amount.
create function private.with_currency(price jsonb, listed private.listings) returns jsonb
language sql immutable set search_path = ''
as $$
  select price || jsonb_build_object('currency', c.code)
  from (select coalesce(price ->> 'currency', listed.currency) as code) as c
  where c.code is not null;
$$;

-- Whether an amount is below the listing's minimum. False where there is no minimum, or the amount could not be read, or is in
-- another currency.
create function private.is_low(price jsonb, listed private.listings) returns boolean
language sql immutable set search_path = ''
as $$
  select (price ->> 'currency' = listed.minimum_currency and (price ->> 'amount')::numeric < listed.minimum) is true;
$$;

-- Counts an offer in the limits that senders share. Returns whether it is held, and the seconds to wait, 0 unless a limit of
-- held offers is full: then it is rejected, and counts in no limit of held offers.
create function private.count_offer(limits jsonb, out held boolean, out wait integer)
language plpgsql set search_path = ''
as $$
declare
  held_limits jsonb := limits -> 'held';
begin
  wait := 0;
  held := private.count_hits(limits -> 'sender_and_domain') > 0;
  if not held then
    held := private.count_hits(limits -> 'shared') > 0;
  end if;
  if not held then
    return;
  end if;
  -- Not the first of this network for this domain.
  if private.count_hits(limits -> 'held_first') > 0 then
    held_limits := held_limits || (limits -> 'held_again');
  end if;
  wait := private.count_hits(held_limits);
  if wait > 0 then
    perform public.release_hits(held_limits);
    perform public.release_hits(limits -> 'held_first');
  end if;
end;
$$;

-- Stores an offer with its message, queues the messages about it, and counts it for its name. Of a low offer that is not held, the owner's has the kind
-- low, and is in a digest at the next midnight in UTC: a kind of its own, so that low offers neither mix with other digests nor
-- count among the messages after which others become digests.
create function private.store_offer(id uuid, offer jsonb, held boolean, low boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.offers
  select stored.* from jsonb_populate_record(null::public.offers, private.offer_texts(offer) || jsonb_build_object(
    'id', id, 'created_at', now(), 'status', 'pending', 'held', held, 'low', low,
    'value', offer #> '{price,amount}', 'currency', coalesce(offer #>> '{price,currency}', '')
  )) as stored;
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(id, held, messages);
  end if;
  if low and not held then
    update private.messages m
    set kind = 'low', digest = true, due_at = date_bin('1 day', now(), 'epoch') + interval '1 day'
    where m.offer_id = store_offer.id and m.kind = 'offer';
  end if;
  if not held then
    perform private.count_offers_of(offer ->> 'domain_name', (now() at time zone 'UTC')::date, 1, 0);
  end if;
end;
$$;

-- Runs after the bot check and stores the offer once, however often the request comes. The idempotency key is written before
-- the offer, so that a second request with the same token waits for the first one's commit and then finds its outcome.
-- `limits` are those of order-submit/limits.ts, `checks` those of begin_bot_check. With `expired` the token is too old for
-- a new offer, and only finds one that it stored before. "price" of the offer is that of private.with_currency, absent where
-- order-submit could not read its amount. It is stored, and compared with the listing's minimum decides whether the offer is low.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, both with {"low": true} of a low offer, {"outcome":
-- "conflict"}, {"outcome": "expired"}, {"outcome": "limited", "wait", "full": full_limits of the sender, whose every offer is
-- rejected until then; absent where too many are held}, and {"outcome": "not_for_sale", "state"} (null for a name that is not in
-- the catalogue).
-- The row lock of the listing makes a publication wait for offers in flight, so that none is stored once it has been
-- acknowledged, and the minimum is the one in force. An offer that is already stored passes, so that its repetition gets the
-- same outcome. Before the first publication every name passes.
-- `messages` are queued with the offer: see private.queue_messages. A link among them names the id of the new offer, from which it
-- is derived. The language stored is that of the page: "locale" of the offer, else the catalogue's first language.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb default '[]', expired boolean default false,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := coalesce(
    (jsonb_path_query_first(messages, '$[*].link.offer_id') #>> '{}')::uuid, gen_random_uuid()
  );
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
  offer := offer || jsonb_build_object('price', private.with_currency(offer -> 'price', listed));
  low := private.is_low(offer -> 'price', listed);
  perform private.store_offer(new_id, offer, held, low, messages);
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;
