-- A message that the customer adds to an offer: optional, in several lines. Pages have the field only if the catalogue has
-- `offerMessage`; without one the column is null.

-- submit_offer sets `private.offer_message` for the row that private.store_offer inserts: an update afterwards would be
-- rejected like any other of a stored offer.
alter table public.offers add column message text
  default nullif(current_setting('private.offer_message', true), '')
  check (char_length(message) between 1 and 1000);

-- As before, and stores the message of the offer.
create or replace function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  listed text;
begin
  select l.state into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed is distinct from 'for_sale'
    and not exists (select from private.offer_receipts r where r.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed);
  end if;
  -- Also without a message, so that none of another call in this transaction is stored.
  perform set_config('private.offer_message', coalesce(offer ->> 'message', ''), true);
  return private.store_offer(offer, token_hash, payload_hash, steps, work, max_work, held_limits, messages);
end;
$$;

-- As before, with the messages of offers that have one.
create or replace function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts, 'offers', (
      select jsonb_agg(jsonb_strip_nulls(to_jsonb(named)) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held, o.message
        from private.messages d join public.offers o on o.id = d.offer_id
        where d.id = any(ids)
        order by o.created_at, o.id limit 200
      ) as named
    )
  )
  from private.messages m where m.id = ids[1];
$$;
