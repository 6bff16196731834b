-- Low offers: those below the owner's minimum for the domain. `minimum` and `minimum_currency` of private.listings come with
-- the publication of the catalogue; only submit_offer reads them, and no function returns them. It decides when it stores an
-- offer whether that is low, and it stays so whatever the catalogue says later. A low offer is in none of the lists, counts
-- and alarms of the others, and announced to the owner once a day. What is held and low is held in all of that.

-- Of the rows that earlier migrations of the same transaction have written.
set constraints all immediate;

alter table private.listings
  add column minimum numeric check (minimum > 0),
  add column minimum_currency text,
  add constraint minimum_has_currency check ((minimum is null) = (minimum_currency is null));

alter table public.offers add column low boolean not null default false;
create index offers_low on public.offers (created_at desc, id desc) where low and not held;
drop index public.offers_by_status;
create index offers_by_status on public.offers (status, held, low, created_at desc, id desc);

-- A message of the kind low announces a low offer, in a digest at the next midnight in UTC. Its own kind, so that low offers
-- neither mix with other digests nor count among the messages after which others become digests.
alter table private.messages
  drop constraint messages_kind_check,
  add constraint messages_kind_check check (kind in ('offer', 'low', 'confirmation', 'overdue'));

-- Stores the minimums of a catalogue's entries: "minimum" {"amount", "currency"}, absent where there is none.
create function private.store_minimums(entries jsonb) returns void
language sql set search_path = ''
as $$
  update private.listings l set minimum = n.minimum, minimum_currency = n.currency
  from (
    select e ->> 'name' as name, (e #>> '{minimum,amount}')::numeric as minimum, e #>> '{minimum,currency}' as currency
    from jsonb_array_elements(entries) as e
  ) as n
  where l.name = n.name and (l.minimum, l.minimum_currency) is distinct from (n.minimum, n.currency);
$$;

-- What an outcome has besides the offer's id.
create function private.low_mark(low boolean) returns jsonb
language sql immutable set search_path = ''
as $$ select case when low then jsonb_build_object('low', true) else '{}' end; $$;

-- As before, with {"low": true} of an offer that is low.
create or replace function private.earlier_offer(token_hash text, payload_hash text) returns jsonb
language sql stable set search_path = ''
as $$
  select case when k.payload_hash = earlier_offer.payload_hash
    then jsonb_build_object('outcome', 'repeated', 'id', k.offer_id) || private.low_mark(o.low)
    else jsonb_build_object('outcome', 'conflict')
  end
  from private.idempotency_keys k join public.offers o on o.id = k.offer_id
  where k.token_hash = earlier_offer.token_hash;
$$;

-- As before, and decides whether the offer is low: "price" of the offer is {"amount", "currency"}, absent where order-submit
-- could not read its amount. The minimum is that of the listing's row, which is locked until the commit. The outcomes
-- "stored" and "repeated" have {"low": true} of a low offer.
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
  held_limits jsonb;
begin
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', true);
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

  held := private.count_hits(limits -> 'sender_and_domain') > 0;
  if not held then
    held := private.count_hits(limits -> 'shared') > 0;
  end if;
  if held then
    held_limits := limits -> 'held';
    -- Not the first of this network for this domain.
    if private.count_hits(limits -> 'held_first') > 0 then
      held_limits := held_limits || (limits -> 'held_again');
    end if;
    wait := private.count_hits(held_limits);
    if wait > 0 then
      perform public.release_hits(held_limits);
      perform public.release_hits(limits -> 'held_first');
      delete from private.idempotency_keys k where k.offer_id = new_id;
      return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', false);
    end if;
  end if;
  perform public.release_hits(checks);

  -- False where there is no minimum, or the amount could not be read, or is in another currency.
  low := (offer #>> '{price,currency}' = listed.minimum_currency
    and (offer #>> '{price,amount}')::numeric < listed.minimum) is true;

  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, held, low)
  values (new_id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email', held, low);
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (new_id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(new_id, held, messages);
    if low and not held then
      update private.messages m
      set kind = 'low', digest = true, due_at = date_bin('1 day', now(), 'epoch') + interval '1 day'
      where m.offer_id = new_id and m.kind = 'offer';
    end if;
  end if;
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;

-- The functions below stay as they are but for the text named here.
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    ('public.publish_listings', '  insert into private.published_catalogue as c',
      '  perform private.store_minimums(entries);' || chr(10) || '  insert into private.published_catalogue as c'),
    ('public.asking_prices', 'to_jsonb(l)', $sql$jsonb_build_object('name', l.name, 'state', l.state, 'price', l.price)$sql$),
    -- {"low": true} lists low offers that are not held, which no other filter lists.
    ('private.offer_condition', $sql$then 'held' else 'not held' end$sql$,
      $sql$then 'held' when (filter ->> 'low')::boolean then 'low and not held' else 'not held and not low' end$sql$),
    ('public.offer_counts', 'not o.held', 'not o.held and not o.low'),
    ('public.offer_counts', $sql$'overdue', ($sql$,
      $sql$'low', (select count(*) from public.offers o where o.low and not o.held), 'overdue', ($sql$),
    ('public.new_offers', 'not n.held', 'not n.held and not n.low'),
    ('public.new_offers', 'not o.held', 'not o.held and not o.low'),
    ('public.queue_overdue', 'not n.held', 'not n.held and not n.low'),
    ('public.read_unanswered', 'not o.held', 'not o.held and not o.low'),
    -- Only low ones have the field.
    ('public.export_offers', $sql$'message', m.message)$sql$, $sql$'message', m.message, 'low', nullif(o.low, false))$sql$),
    -- Offers of a project that has no column low yet.
    ('public.receive_rows', 'jsonb_agg(r.value order by',
      $sql$jsonb_agg(case kind when 'offers' then '{"low": false}'::jsonb else '{}' end || r.value order by$sql$),
    -- All of a day in one digest.
    ('private.acquire_delivery', $sql$first.kind = 'overdue'$sql$, $sql$first.kind in ('overdue', 'low')$sql$)
  ) as changes (name, old, new)
  loop
    definition := pg_get_functiondef(change.name::regproc);
    if position(change.old in definition) = 0 then
      raise exception 'The function % has no text "%".', change.name, change.old;
    end if;
    execute replace(definition, change.old, change.new);
  end loop;
end;
$$;
