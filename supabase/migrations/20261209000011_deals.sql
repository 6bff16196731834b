-- An accepted offer has a deal: a reference, the date of its payment, where to pay, and the steps until the name is sold. It begins and
-- ends with the status of its offer. Offers that are accepted get theirs, without a date of payment. Names and settings of the
-- catalogue have where to pay with the next publication.

alter table private.listings add column checkout text;
alter table private.messages drop constraint messages_kind_check, add constraint messages_kind_check
  check (kind in (
    'offer', 'low', 'confirmation', 'overdue', 'reply', 'move', 'expired', 'silent', 'unpaid', 'pay_link', 'reminder'
  ));
create table private.deals (
  reference text primary key check (reference ~ '^[A-Z0-9]{1,4}-[A-Z0-9]{4}$'),
  offer_id uuid not null references public.offers (id) on delete cascade,
  agreed_at timestamptz not null default now(),
  paid_at timestamptz,
  transferred_at timestamptz,
  sold_at timestamptz,
  pay_by date,
  way text check (way in ('template', 'link', 'closing')),
  link text check (char_length(link) <= 2000 and link ~ '^https://[a-z0-9.-]+(/[!-~]*)?$' and link !~ '[\\"<>]'),
  changes jsonb not null default '[]',
  ended_at timestamptz,
  ended_as text,
  constraint steps_in_order check (
    (transferred_at is null or paid_at is not null) and (sold_at is null or transferred_at is not null)
  ),
  constraint ended_has_status check ((ended_at is null) = (ended_as is null))
);
create unique index deals_in_force on private.deals (offer_id) where ended_at is null;
create index deals_by_offer on private.deals (offer_id, agreed_at);
create index deals_to_be_paid on private.deals (pay_by) where ended_at is null and paid_at is null;
create index deals_by_reference on private.deals using gin (lower(reference) extensions.gin_trgm_ops);
alter table private.deals enable row level security;
create trigger deals_are_not_deleted before delete on private.deals
  for each row execute function private.reject_removal();
create trigger ended_deals_are_not_changed before update on private.deals
  for each row when (old.ended_at is not null or new.reference <> old.reference or new.offer_id <> old.offer_id)
  execute function private.reject_removal();

drop function public.negotiate_as_owner(offer_id uuid, move jsonb, link jsonb, mail boolean, mail_limits jsonb);

drop function public.queue_overdue(targets text[]);

create or replace function public.publish_listings(
  entries jsonb, hosts text[], keep_previous boolean, language text default 'en', build text default null,
  built_at timestamptz default null, settings jsonb default '{}', read_at timestamptz default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  read constant timestamptz := least(coalesce(read_at, built_at, '-infinity'), now());
  new_version bigint;
  changed text[];
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

  changed := array(select c.name from private.changes_since(read) as c where c.field in ('state', 'price', 'minimum'));
  insert into private.listings as l (name, state, price, value, currency, minimum, minimum_currency, checkout)
  select e ->> 'name', coalesce(e ->> 'state', 'for_sale'), e ->> 'price', (e ->> 'value')::numeric, e ->> 'currency',
    (e #>> '{minimum,amount}')::numeric, e #>> '{minimum,currency}', e ->> 'checkout'
  from jsonb_array_elements(entries) as e
  on conflict (name) do update
    set state = case when keep_previous and l.state = 'for_sale' then l.state else excluded.state end,
        price = excluded.price, value = excluded.value, currency = excluded.currency, minimum = excluded.minimum,
        minimum_currency = excluded.minimum_currency, checkout = excluded.checkout
    where l.name <> all (changed) and (l.*) is distinct from (excluded.*);
  if not keep_previous then
    delete from private.listings l
    where l.name not in (select e ->> 'name' from jsonb_array_elements(entries) as e);
  end if;

  insert into private.published_catalogue as c (version, hosts, language, build, names)
  values (
    1, publish_listings.hosts, publish_listings.language, publish_listings.build, (select count(*) from private.listings)
  )
  on conflict (only_row) do update
    set version = c.version + 1,
        hosts = case
          when keep_previous then excluded.hosts
            || array(select old from unnest(c.hosts) as old where old <> all (excluded.hosts))
          else excluded.hosts
        end,
        language = excluded.language,
        names = excluded.names,
        build = case when keep_previous then c.build else excluded.build end
  returning version into new_version;
  -- A build that is not served yet may still be given up.
  if not keep_previous then
    update private.published_catalogue as c
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end,
        read_at = read,
        settings = publish_listings.settings;
  end if;
  return new_version;
end;
$$;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb, timestamptz) to service_role;

create or replace function private.new_reference(name text) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  label constant text := left(regexp_replace(upper(regexp_replace(name, '^xn--|\..*$', '', 'g')), '[^A-Z0-9]', '', 'g'), 4);
  signs constant text := 'ACDEFGHJKMNPQRTUVWXY34679';
  random bytea;
  made text;
begin
  loop
    random := uuid_send(gen_random_uuid());
    select label || '-' || string_agg(substr(signs, get_byte(random, place) % 25 + 1, 1), '') into made
    from generate_series(0, 3) as place;
    exit when not exists (select from private.deals d where d.reference = made);
  end loop;
  return made;
end;
$$;

create or replace function private.deal_in_force(offer_id uuid) returns private.deals
language sql stable set search_path = ''
as $$ select d.* from private.deals d where d.offer_id = deal_in_force.offer_id and d.ended_at is null; $$;

create or replace function private.last_deal_change(offer_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(max((d.changes #>> '{-1,number}')::integer), 0)
  from private.deals d where d.offer_id = last_deal_change.offer_id;
$$;

create or replace function private.standing_amount(offer public.offers, out amount text, out value numeric, out currency text)
language plpgsql stable set search_path = ''
as $$
begin
  select m.amount, m.value, nullif(m.currency, '') into amount, value, currency
  from private.offer_moves m where m.offer_id = offer.id and m.amount is not null order by m.number desc limit 1;
  if amount is null then
    amount := offer.offer_amount;
    value := offer.value;
    currency := nullif(offer.currency, '');
  end if;
end;
$$;

create or replace function private.is_pay_link(link text) returns boolean
language sql stable set search_path = ''
as $$
  select coalesce((
    select c.settings -> 'checkoutHosts' ? substring(link from '^https://([^/]+)') from private.published_catalogue c
  ), false);
$$;

create or replace function private.pay_ways(offer public.offers, deal private.deals) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  settings constant jsonb := (select c.settings from private.published_catalogue c);
  agreed constant record := private.standing_amount(offer);
  listed private.listings;
  has_amount boolean;
begin
  select l.* into listed from private.listings l where l.name = offer.domain_name;
  if listed.state = 'sold' and deal.paid_at is null then
    return '{}';
  end if;
  -- As shown-amount.ts: of more than nine digits, decimals included, none is sure.
  has_amount := coalesce(
    agreed.value > 0 and agreed.value * case when agreed.value = trunc(agreed.value) then 1 else 100 end < 1e9, false
  );
  return array_remove(array[
    case when has_amount and private.is_pay_link(deal.link) then 'link' end,
    case when has_amount and coalesce(listed.checkout, settings ->> 'checkout') is not null then 'template' end,
    case when settings ? 'closing' then 'closing' end
  ], null);
end;
$$;

create or replace function private.pay_way(offer public.offers, deal private.deals) returns text
language plpgsql stable set search_path = ''
as $$
declare
  ways constant text[] := private.pay_ways(offer, deal);
begin
  return case when deal.way = any (ways) then deal.way else ways[1] end;
end;
$$;

create or replace function private.first_pay_by(offer public.offers, deal private.deals) returns date
language plpgsql stable set search_path = ''
as $$
begin
  return case when private.pay_way(offer, deal) is not null then
    (now() at time zone 'UTC')::date + (select (c.settings ->> 'payDays')::integer from private.published_catalogue c) end;
end;
$$;

create or replace function private.pay_by_of(offer public.offers, deal private.deals) returns date
language plpgsql stable set search_path = ''
as $$
begin
  return case when private.pay_way(offer, deal) is not null then deal.pay_by end;
end;
$$;

create or replace function private.deal_number(deal private.deals) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from private.deals d
  where d.offer_id = deal.offer_id and (d.agreed_at, d.ended_at is null) <= (deal.agreed_at, deal.ended_at is null);
$$;

create or replace function private.payment_of(offer_id uuid) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  offer public.offers;
  deal constant private.deals := private.deal_in_force(offer_id);
begin
  select o.* into offer from public.offers o where o.id = offer_id;
  return jsonb_strip_nulls(jsonb_build_object(
    'way', private.pay_way(offer, deal), 'chosen', deal.way, 'link', case when private.is_pay_link(deal.link) then deal.link end,
    'template', coalesce(
      (select l.checkout from private.listings l where l.name = offer.domain_name),
      (select c.settings ->> 'checkout' from private.published_catalogue c)
    ),
    'email', offer.customer_email
  ));
end;
$$;

create or replace function private.describe_deal(offer public.offers, deal private.deals, viewer text) returns jsonb
language plpgsql stable set search_path = ''
as $$
begin
  if deal.reference is null then
    return null;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'reference', deal.reference, 'agreed_at', deal.agreed_at, 'paid_at', deal.paid_at, 'transferred_at', deal.transferred_at,
    'sold_at', deal.sold_at,
    'pay_by', case when deal.ended_at is null then private.pay_by_of(offer, deal) else deal.pay_by end
  )) || case when viewer <> 'owner' then '{}' else jsonb_build_object(
    'seen', private.last_deal_change(offer.id), 'changes', private.deal_changes(deal, true), 'ended_at', deal.ended_at,
    'ended_as', deal.ended_as
  ) end;
end;
$$;

create or replace function private.deal_changes(deal private.deals, named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(c - 'by' || case when named then jsonb_build_object('by', u.email) else '{}' end order by at), '[]')
  from jsonb_array_elements(deal.changes) with ordinality as n (c, at)
  left join auth.users u on u.id = (c ->> 'by')::uuid;
$$;

create or replace function private.exported_deals(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_strip_nulls(
    to_jsonb(d) - 'offer_id' || jsonb_build_object('changes', private.deal_changes(d, false))
  ) order by d.agreed_at, d.ended_at)
  from private.deals d where d.offer_id = exported_deals.offer_id;
$$;

create or replace function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  begun private.deals;
begin
  update private.deals d set ended_at = now(), ended_as = new.status where d.offer_id = new.id and d.ended_at is null;
  if new.status = 'accepted' then
    insert into private.deals (reference, offer_id, pay_by)
    values (private.new_reference(new.domain_name), new.id, private.first_pay_by(new, begun));
  end if;
  return null;
end;
$$;

create or replace function private.change_deal(changed_offer uuid, change jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  field constant text := change ->> 'field';
  target constant text := change ->> 'to';
  seen constant integer := (change ->> 'seen')::integer;
  today constant date := (now() at time zone 'UTC')::date;
  offer public.offers;
  deal private.deals;
  last integer;
  before jsonb;
begin
  perform private.lock_moves((select o.domain_name from public.offers o where o.id = changed_offer));
  select o.* into offer from public.offers o where o.id = changed_offer for update;
  deal := private.deal_in_force(offer.id);
  last := private.last_deal_change(offer.id);
  if (deal.reference = change ->> 'reference') is not true or seen is null or seen > last then
    return 'moved';
  end if;
  if seen < last then
    return case when seen = last - 1 and deal.changes -> -1 ->> 'field' = field
      and (deal.changes -> -1 ->> 'to') is not distinct from target then 'repeated' else 'moved' end;
  end if;
  before := to_jsonb(deal) -> case when field in ('paid', 'transferred', 'sold') then field || '_at' else field end;
  if field in ('paid', 'transferred', 'sold') then
    before := to_jsonb(before <> 'null');
  end if;
  if before #>> '{}' is not distinct from target then
    return 'repeated';
  end if;
  if jsonb_array_length(deal.changes) >= 200 then
    return 'too_many';
  end if;

  case field
    when 'paid' then
      if deal.transferred_at is not null then
        return 'not_possible';
      end if;
      deal.paid_at := case when target = 'true' then now() end;
    when 'transferred' then
      if deal.paid_at is null or deal.sold_at is not null then
        return 'not_possible';
      end if;
      deal.transferred_at := case when target = 'true' then now() end;
    when 'sold' then
      if deal.transferred_at is null then
        return 'not_possible';
      end if;
      deal.sold_at := case when target = 'true' then now() end;
    when 'pay_by' then
      if private.first_pay_by(offer, deal) is null or target::date not between today - 1 and today + 366 then
        return 'not_possible';
      end if;
      deal.pay_by := target;
    when 'link' then
      if target is not null and not private.is_pay_link(target) then
        return 'not_possible';
      end if;
      deal.link := target;
      deal.way := case when target is not null then 'link' else nullif(deal.way, 'link') end;
      if not deal.changes @> '[{"field": "pay_by"}]' then
        deal.pay_by := coalesce(deal.pay_by, private.first_pay_by(offer, deal));
      end if;
    when 'way' then
      if not (target is null or target = any (private.pay_ways(offer, deal))) then
        return 'not_possible';
      end if;
      deal.way := target;
    else
      return 'not_possible';
  end case;
  deal.changes := deal.changes || jsonb_build_object(
    'number', last + 1, 'field', field, 'from', before, 'to', change -> 'to', 'at', now(), 'by', (select auth.uid())
  );
  update private.deals d
  set (paid_at, transferred_at, sold_at, pay_by, link, way, changes) = (
    deal.paid_at, deal.transferred_at, deal.sold_at, deal.pay_by, deal.link, deal.way, deal.changes
  )
  where d.reference = deal.reference;
  return 'made';
end;
$$;

create or replace function private.ended_rejected(move private.offer_moves) returns boolean
language sql stable set search_path = ''
as $$
  select move.kind = 'take_back' and exists (
    select from private.deals d
    where d.offer_id = move.offer_id and d.ended_at = move.created_at and d.ended_as = 'rejected'
  );
$$;

create or replace function private.stored_moves(offer_id uuid, viewer text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'number', m.number, 'side', m.side, 'kind', m.kind, 'amount', m.amount, 'value', m.value,
    'currency', nullif(m.currency, ''), 'note', m.note, 'as', case when private.ended_rejected(m) then 'rejected' end,
    'valid_until', m.valid_until, 'at', m.created_at, 'by', case when viewer = 'owner' then u.email end
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
  deal jsonb;
begin
  select o.* into offer from public.offers o where o.id = negotiation.offer_id;
  if offer.id is null then
    return null;
  end if;
  select m.* into last from private.offer_moves m where m.offer_id = offer.id order by m.number desc limit 1;
  select m.* into standing from private.offer_moves m
  where m.offer_id = offer.id and m.kind in ('counter', 'offer') order by m.number desc limit 1;
  deal := private.describe_deal(offer, private.deal_in_force(offer.id), viewer);
  state := case
    when offer.status = 'accepted' then 'accepted'
    when last.id is null then case when offer.status = 'rejected' then 'closed' else 'open' end
    when last.kind = 'decline' or last.kind = 'take_back' and offer.status = 'rejected' then 'declined'
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
  ) || case when deal is null then '{}' else jsonb_build_object('deal', deal) end
    || case when viewer <> 'owner' then '{}' else jsonb_build_object('ended', (
      select coalesce(jsonb_agg(private.describe_deal(offer, d, viewer) order by d.agreed_at, d.ended_at), '[]')
      from private.deals d where d.offer_id = offer.id and d.ended_at is not null
    )) end;
end;
$$;

create or replace function private.is_same_move(made private.offer_moves, side text, move jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select made.side = is_same_move.side and made.kind = move ->> 'kind'
    and (made.kind not in ('counter', 'offer') or move ->> 'amount' is null or made.amount = move ->> 'amount')
    and made.note is not distinct from move ->> 'note'
    and (made.kind <> 'counter' or made.valid_until = private.valid_until(made.created_at, move))
    and (made.kind <> 'take_back' or private.ended_rejected(made) = (move ->> 'as' is not distinct from 'rejected'));
$$;

create or replace function private.move_problem(offer public.offers, side text, move jsonb, state jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  listed text;
begin
  if state is null or (move ->> 'seen')::integer is distinct from (state ->> 'seen')::integer then
    return 'moved';
  end if;
  -- What was paid meanwhile is not taken back unseen.
  if kind = 'take_back' and (
    move ? 'deal_seen' and move -> 'deal_seen' <> to_jsonb(private.last_deal_change(offer.id))
    or not move ? 'deal_seen' and (private.deal_in_force(offer.id)).changes <> '[]'
  ) then
    return 'moved';
  end if;
  if not state -> 'can' ? kind then
    return case when side = 'buyer' and kind = 'accept' and state ->> 'status' = 'open'
      and state #>> '{moves,-1,kind}' = 'counter' then 'ended' else 'not_possible' end;
  end if;
  if kind in ('counter', 'offer') and move ->> 'amount' is null then
    return 'not_possible';
  end if;
  if (select count(*) from private.offer_moves m where m.offer_id = offer.id and m.side = move_problem.side) >= 10 then
    return 'too_many';
  end if;
  if kind = 'accept' and exists (
    select from public.offers o
    where o.domain_name = offer.domain_name and o.status = 'accepted' and o.id <> offer.id
  ) then
    return 'taken';
  end if;
  select l.state into listed from private.listings l where l.name = offer.domain_name for share;
  if (side = 'buyer' or kind in ('counter', 'accept')) and listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue) then
    return 'not_possible';
  end if;
  return null;
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
    when kind = 'accept' then 'accepted'
    when kind in ('decline', 'withdraw') or kind = 'take_back' and move ->> 'as' = 'rejected' then 'rejected'
    else 'negotiating' end
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

create or replace function public.negotiate_as_owner(
  offer_id uuid, move jsonb default null, link jsonb default null, mail boolean default false, mail_limits jsonb default '[]',
  deal jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'read';
begin
  perform private.require_admin();
  if not exists (select from public.offers o where o.id = negotiate_as_owner.offer_id) then
    return '{"outcome": "unknown"}';
  end if;
  if move is not null then
    outcome := private.make_move(offer_id, 'owner', move, mail, '{}', mail_limits);
  elsif deal is not null then
    outcome := private.change_deal(offer_id, deal);
  end if;
  if link is not null and outcome in ('read', 'made') then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = negotiate_as_owner.offer_id));
    if (link ->> 'replace')::boolean then
      delete from private.offer_links l
      where l.offer_id = negotiate_as_owner.offer_id and l.number < (link ->> 'number')::integer;
    end if;
    insert into private.offer_links (token_hash, offer_id, number, nonce)
    select link ->> 'hash', negotiate_as_owner.offer_id, (link ->> 'number')::integer, link ->> 'nonce'
    where not exists (
      select from private.offer_links l
      where l.offer_id = negotiate_as_owner.offer_id and l.number >= (link ->> 'number')::integer
    );
  end if;
  return jsonb_build_object(
    'outcome', outcome, 'state', private.negotiation(offer_id, 'owner'), 'payment', private.payment_of(offer_id),
    'link', private.newest_link(offer_id),
    'taken_by', case when outcome = 'taken' then (
      select o.customer_name from public.offers o
      where o.status = 'accepted' and o.id <> negotiate_as_owner.offer_id and o.domain_name = (
        select p.domain_name from public.offers p where p.id = negotiate_as_owner.offer_id
      )
      order by o.created_at limit 1
    ) end
  );
end;
$$;
grant execute on function public.negotiate_as_owner(uuid, jsonb, jsonb, boolean, jsonb, jsonb) to authenticated;

create or replace function private.is_link_good(link private.offer_links) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.offers o
    left join private.listings l on l.name = o.domain_name
    left join lateral (
      select m.kind, m.created_at from private.offer_moves m where m.offer_id = o.id order by m.number desc limit 1
    ) as last on true
    where o.id = (link).offer_id
      and exists (select from private.offer_links k where k.token_hash = (link).token_hash)
      and (l.state = 'for_sale' or l.state = 'reserved' and o.status = 'accepted'
        or l.state = 'sold' and (private.deal_in_force(o.id)).paid_at is not null
        or not exists (select from private.published_catalogue))
      and greatest(last.created_at, (link).created_at) > now() - case
        when o.status <> 'accepted' and last.kind in ('decline', 'withdraw', 'close')
          or o.status = 'rejected' and last.kind = 'take_back' then interval '14 days' else interval '90 days' end
  );
$$;

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
  return jsonb_build_object('outcome', outcome, 'state', private.negotiation(link.offer_id, 'buyer'))
    || case when exists (select from public.offers o where o.id = link.offer_id and o.status = 'accepted')
      then jsonb_build_object('payment', private.payment_of(link.offer_id)) else '{}' end;
end;
$$;
grant execute on function public.negotiate_as_buyer(text, jsonb, jsonb, text[], boolean, jsonb) to service_role;

create or replace function private.close_negotiation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.offer_moves (offer_id, number, side, kind, changed_by)
  select new.id, last.number + 1, 'owner', 'close', (select auth.uid())
  from private.offer_moves last
  where last.offer_id = new.id
    and not exists (select from private.offer_moves n where n.offer_id = new.id and n.number > last.number)
    and (last.kind = 'accept' and new.status <> 'accepted'
      or last.kind in ('counter', 'offer', 'take_back') and new.status in ('accepted', 'rejected'));
  return null;
end;
$$;

create or replace function private.queue_deadlines(targets text[]) returns void
language sql set search_path = ''
as $$
  insert into private.messages (kind, offer_id, target, move_number)
  select case m.kind when 'accept' then 'silent' else 'expired' end, m.offer_id, t.target, m.number
  from private.offer_moves m
  join public.offers o on o.id = m.offer_id
  left join private.listings l on l.name = o.domain_name,
    unnest(targets) as t (target)
  where l.state is distinct from 'sold'
    and (m.valid_until > now() - interval '7 days' and m.valid_until <= now()
      or m.kind = 'accept' and m.created_at > now() - interval '14 days' and m.created_at <= now() - interval '7 days')
    and not exists (select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number)
    and not (m.kind = 'accept' and exists (
      select from private.deals d where d.offer_id = o.id and d.ended_at is null
        and (d.paid_at is not null or private.pay_by_of(o, d) is not null)
    ))
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
  on conflict do nothing;
$$;

create or replace function private.queue_deal_alarms(targets text[]) returns void
language sql set search_path = ''
as $$
  insert into private.messages (kind, offer_id, target, move_number)
  select alarm.kind, alarm.offer_id, t.target, alarm.number
  from (
    select 'unpaid' as kind, d.offer_id, private.deal_number(d) as number, d.agreed_at as since
    from private.deals d join public.offers o on o.id = d.offer_id
    where d.ended_at is null and d.paid_at is null
      and d.pay_by between ((now() - interval '8 days') at time zone 'UTC')::date and ((now() - interval '12 hours') at time zone 'UTC')::date - 1
      and private.pay_by_of(o, d) is not null
    union all
    select 'pay_link', d.offer_id, (c ->> 'number')::integer, (c ->> 'at')::timestamptz
    from private.deals d, jsonb_array_elements(d.changes) as c
    where c ->> 'field' = 'link' and (c ->> 'at')::timestamptz > now() - interval '7 days'
  ) as alarm, unnest(targets) as t (target)
  where alarm.since >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
  on conflict do nothing;
$$;

create or replace function private.queue_reminders(limits jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  due record;
begin
  for due in
    select o.id, private.deal_number(d) as number, 'mailto:' || lower(o.customer_email) as target
    from private.deals d join public.offers o on o.id = d.offer_id
    where d.ended_at is null and d.paid_at is null and d.pay_by between today and today + 2
      and (d.agreed_at at time zone 'UTC')::date < d.pay_by - 2
      and d.agreed_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
      and private.pay_by_of(o, d) is not null
      and not exists (
        select from private.messages m
        where m.offer_id = o.id and m.kind = 'reminder' and m.move_number = private.deal_number(d)
      )
    order by d.pay_by, d.agreed_at
  loop
    exit when private.count_hits_unless_full(limits) > 0;
    insert into private.messages (kind, offer_id, target, locale, move_number)
    values ('reminder', due.id, due.target, private.offer_language(due.id), due.number) on conflict do nothing;
  end loop;
end;
$$;

create or replace function public.queue_overdue(targets text[], reminder_limits jsonb default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  urgent_before constant timestamptz := now() - private.reply_within() * 5 / 6;
  queued integer;
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select 'overdue', late.id, late.target, not late.announced or late.number > 20,
    case when late.announced and late.number > 20 then next_digest else now() end
  from (
    select o.id, o.created_at, o.announced, t.target,
      recent.count + row_number() over (partition by t.target, o.announced order by o.created_at) as number
    from unnest(targets) as t (target),
      lateral (
        select count(*) from private.messages m
        where m.kind = 'overdue' and m.target = t.target and m.created_at > now() - interval '10 minutes'
      ) as recent,
      lateral (
        select p.id, p.created_at,
          exists (select from private.messages m where m.offer_id = p.id and m.kind = 'offer') as announced
        from public.offers p
        where p.id in (
          select n.id from private.regular_offers n
          where n.status = 'pending' and n.created_at < urgent_before
            -- For offers from before a restore, an alarm may have been sent that the backup does not hold.
            and n.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
          -- Not "not exists": without statistics the planner chose quadratic time for it (a minute for 20,000).
          except
          select m.offer_id from private.messages m where m.kind = 'overdue' and m.target = t.target
        )
      ) as o
  ) as late
  order by late.created_at
  on conflict do nothing;
  get diagnostics queued = row_count;
  perform private.queue_deadlines(targets);
  perform private.queue_deal_alarms(targets);
  if reminder_limits is not null then
    perform private.queue_reminders(reminder_limits);
  end if;
  return queued;
end;
$$;
grant execute on function public.queue_overdue(text[], jsonb) to service_role;

create or replace function private.delivered_deal(offer public.offers, kind text, number integer) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  deal private.deals;
  change jsonb;
begin
  if kind = 'pay_link' then
    select d.* into deal from private.deals d
    where d.offer_id = offer.id and d.changes @> jsonb_build_array(jsonb_build_object('number', number));
    select c into change from jsonb_array_elements(private.deal_changes(deal, true)) as c
    where (c ->> 'number')::integer = number;
  elsif kind in ('unpaid', 'reminder') or kind in ('reply', 'move') and exists (
    select from private.offer_moves m
    where m.offer_id = offer.id and m.kind = 'accept' and m.number = delivered_deal.number
      and not exists (select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number)
  ) then
    deal := private.deal_in_force(offer.id);
  end if;
  if deal.reference is null then
    return null;
  end if;
  return jsonb_strip_nulls(
    private.payment_of(offer.id) - 'email' || to_jsonb(private.standing_amount(offer)) || jsonb_build_object(
      'number', number, 'reference', deal.reference, 'pay_by', private.pay_by_of(offer, deal), 'change', change
    )
  );
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
          case when m.kind not in ('unpaid', 'pay_link', 'reminder') then (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) end as move,
          private.delivered_deal(o, m.kind, m.move_number) as deal,
          case when m.kind <> 'reply' then (
            select v.amount from private.offer_moves v
            where v.offer_id = o.id and v.number <= m.move_number and v.amount is not null order by v.number desc limit 1
          ) end as current_amount,
          case when m.kind in ('reply', 'reminder') then private.newest_link(o.id) end as link
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

create or replace function public.acquire_messages(max integer, lease_seconds integer, sent bigint[] default '{}') returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
  waiting record;
  ids bigint[];
  deliveries jsonb := '[]';
  without_mail boolean;
begin
  -- One call at a time, so that the rows of a digest stay together.
  select coalesce(s.paused_before, '-infinity') into after from private.message_state s for update;
  if sent <> '{}' then
    perform public.mark_messages_sent(sent);
  end if;
  update private.messages m
  set failed_at = now(), dismissed_at = now(), leased_until = null, reason = 'A confirmation is not sent later than 24 hours.',
    reason_at = now()
  where m.kind = 'confirmation' and m.sent_at is null and m.failed_at is null and m.due_at <= now()
    and m.created_at <= now() - interval '24 hours';

  update private.messages m
  set failed_at = now(), dismissed_at = now(), leased_until = null, reason = 'There is nothing to pay any more.', reason_at = now()
  where m.kind = 'reminder' and m.sent_at is null and m.failed_at is null and m.due_at <= now() and not exists (
    select from private.deals d join public.offers o on o.id = d.offer_id
    where d.offer_id = m.offer_id and d.ended_at is null and d.paid_at is null
      and private.deal_number(d) = m.move_number and private.pay_by_of(o, d) is not null
  );

  for waiting in
    select f.server, oldest.kind, oldest.target from private.failing_servers f, lateral (
      select m.kind, m.target from private.messages m
      where m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
        and private.server_of(m.target) = f.server
      order by m.kind in ('confirmation', 'reply', 'reminder'), m.due_at, m.id limit 1
    ) as oldest
    where f.next_try_at <= now()
  loop
    exit when jsonb_array_length(deliveries) >= max;
    ids := private.acquire_delivery(waiting.kind, waiting.target, after, lease_seconds);
    continue when ids is null;
    deliveries := deliveries || jsonb_build_array(private.describe_delivery(ids));
    update private.failing_servers f
    set attempts = f.attempts + 1, next_try_at = now() + make_interval(secs => lease_seconds)
    where f.server = waiting.server;
  end loop;

  for waiting in
    -- The owner's targets are few: each is found by one step in the index, however many messages wait for it.
    with recursive owner_targets as (
      (select m.kind, m.target from private.messages m
       where m.sent_at is null and m.failed_at is null and m.kind > 'confirmation'
       order by m.kind, m.target limit 1)
      union all
      select further.kind, further.target from owner_targets t, lateral (
        select m.kind, m.target from private.messages m
        where m.sent_at is null and m.failed_at is null and (m.kind, m.target) > (t.kind, t.target)
        order by m.kind, m.target limit 1
      ) as further
    )
    select t.kind, t.target from owner_targets t, lateral (
      select m.due_at from private.messages m
      where m.kind = t.kind and m.target = t.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
      order by m.due_at limit 1
    ) as oldest
    where not private.is_waiting(t.target)
    order by oldest.due_at
  loop
    for delivery in 1..5 loop
      exit when jsonb_array_length(deliveries) >= max;
      ids := private.acquire_delivery(waiting.kind, waiting.target, after, lease_seconds);
      exit when ids is null;
      deliveries := deliveries || jsonb_build_array(private.describe_delivery(ids));
    end loop;
  end loop;

  without_mail := private.is_waiting('mailto:');
  ids := array(
    select m.id from private.messages m
    where not without_mail and m.sent_at is null and m.failed_at is null and m.kind = 'confirmation'
      and m.due_at <= now() and m.created_at >= after
    order by m.due_at, m.id limit greatest(max - jsonb_array_length(deliveries), 0)
    for update skip locked
  );
  if ids = '{}' then
    return deliveries;
  end if;
  perform private.give_up(ids);
  perform private.lease(ids, null, lease_seconds);
  return deliveries || coalesce((
    select jsonb_agg(private.describe_delivery(array[m.id]) order by m.id)
    from private.messages m where m.id = any(ids) and m.failed_at is null
  ), '[]');
end;
$$;
grant execute on function public.acquire_messages(integer, integer, bigint[]) to service_role;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 6;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function private.offer_conditions(filter jsonb) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  pattern constant text := '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
  -- Otherwise as private.regular_offers.
  condition text := case filter ->> 'only'
    when 'held' then 'held' when 'low' then 'low and not held' else 'not held and not low' end;
  other_key constant text := (
    select min(k.name) from jsonb_object_keys(filter) as k (name)
    where k.name not in ('term', 'status', 'domain', 'only', 'sort')
  );
begin
  if other_key is not null then
    raise exception 'The filter has an unknown key: %. Use term, status, domain, only or sort.', other_key
      using errcode = '22023';
  end if;
  if filter ->> 'only' not in ('held', 'low', 'overdue', 'message') then
    raise exception 'The filter has an unknown only: %. Use held, low, overdue or message.', filter ->> 'only'
      using errcode = '22023';
  end if;
  if char_length(term) < 3 then
    raise exception 'Type at least three characters to search for.' using errcode = '22023';
  end if;
  if filter ? 'status' then
    condition := condition || format(' and status = %L', filter ->> 'status');
  end if;
  if filter ? 'domain' then
    condition := condition || format(' and domain_name = %L', filter ->> 'domain');
  end if;
  if filter ->> 'only' = 'overdue' then
    condition := condition || format(' and status = ''pending'' and created_at < %L', now() - private.reply_within());
  end if;
  if filter ->> 'only' = 'message' then
    condition := condition || ' and exists (select from private.offer_messages t where t.offer_id = offers.id)';
  end if;
  if term is null then
    return array[condition];
  end if;
  return array[
    format(
      $sql$%s and lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) like %L$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_messages t where t.offer_id = offers.id and lower(t.message) like %L
      )$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_moves m where m.offer_id = offers.id and lower(m.amount) like %L and not exists (
          select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number and n.amount is not null
        )
      )$sql$,
      condition, pattern
    )
  ] || case when term ~ '^[a-z0-9-]{3,9}$' then array[
    format(
      $sql$%s and exists (
        select from private.deals d where d.offer_id = offers.id and lower(d.reference) like %L
      )$sql$,
      condition, pattern
    )
  ] else '{}' end;
end;
$$;

create or replace function public.standings(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(o.id, jsonb_strip_nulls(jsonb_build_object(
      'kind', coalesce(s.kind, 'close'), 'at', coalesce(s.created_at, d.agreed_at), 'valid_until', s.valid_until,
      'amount', s.amount, 'value', s.value, 'currency', s.currency, 'deal', case when d.reference is not null then
        jsonb_build_object(
          'reference', d.reference, 'pay_by', private.pay_by_of(o, d), 'paid_at', d.paid_at, 'transferred_at', d.transferred_at,
          'sold_at', d.sold_at
        ) end
    ))), '{}')
    from public.offers o
    left join private.standings s on s.offer_id = o.id
    left join private.deals d on d.offer_id = o.id and d.ended_at is null
    where o.id = any (offer_ids[1:1000]) and coalesce(s.offer_id, d.offer_id) is not null
  );
end;
$$;
grant execute on function public.standings(uuid[]) to authenticated;

create or replace function public.purge_offers(older_than interval, accepted boolean, purge boolean default false) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  ids constant uuid[] := array(
    select o.id from public.offers o
    where (o.status = 'rejected' or accepted and o.status = 'accepted') and o.created_at < now() - older_than
      and not exists (
        select from private.offer_status_changes c where c.offer_id = o.id and c.changed_at >= now() - older_than
      )
      and not exists (
        select from private.deals d
        where d.offer_id = o.id and (d.changes #>> '{-1,at}')::timestamptz >= now() - older_than
      )
    for update
  );
begin
  if purge then
    perform private.erase_offers(ids);
    delete from private.offer_status_changes c where c.offer_id = any(ids);
  end if;
  return cardinality(ids);
end;
$$;
grant execute on function public.purge_offers(interval, boolean, boolean) to service_role;

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
          'moves', private.stored_moves(o.id, 'buyer'),
          'deals', private.exported_deals(o.id)
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
      from private.messages m where m.kind in ('confirmation', 'reply', 'reminder') and m.target = 'mailto:' || lower(email)
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
            'message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'deals', private.exported_deals(o.id),
            'low', nullif(o.low, false), 'current_amount', a.amount, 'current_value', a.value, 'current_currency', a.currency
          ) || case when o.status = 'accepted' then jsonb_build_object(
            'agreed_amount', a.amount, 'agreed_value', a.value, 'agreed_currency', a.currency,
            'reference', d.reference, 'pay_by', private.pay_by_of(o, d), 'paid_at', d.paid_at,
            'transferred_at', d.transferred_at, 'sold_at', d.sold_at
          ) else '{}' end) as line
        from public.offers o
        left join private.offer_messages m on m.offer_id = o.id
        left join private.standings s on s.offer_id = o.id
        cross join lateral (
          select coalesce(s.amount, o.offer_amount) as amount, case when s.amount is null then o.value else s.value end as value,
            case when s.amount is null then nullif(o.currency, '') else s.currency end as currency
        ) as a
        left join private.deals d on d.offer_id = o.id and d.ended_at is null
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

create or replace function private.moved_table(kind text, out name text, out key text)
language plpgsql stable set search_path = ''
as $$
begin
  key := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind in ('idempotency_keys', 'offer_links') then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages', 'offer_moves', 'name_changes') then 'id'
    when kind = 'deals' then 'reference' end;
  if key is null then
    raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end if;
  name := case kind when 'offers' then 'public.offers' else format('private.%I', kind) end;
end;
$$;

create or replace function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links', 'deals') then 'offer_id' end;
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
  if kind = 'name_changes' then
    -- No server writes a file here.
    select coalesce(jsonb_agg(r || case
      when coalesce(r ->> 'written_at', r ->> 'dropped_at') is null then jsonb_build_object('dropped_at', now()) else '{}'
    end), '[]') into received from jsonb_array_elements(rows) as r;
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=". What was read in an amount may have been read here, and not there yet.
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where case kind
        when 'messages' then a.attname in ('offer_id', 'kind', 'target', 'move_number')
        when 'name_changes' then a.attname in ('batch', 'name', 'field')
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

create trigger statuses_make_deals after update of status on public.offers
  for each row when (old.status is distinct from new.status and 'accepted' in (old.status, new.status))
  execute function private.follow_status();

insert into private.deals (reference, offer_id, agreed_at)
select private.new_reference(o.domain_name), o.id, coalesce(
  (select max(m.created_at) from private.offer_moves m where m.offer_id = o.id and m.kind = 'accept'),
  (select max(c.changed_at) from private.offer_status_changes c where c.offer_id = o.id and c.new_status = 'accepted'),
  o.created_at
)
from public.offers o where o.status = 'accepted';
