-- The amount that was read in the text of an offer or a move is stored beside it, and the listing has the currency of a number alone.
-- Existing rows are unread: `read_unread_amounts` lists them. The list is sorted by amount; its keys are texts.

alter table private.listings add column currency text;
alter table public.offers
  add column value numeric check (abs(value) < 1e15 and value = round(value, 2)),
  add column currency text check (currency ~ '^([A-Z]{3})?$'),
  add constraint value_has_currency check ((value is null) = (coalesce(currency, '') = ''));
create index offers_unread on public.offers (id) where currency is null;
create or replace view private.regular_offers with (security_invoker = true) as
  select * from public.offers where not held and not low;
alter table private.offer_moves
  add column value numeric check (abs(value) < 1e15 and value = round(value, 2)),
  add column currency text check (currency ~ '^([A-Z]{3})?$'),
  add constraint value_has_currency check ((value is null) = (coalesce(currency, '') = ''));
drop trigger moves_are_not_changed on private.offer_moves;
create trigger moves_are_not_deleted before delete on private.offer_moves
  for each row execute function private.reject_removal();
create trigger moves_are_not_changed before update on private.offer_moves
  for each row when (
    old.currency is not null
    or to_jsonb(new) - '{value,currency}'::text[] is distinct from to_jsonb(old) - '{value,currency}'::text[]
  )
  execute function private.reject_removal();
create or replace view private.standings with (security_invoker = true) as
  select last.offer_id, last.kind, last.created_at, last.valid_until, named.amount, named.value, named.currency
  from private.offer_moves last
  left join lateral (
    select m.amount, m.value, nullif(m.currency, '') as currency from private.offer_moves m
    where m.offer_id = last.offer_id and m.amount is not null order by m.number desc limit 1
  ) as named on true
  where not exists (
    select from private.offer_moves n where n.offer_id = last.offer_id and n.number = last.number + 1
  );

drop function public.find_offers(filter jsonb, from_created_at timestamp with time zone, from_id uuid, page_size integer);

create or replace function private.reject_change_but_status() returns trigger
language plpgsql set search_path = ''
as $$
declare
  changing constant text[] := case when old.currency is null then '{status,value,currency}' else '{status}' end;
begin
  if to_jsonb(new) - changing is distinct from to_jsonb(old) - changing then
    raise exception 'Only the status of an offer can be changed.' using errcode = '42501';
  end if;
  return new;
end;
$$;

create or replace function public.publish_listings(
  entries jsonb, hosts text[], keep_previous boolean, language text default 'en', build text default null,
  built_at timestamptz default null, settings jsonb default '{}'
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  new_version bigint;
begin
  if jsonb_typeof(entries) is distinct from 'array' or hosts is null or keep_previous is null or language is null then
    raise exception 'entries must be an array; hosts, keep_previous and language must not be null' using errcode = '22023';
  end if;
  -- One publication after the other.
  perform pg_advisory_xact_lock(hashtext('private.listings'));
  if exists (
    select from private.published_catalogue c
    where c.built_at > coalesce(publish_listings.built_at, '-infinity') and c.built_at <= now()
  ) then
    raise exception 'The catalogue of a newer build is published.' using errcode = 'PT409';
  end if;

  insert into private.listings as l (name, state, price, currency)
  select e ->> 'name', coalesce(e ->> 'state', 'for_sale'), e ->> 'price', e ->> 'currency'
  from jsonb_array_elements(entries) as e
  on conflict (name) do update
    set state = case when keep_previous and l.state = 'for_sale' then l.state else excluded.state end,
        price = excluded.price, currency = excluded.currency
    where (l.state, l.price, l.currency) is distinct from (excluded.state, excluded.price, excluded.currency);
  if not keep_previous then
    delete from private.listings l
    where l.name not in (select e ->> 'name' from jsonb_array_elements(entries) as e);
  end if;

  perform private.store_minimums(entries);
  insert into private.published_catalogue as c (version, hosts, language, build)
  values (1, publish_listings.hosts, publish_listings.language, publish_listings.build)
  on conflict (only_row) do update
    set version = c.version + 1,
        hosts = case
          when keep_previous then excluded.hosts
            || array(select old from unnest(c.hosts) as old where old <> all (excluded.hosts))
          else excluded.hosts
        end,
        language = excluded.language,
        build = case when keep_previous then c.build else excluded.build end
  returning version into new_version;
  -- A build that is not served yet may still be given up.
  if not keep_previous then
    update private.published_catalogue as c
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end,
        settings = publish_listings.settings;
  end if;
  return new_version;
end;
$$;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb) to service_role;

create or replace function private.with_currency(price jsonb, listed private.listings) returns jsonb
language sql immutable set search_path = ''
as $$
  select price || jsonb_build_object('currency', c.code)
  from (select coalesce(price ->> 'currency', listed.currency) as code) as c
  where c.code is not null;
$$;

create or replace function private.store_offer(id uuid, offer jsonb, held boolean, low boolean, messages jsonb) returns void
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
end;
$$;

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
  offer := offer || jsonb_build_object('price', private.with_currency(offer -> 'price', listed));
  low := private.is_low(offer -> 'price', listed);
  perform private.store_offer(new_id, offer, held, low, messages);
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;

create or replace function private.stored_moves(offer_id uuid, viewer text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'number', m.number, 'side', m.side, 'kind', m.kind, 'amount', m.amount, 'value', m.value,
    'currency', nullif(m.currency, ''), 'note', m.note, 'valid_until', m.valid_until, 'at', m.created_at, 'by', case when viewer = 'owner' then u.email end
  )) order by m.number)
  from private.offer_moves m left join auth.users u on u.id = m.changed_by
  where m.offer_id = stored_moves.offer_id;
$$;

create or replace function private.negotiation(offer_id uuid, viewer text) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  offer public.offers;
  last private.offer_moves;
  -- The amount that was named last.
  standing private.offer_moves;
  state text;
begin
  select o.* into offer from public.offers o where o.id = negotiation.offer_id;
  if offer.id is null then
    return null;
  end if;
  select m.* into last from private.offer_moves m where m.offer_id = offer.id order by m.number desc limit 1;
  select m.* into standing from private.offer_moves m
  where m.offer_id = offer.id and m.kind in ('counter', 'offer') order by m.number desc limit 1;
  state := case
    when last.id is null then case when offer.status in ('accepted', 'rejected') then 'closed' else 'open' end
    when last.kind = 'accept' then 'accepted'
    when last.kind = 'decline' then 'declined'
    when last.kind = 'withdraw' then 'withdrawn'
    when last.kind = 'close' then 'closed'
    else 'open' end;
  return jsonb_build_object(
    'domain', offer.domain_name,
    'language', private.offer_language(offer.id),
    'status', state, 'seen', coalesce(last.number, 1),
    'moves', jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
      'number', 1, 'side', 'buyer', 'kind', 'offer', 'amount', offer.offer_amount, 'value', offer.value,
      'currency', nullif(offer.currency, ''), 'at', offer.created_at
    ))) || coalesce(private.stored_moves(offer.id, viewer), '[]'),
    'can', to_jsonb(case
      when viewer = 'buyer' then case
        when state <> 'open' then '{}'
        when last.kind = 'counter' and now() < last.valid_until then '{accept,offer,withdraw}'
        else '{offer,withdraw}' end::text[]
      when state = 'accepted' then '{take_back}'
      when state = 'closed' then '{counter}'
      when state <> 'open' then '{}'
      when coalesce(standing.side, 'buyer') = 'buyer' then '{counter,accept,decline}'
      else '{counter,decline}' end::text[])
  );
end;
$$;

create or replace function private.make_move(
  offer_id uuid, side text, move jsonb, mail boolean, targets text[], mail_limits jsonb
) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  seen constant integer := (move ->> 'seen')::integer;
  -- To the buyer.
  mailed boolean := mail and (side = 'owner' or kind = 'accept');
  offer public.offers;
  next private.offer_moves;
  state jsonb;
  problem text;
  -- The amount of the move, with what was read in it.
  named jsonb;
begin
  -- Before any row: a second move waits here, and then sees what the first one did.
  perform private.lock_moves((select o.domain_name from public.offers o where o.id = make_move.offer_id));
  select o.* into offer from public.offers o where o.id = make_move.offer_id for update;
  select m.* into next from private.offer_moves m where m.offer_id = offer.id and m.number = seen + 1;
  if next.id is not null then
    return case when private.is_same_move(next, side, move) then 'repeated' else 'moved' end;
  end if;
  state := private.negotiation(offer.id, side);
  problem := private.move_problem(offer, side, move, state);
  if problem is not null then
    return problem;
  end if;
  if mailed and private.count_hits_unless_full(mail_limits) > 0 then
    if side = 'owner' then
      return 'mails_full';
    end if;
    mailed := false;
  end if;

  if kind = 'accept' then
    select m into named from jsonb_array_elements(state -> 'moves') as m
    where m ->> 'kind' in ('counter', 'offer') order by (m ->> 'number')::integer desc limit 1;
  elsif kind in ('counter', 'offer') then
    select jsonb_build_object('amount', move ->> 'amount', 'value', p.price ->> 'amount', 'currency', p.price ->> 'currency')
    into named from (
      select private.with_currency(
        move -> 'price', (select l from private.listings l where l.name = offer.domain_name)
      ) as price
    ) as p;
  end if;
  insert into private.offer_moves (
    offer_id, number, side, kind, amount, value, currency, note, valid_until, changed_by
  )
  values (
    offer.id, seen + 1, side, kind, named ->> 'amount', (named ->> 'value')::numeric, coalesce(named ->> 'currency', ''),
    move ->> 'note',
    case when kind = 'counter' then private.valid_until(now(), move) end,
    case when side = 'owner' then (select auth.uid()) end
  );
  perform set_config('private.moving', 'yes', true);
  update public.offers o
  set status = case
    when kind = 'accept' then 'accepted' when kind in ('decline', 'withdraw') then 'rejected' else 'negotiating' end
  where o.id = offer.id;
  perform set_config('private.moving', '', true);
  insert into private.messages (kind, offer_id, target, locale, move_number)
  select t.kind, offer.id, t.target, private.offer_language(offer.id), seen + 1
  from (
    select 'move' as kind, unnest(targets) as target where side = 'buyer'
    union all
    select 'reply', 'mailto:' || lower(offer.customer_email) where mailed
  ) as t;
  return 'made';
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
        select private.offer_texts(to_jsonb(o)) as texts, o.value, nullif(o.currency, '') as currency, o.id, o.created_at, o.held,
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

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 3;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function private.offer_order(filter jsonb) returns text
language sql immutable set search_path = ''
as $$
  select case filter ->> 'sort'
    when 'urgent' then $sql$case when status = 'pending'
      then (timestamp '3000-01-01' + (timestamp '3000-01-01' - (created_at at time zone 'UTC'))) at time zone 'UTC'
      else created_at end$sql$
    when 'amount' then $sql$(rpad(coalesce(currency, ''), 3) || to_char(coalesce(value, 0) * 100 + 1e17, '000000000000000000')
      || to_char(created_at at time zone 'UTC', ' YYYYMMDDHH24MISSUS')) collate "C"$sql$
    else 'created_at' end;
$$;

create or replace function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select case when count(*) = 1 then min(part)
    else format('select * from (%s) as offers order by %s desc, id desc limit $3',
      string_agg(format('(%s)', part), ' union '), private.offer_order(filter)) end
  from (
    select format(
      'select * from public.offers where %1$s%2$s order by %3$s desc, id desc limit $3',
      condition,
      case when from_newest then '' else format(
        ' and (%s, id) <= ($1::%s, $2)', private.offer_order(filter),
        case when filter ->> 'sort' = 'amount' then 'text' else 'timestamptz' end
      ) end,
      private.offer_order(filter)
    ) as part
    from unnest(private.offer_conditions(filter)) as condition
  ) as parts;
$$;

create or replace function public.find_offers(
  filter jsonb default '{}', from_sort_key text default null, from_id uuid default null, page_size integer default 50
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  offers jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$
    select coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object('sort_key', %2$s) order by %2$s desc, o.id desc), '[]')
    from (%1$s) as o
    $sql$,
    private.find_statement(coalesce(filter, '{}'), from_sort_key is null), private.offer_order(filter)
  ) into offers using from_sort_key, from_id, least(greatest(page_size, 1), 100);
  return jsonb_build_object('offers', offers);
end;
$$;
grant execute on function public.find_offers(jsonb, text, uuid, integer) to authenticated;

create or replace function public.offer_pages(page_size integer, filter jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  pages jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (number - 1) / $1, 'first_sort_key', sort_key, 'first_id', id, 'total', total
    ) order by number), '[]')
    from (
      select sort_key, id, count(*) over () as total,
        row_number() over (order by sort_key desc, id desc) as number
      from (%s) as found
    ) as numbered
    where (number - 1) %% $1 = 0
    $sql$,
    (
      select string_agg(
        format('select %s as sort_key, id from public.offers where %s', private.offer_order(filter), condition), ' union ')
      from unnest(private.offer_conditions(coalesce(filter, '{}'))) as condition
    )
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;
grant execute on function public.offer_pages(integer, jsonb) to authenticated;

create or replace function public.standings(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(s.offer_id, jsonb_strip_nulls(jsonb_build_object(
      'kind', s.kind, 'at', s.created_at, 'valid_until', s.valid_until, 'amount', s.amount, 'value', s.value,
      'currency', s.currency
    ))), '{}')
    from private.standings s where s.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.standings(uuid[]) to authenticated;

create or replace function public.read_customer(email text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
          'currency', nullif(o.currency, ''),
          'message', (select t.message from private.offer_messages t where t.offer_id = o.id),
          'language', private.offer_language(o.id),
          'moves', private.stored_moves(o.id, 'buyer')
        )) || jsonb_build_object('history', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'changed_at', c.changed_at, 'old_status', c.old_status, 'new_status', c.new_status
          ) order by c.id), '[]')
          from private.offer_status_changes c where c.offer_id = o.id
        )) order by o.created_at, o.id
      ), '[]')
      from public.offers o where lower(o.customer_email) = lower(email)
    ),
    'mails', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', m.kind, 'offer_id', m.offer_id, 'language', m.locale, 'created_at', m.created_at, 'sent_at', m.sent_at,
        'failed_at', m.failed_at, 'reason', m.reason
      )) order by m.id), '[]')
      from private.messages m where m.kind in ('confirmation', 'reply') and m.target = 'mailto:' || lower(email)
    )
  );
$$;
grant execute on function public.read_customer(text) to service_role;

create or replace function public.export_offers(
  page_size integer, before_created_at timestamptz default null, before_id uuid default null
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'has_messages', exists (select from private.offer_messages),
    'offers', (
      select coalesce(jsonb_agg(page.line order by page.created_at desc, page.id desc), '[]') from (
        select o.created_at, o.id,
          jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
            'currency', nullif(o.currency, ''),
            'message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'low', nullif(o.low, false),
            'current_amount', coalesce(s.amount, o.offer_amount),
            'current_value', case when s.amount is null then o.value else s.value end,
            'current_currency', case when s.amount is null then nullif(o.currency, '') else s.currency end
          ) || case when s.kind = 'accept' then jsonb_build_object(
            'agreed_amount', s.amount, 'agreed_value', s.value, 'agreed_currency', s.currency
          ) else '{}' end) as line
        from public.offers o
        left join private.offer_messages m on m.offer_id = o.id
        left join private.standings s on s.offer_id = o.id
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

create or replace function public.read_unread_amounts() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(u)), '[]') from (
    select a.*, l.price, l.minimum_currency from (
      select o.id as offer_id, 1 as number, o.offer_amount as text, o.domain_name
      from public.offers o where o.currency is null
      union all
      select m.offer_id, m.number, m.amount, o.domain_name
      from private.offer_moves m join public.offers o on o.id = m.offer_id
      where m.currency is null and m.amount is not null
    ) as a left join private.listings l on l.name = a.domain_name limit 500
  ) as u;
$$;
grant execute on function public.read_unread_amounts() to service_role;

create or replace function public.store_amounts(amounts jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.offers o
  set value = (a #>> '{price,amount}')::numeric, currency = coalesce(a #>> '{price,currency}', '')
  from jsonb_array_elements(amounts) as a
  where o.id = (a ->> 'offer_id')::uuid and (a ->> 'number')::integer = 1 and o.currency is null;
  update private.offer_moves m
  set value = (a #>> '{price,amount}')::numeric, currency = coalesce(a #>> '{price,currency}', '')
  from jsonb_array_elements(amounts) as a
  where m.offer_id = (a ->> 'offer_id')::uuid and m.number = (a ->> 'number')::integer and m.currency is null;
end;
$$;
grant execute on function public.store_amounts(jsonb) to service_role;

create or replace function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links') then 'offer_id' end;
  received jsonb := rows;
  columns text;
  is_same text;
  present bigint;
  total bigint;
begin
  -- The call of a run that was killed may still be at work: rows without a unique key would be inserted twice.
  perform pg_advisory_xact_lock(hashtextextended('receive_rows', 0));
  if offer_column is not null then
    select coalesce(jsonb_agg(r.value order by r.ordinality), '[]') into received
    from jsonb_array_elements(rows) with ordinality as r
    where not exists (select from private.erased_offers e where e.offer_id = (r.value ->> offer_column)::uuid);
  end if;
  if kind = 'erased_offers' then
    perform private.erase_offers(array(select (r ->> 'offer_id')::uuid from jsonb_array_elements(rows) as r));
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=". What was read in an amount may have been read here, and not there yet.
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where case kind
        when 'messages' then a.attname in ('offer_id', 'kind', 'target', 'move_number')
        else a.attname not in ('value', 'currency') end)
  into columns, is_same
  from pg_attribute a
  where a.attrelid = target.name::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = '';
  -- The table and its columns are parameters.
  execute format(
    $sql$
    insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1) as r
    where not exists (select from %1$s t where %3$s) order by r.%4$I on conflict do nothing
    $sql$,
    target.name, columns, is_same, target.key
  ) using received;
  execute format(
    $sql$
    select count(*) filter (where exists (select from %1$s t where %2$s)), (select count(*) from %1$s)
    from jsonb_populate_recordset(null::%1$s, $1) as r
    $sql$,
    target.name, is_same
  ) into present, total using received;
  return jsonb_build_object(
    'present', present, 'erased', jsonb_array_length(rows) - jsonb_array_length(received), 'total', total
  );
end;
$$;
grant execute on function public.receive_rows(text, jsonb) to service_role;
