-- Deals: what becomes of an accepted offer. A row of private.deals is one acceptance: its steps, the date of its payment, and where
-- the buyer pays. A trigger begins a deal when the status of an offer becomes accepted, by a move of either side or by hand, and
-- ends it when it becomes another, so that an offer has a deal in force exactly while it is accepted. Besides it the functions
-- of negotiations.sql write rows, and receive_rows. Deals go with their offer when it is erased, and leave their reference in
-- private.erased_references, so that it is never given again: it has letters of the owner's name alone. The tables are closed.

create table private.deals (
  -- LAP-7F3K: for both sides, and for the payment. No two deals have the same, ended ones included.
  reference text primary key check (reference ~ '^[A-Z0-9]{1,4}-[A-Z0-9]{4}$'),
  offer_id uuid not null references public.offers (id) on delete cascade,
  agreed_at timestamptz not null default now(),
  paid_at timestamptz,
  transferred_at timestamptz,
  sold_at timestamptz,
  pay_by date,
  -- Chosen by the owner. Null: the first that there is of private.pay_ways.
  way text check (way in ('template', 'link', 'closing')),
  -- Of a payment, for this deal alone: without user name, password and port.
  link text check (char_length(link) <= 2000 and link ~ '^https://[a-z0-9.-]+(/[!-~]*)?$' and link !~ '[\\"<>]'),
  -- Changes of the owner, oldest first: [{"number" (counts on over the deals of an offer), "field" (paid, transferred, sold,
  -- pay_by, link or way), "from", "to", "at", "by" (the administrator)}].
  changes jsonb not null default '[]',
  ended_at timestamptz,
  -- The status of the offer after it.
  ended_as text,
  constraint steps_in_order check (
    (transferred_at is null or paid_at is not null) and (sold_at is null or transferred_at is not null)
  ),
  constraint ended_has_status check ((ended_at is null) = (ended_as is null))
);
create unique index deals_in_force on private.deals (offer_id) where ended_at is null;
create index deals_by_offer on private.deals (offer_id, agreed_at);
create index deals_to_be_paid on private.deals (pay_by) where ended_at is null and paid_at is null;
-- For the dashboard's search.
create index deals_by_reference on private.deals using gin (lower(reference) extensions.gin_trgm_ops);
alter table private.deals enable row level security;
create trigger deals_are_not_deleted before delete on private.deals
  for each row execute function private.reject_removal();
create table private.erased_references (reference text primary key);
alter table private.erased_references enable row level security;
create function private.keep_reference() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.erased_references values (old.reference) on conflict do nothing;
  return null;
end;
$$;
create trigger deals_leave_references after delete on private.deals
  for each row execute function private.keep_reference();
create trigger ended_deals_are_not_changed before update on private.deals
  for each row when (old.ended_at is not null or new.reference <> old.reference or new.offer_id <> old.offer_id)
  execute function private.reject_removal();

-- Whether a deal has the reference, or had it.
create function private.is_reference_given(reference text) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.deals d where d.reference = is_reference_given.reference)
    or exists (select from private.erased_references e where e.reference = is_reference_given.reference);
$$;

-- A reference that no deal has or had: up to four letters or digits of the name, then four signs without look-alikes.
create function private.new_reference(name text) returns text
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
    exit when not private.is_reference_given(made);
  end loop;
  return made;
end;
$$;

-- The deal of an accepted offer; a row of nulls for another.
create function private.deal_in_force(offer_id uuid) returns private.deals
language sql stable set search_path = ''
as $$ select d.* from private.deals d where d.offer_id = deal_in_force.offer_id and d.ended_at is null; $$;

-- Number of the last change of the offer's deals, 0 where there is none.
create function private.last_deal_change(offer_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(max((d.changes #>> '{-1,number}')::integer), 0)
  from private.deals d where d.offer_id = last_deal_change.offer_id;
$$;

-- The amount that counts: the one that was named last, which is agreed where the offer is accepted.
create function private.standing_amount(offer public.offers, out amount text, out value numeric, out currency text)
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

-- Whether a link leads to a host that the catalogue lists: a session alone cannot send a payment to another.
create function private.is_pay_link(link text) returns boolean
language sql stable set search_path = ''
as $$
  select coalesce((
    select c.settings -> 'checkoutHosts' ? substring(link from '^https://([^/]+)') from private.published_catalogue c
  ), false);
$$;

-- The customer of the other deal in force for the name that goes first: a paid one, else the one that was agreed first. Statuses
-- set by hand can accept two offers for one name, and only one of them may be paid. Null where there is none.
create function private.deal_ahead(offer public.offers, deal private.deals) returns text
language sql stable set search_path = ''
as $$
  select o.customer_name
  from public.offers o join private.deals d on d.offer_id = o.id and d.ended_at is null
  where o.domain_name = offer.domain_name and o.status = 'accepted' and o.id <> offer.id and deal.paid_at is null
    and (deal.reference is null or d.paid_at is not null or (d.agreed_at, d.reference) < (deal.agreed_at, deal.reference))
  order by d.paid_at is null, d.agreed_at, d.reference limit 1;
$$;

-- The ways to pay that the buyer of a deal can have, the usual one first; before the acceptance those that a deal would have. A
-- button needs an amount that can be read in one way. None for a name that was sold before the payment, or with another deal ahead.
create function private.pay_ways(offer public.offers, deal private.deals) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  settings constant jsonb := (select c.settings from private.published_catalogue c);
  agreed constant record := private.standing_amount(offer);
  listed private.listings;
  has_amount boolean;
begin
  select l.* into listed from private.listings l where l.name = offer.domain_name;
  if listed.state = 'sold' and deal.paid_at is null or private.deal_ahead(offer, deal) is not null then
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

-- Where the buyer of a deal pays; null where nothing says so.
create function private.pay_way(offer public.offers, deal private.deals) returns text
language plpgsql stable set search_path = ''
as $$
declare
  ways constant text[] := private.pay_ways(offer, deal);
begin
  return case when deal.way = any (ways) then deal.way else ways[1] end;
end;
$$;

-- "Pay by" of a deal that begins, or whose first way to pay appears; null without `payDays`, and where the buyer cannot see how.
create function private.first_pay_by(offer public.offers, deal private.deals) returns date
language plpgsql stable set search_path = ''
as $$
begin
  return case when private.pay_way(offer, deal) is not null then
    (now() at time zone 'UTC')::date + (select (c.settings ->> 'payDays')::integer from private.published_catalogue c) end;
end;
$$;

-- "Pay by" as both sides see it, and messages: null where the buyer does not see how to pay.
create function private.pay_by_of(offer public.offers, deal private.deals) returns date
language plpgsql stable set search_path = ''
as $$
begin
  return case when private.pay_way(offer, deal) is not null then deal.pay_by end;
end;
$$;

-- The number of messages about "Pay by" of a deal: that of the deal among those of its offer, from 1, then that of the date, so
-- that a date that was moved has its own.
create function private.pay_by_number(deal private.deals) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer * 100000 + (deal.pay_by - date '2000-01-01') from private.deals d
  where d.offer_id = deal.offer_id and (d.agreed_at, d.ended_at is null) <= (deal.agreed_at, deal.ended_at is null);
$$;

-- What the edge functions need to show where to pay; the buyer gets no more of it than what is in force.
create function private.payment_of(offer_id uuid) returns jsonb
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
    'email', offer.customer_email, 'taken_by', private.deal_ahead(offer, deal)
  ));
end;
$$;

-- A deal as a side sees it, see the contract's DealSchema; null for a row of nulls.
create function private.describe_deal(offer public.offers, deal private.deals, viewer text) returns jsonb
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

-- The changes of a deal, for the owner with the administrator's email in place of the id.
create function private.deal_changes(deal private.deals, named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(c - 'by' || case when named then jsonb_build_object('by', u.email) else '{}' end order by at), '[]')
  from jsonb_array_elements(deal.changes) with ordinality as n (c, at)
  left join auth.users u on u.id = (c ->> 'by')::uuid;
$$;

-- Deals of an offer, oldest first, with the fields that exports and erasures show.
create function private.exported_deals(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_strip_nulls(
    to_jsonb(d) - 'offer_id' || jsonb_build_object('changes', private.deal_changes(d, false))
  ) order by d.agreed_at, d.ended_at)
  from private.deals d where d.offer_id = exported_deals.offer_id;
$$;

-- Begins and ends deals, see above, and counts them for their name. One that ends within an hour was taken back.
create function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  begun private.deals;
  begun_at timestamptz;
begin
  update private.deals d set ended_at = now(), ended_as = new.status where d.offer_id = new.id and d.ended_at is null
  returning d.agreed_at into begun_at;
  if begun_at > now() - interval '1 hour' then
    perform private.count_offers_of(new.domain_name, (begun_at at time zone 'UTC')::date, 0, -1);
  end if;
  if new.status = 'accepted' then
    insert into private.deals (reference, offer_id, pay_by)
    values (private.new_reference(new.domain_name), new.id, private.first_pay_by(new, begun));
    perform private.count_offers_of(new.domain_name, (now() at time zone 'UTC')::date, 0, 1);
  end if;
  return null;
end;
$$;
create trigger statuses_make_deals after update of status on public.offers
  for each row when (old.status is distinct from new.status and 'accepted' in (old.status, new.status))
  execute function private.follow_status();

-- Makes a change of the owner's at the deal in force, {"reference", "seen", "field", "to"}: see the contract's DealChangeSchema.
-- Returns `made`; `repeated` where it is so already; `moved` where the deal has ended, or was changed since the caller saw it;
-- `not_possible`; `too_many` after 200 changes. Moves of the name wait for it, and a status that is set by hand.
create function private.change_deal(changed_offer uuid, change jsonb) returns text
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
