-- The texts of an offer are listed once, in private.offer_texts: store_offer and describe_delivery take them from there, so that
-- another one is a line less in each. What is stored and sent stays the same.

create or replace function private.offer_texts(offer jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(field, coalesce(offer ->> field, ''))
  from unnest(array['domain_name', 'offer_amount', 'customer_name', 'customer_email']) as field;
$$;

create or replace function private.store_offer(id uuid, offer jsonb, held boolean, low boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.offers
  select stored.* from jsonb_populate_record(null::public.offers, private.offer_texts(offer) || jsonb_build_object(
    'id', id, 'created_at', now(), 'status', 'pending', 'held', held, 'low', low
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
end;
$$;

create or replace function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts + 1, 'offers', (
      select jsonb_agg(
        named.texts || jsonb_strip_nulls(to_jsonb(named) - 'texts') order by named.created_at, named.id
      ) from (
        select private.offer_texts(to_jsonb(o)) as texts, o.id, o.created_at, o.held,
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
