-- Offers, the messages of visitors, and the history of statuses. A row of public.offers is one offer of a visitor for one
-- domain; a row of private.offer_messages is the message that the customer added, in a table of its own so that the columns of
-- offers stay as they are; a row of private.offer_status_changes is one change of a status. submit_offer inserts offers and
-- messages; administrators read them and change the status; a trigger writes the history, which holds no personal data of
-- customers and stays when one is erased. service_role may read offers. Texts are stored as entered; lengths count code points,
-- as the contract's OFFER_LIMITS do.
-- An offer is held where a limit was full, and low where it is below the owner's minimum for the domain. Neither is in the
-- lists, counts and alarms of the others; what is both is held in all of that.

create table public.offers (
  id uuid primary key default gen_random_uuid(),
  domain_name text not null check (char_length(domain_name) between 1 and 253),
  offer_amount text not null check (char_length(offer_amount) between 1 and 500),
  customer_name text not null check (char_length(customer_name) between 1 and 200),
  customer_email text not null check (char_length(customer_email) between 3 and 254),
  created_at timestamptz not null default now(),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'negotiating')),
  -- submit_offer writes both, and they never change, whatever the catalogue says later.
  held boolean not null default false,
  low boolean not null default false,
  -- The amount that was read in offer_amount, in units of the currency.
  value numeric check (abs(value) < 1e15 and value = round(value, 2)),
  -- A code of ISO 4217; empty: the text is no clear amount. Null: not read yet, as in offers from before these columns. What was
  -- read once never changes.
  currency text check (currency ~ '^([A-Z]{3})?$'),
  constraint value_has_currency check ((value is null) = (coalesce(currency, '') = ''))
);

-- What a visitor fills in, and the domain: the contract's VISITOR_FIELDS. Of an offer as JSON these texts alone are stored, and
-- are in messages; one that is missing is empty.
create function private.offer_texts(offer jsonb) returns jsonb
language sql immutable set search_path = ''
as $$
  select jsonb_object_agg(field, coalesce(offer ->> field, ''))
  from unnest(array['domain_name', 'offer_amount', 'customer_name', 'customer_email']) as field;
$$;

create index offers_newest_first on public.offers (created_at desc, id desc);
create index offers_held on public.offers (created_at desc, id desc) where held;
create index offers_low on public.offers (created_at desc, id desc) where low and not held;
create index offers_unread on public.offers (id) where currency is null;
create index offers_by_customer on public.offers (lower(customer_email));
-- Both count without reading rows of the table, and list in the order of the pages.
create index offers_by_status on public.offers (status, held, low, created_at desc, id desc);
create index offers_by_domain on public.offers (domain_name, held, created_at desc, id desc);
-- For the page of names, and for the acceptance of one offer alone.
create index offers_in_play on public.offers (domain_name, status)
  where not held and not low and status in ('pending', 'negotiating');
create index offers_accepted on public.offers (domain_name, created_at desc) where status = 'accepted';

-- For the dashboard's search.
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create index offers_by_text on public.offers using gin (
  lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) extensions.gin_trgm_ops
)
-- Kilobytes of new entries that wait to be merged: 0.125 of the usual, since a search reads them one by one, and the offer
-- that merges them waits.
with (gin_pending_list_limit = 512);

alter table public.offers enable row level security;
grant select on table public.offers to authenticated;
grant update (status) on table public.offers to authenticated;
-- For export with the secret key on a hosted project.
grant select on table public.offers to service_role;

create policy "administrators read every offer" on public.offers
  for select to authenticated using ((select private.is_admin()));
create policy "administrators change the status of any offer" on public.offers
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

-- The offers that are neither held nor low: those that lists, counts and alarms show unless they say otherwise.
create view private.regular_offers with (security_invoker = true) as
  select * from public.offers where not held and not low;

-- Rejects changes of other columns also where a backend has granted more than the migrations did. An amount is read once.
create function private.reject_change_but_status() returns trigger
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
create trigger only_the_status_changes before update on public.offers
  for each row execute function private.reject_change_but_status();

-- Rejects every delete except those of private.erase_offers, and every change of rows that are only added.
create function private.reject_removal() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erasing', true) = 'yes' then
    return old;
  end if;
  raise exception 'Offers are kept. To erase one customer, use erase_customer.' using errcode = '42501';
end;
$$;
create trigger offers_are_not_deleted before delete on public.offers
  for each row execute function private.reject_removal();
create trigger offers_are_not_truncated before truncate on public.offers
  for each statement execute function private.reject_removal();

create table private.offer_messages (
  offer_id uuid primary key references public.offers (id) on delete cascade,
  message text not null check (char_length(message) between 1 and 1000)
);
-- For the dashboard's search, as offers_by_text.
create index offer_messages_by_text on private.offer_messages using gin (lower(message) extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 512);
alter table private.offer_messages enable row level security;

create table private.offer_status_changes (
  id bigint generated always as identity primary key,
  offer_id uuid not null,
  old_status text not null,
  new_status text not null,
  -- Null if the change did not come through the data API.
  changed_by uuid,
  changed_at timestamptz not null default now()
);
create index offer_status_changes_by_offer on private.offer_status_changes (offer_id, changed_at);
alter table private.offer_status_changes enable row level security;

create function private.log_status_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.offer_status_changes (offer_id, old_status, new_status, changed_by)
  values (new.id, old.status, new.status, (select auth.uid()));
  return null;
end;
$$;
create trigger status_changes_are_logged after update of status on public.offers
  for each row when (old.status is distinct from new.status)
  execute function private.log_status_change();
