-- The language of the page that an offer was made on, for the mail to the owner. In the receipt, so that the columns of
-- offers stay as they are.

-- BCP 47 code; null for offers from before this migration.
alter table private.offer_receipts add column language text check (char_length(language) <= 40);

-- As before, and stores the language: "locale" of the offer, else the catalogue's first language.
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

  insert into private.offer_receipts (token_hash, payload_hash, offer_id, language)
  values (token_hash, payload_hash, new_id, coalesce(
    offer ->> 'locale', (select c.language from private.published_catalogue c)
  ))
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
