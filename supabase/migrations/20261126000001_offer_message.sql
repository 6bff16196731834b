-- A message that the customer adds to an offer: optional, in several lines. Pages have the field only if the catalogue has
-- `offerMessage`. In a table of its own, so that the columns of offers stay as they are; administrators read it through
-- `offer_message`, the table is closed.

create table private.offer_messages (
  offer_id uuid primary key references public.offers (id) on delete cascade,
  message text not null check (char_length(message) between 1 and 1000)
);
alter table private.offer_messages enable row level security;
revoke all on private.offer_messages from public, anon, authenticated, service_role;

-- As before, and stores the message of an offer that is stored.
create or replace function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  listed text;
  outcome jsonb;
begin
  select l.state into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.offer_receipts r where r.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed);
  end if;
  outcome := private.store_offer(offer, token_hash, payload_hash, steps, work, max_work, held_limits, messages);
  if outcome ->> 'outcome' = 'stored' and offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values ((outcome ->> 'id')::uuid, offer ->> 'message');
  end if;
  return outcome;
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
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held, t.message
        from private.messages d join public.offers o on o.id = d.offer_id
        left join private.offer_messages t on t.offer_id = o.id
        where d.id = any(ids)
        order by o.created_at, o.id limit 200
      ) as named
    )
  )
  from private.messages m where m.id = ids[1];
$$;

-- Returns {"message": text}, null for an offer without one.
create function public.offer_message(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return jsonb_build_object('message', (
    select t.message from private.offer_messages t where t.offer_id = offer_message.offer_id
  ));
end;
$$;
revoke all on function public.offer_message(uuid) from public, anon, authenticated, service_role;
grant execute on function public.offer_message(uuid) to authenticated;
