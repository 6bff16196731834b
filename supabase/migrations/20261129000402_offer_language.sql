-- The language of the page that an offer was made on, for the mail to the owner. In the receipt, so that the columns of
-- offers stay as they are.

-- BCP 47 code; null for offers from before this migration.
alter table private.offer_receipts add column language text check (char_length(language) <= 40);

-- As before, with the asking price and the language of each offer where they are known.
create or replace function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts, 'offers', (
      select jsonb_agg(jsonb_strip_nulls(to_jsonb(named)) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held, t.message,
          l.price as asking_price,
          (select r.language from private.offer_receipts r where r.offer_id = o.id limit 1) as language
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
