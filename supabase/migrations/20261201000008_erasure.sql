-- Erasure of customers. A row of private.erasures holds the time of one erasure and the number of its offers, a row of
-- private.erased_offers the id of one erased offer, so that `npm run move` neither brings it back to a hosted project nor
-- leaves it there: ids are random and name no person. What refers to the offers is deleted with them; the history of statuses
-- stays, because it holds no personal data. Written by erase_customer, which the owner calls with `npm run erase`, by
-- remove_offer, which administrators call in the dashboard, and by receive_rows; read by the calls of npm run move. The tables are closed.

create table private.erasures (
  id bigint generated always as identity primary key,
  offers integer not null,
  erased_at timestamptz not null default now()
);
alter table private.erasures enable row level security;

create table private.erased_offers (offer_id uuid primary key);
alter table private.erased_offers enable row level security;

-- Deletes the offers, stores their ids, and returns how many there were.
create function private.erase_offers(ids uuid[]) returns integer
language plpgsql set search_path = ''
as $$
declare
  erased integer;
begin
  insert into private.erased_offers select unnest(ids) on conflict do nothing;
  perform set_config('private.erasing', 'yes', true);
  delete from public.offers o where o.id = any(ids);
  get diagnostics erased = row_count;
  perform set_config('private.erasing', '', true);
  return erased;
end;
$$;

-- Deletes the offers of an email, in any letter case, and any other confirmation to it; returns the number of offers.
create function public.erase_customer(email text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  erased constant integer := private.erase_offers(
    array(select o.id from public.offers o where lower(o.customer_email) = lower(email))
  );
begin
  delete from private.messages m where m.kind = 'confirmation' and m.target = 'mailto:' || lower(email);
  if erased > 0 then
    insert into private.erasures (offers) values (erased);
  end if;
  return erased;
end;
$$;
grant execute on function public.erase_customer(text) to service_role;

-- Deletes one offer, such as one of a program, with what goes with it, and returns whether it was there. Nothing about the
-- customer is noted: backups made earlier still hold the offer, and a restored one brings it back.
create function public.remove_offer(offer_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  perform private.require_admin();
  removed := private.erase_offers(array(select o.id from public.offers o where o.id = remove_offer.offer_id));
  if removed > 0 then
    insert into private.erasures (offers) values (removed);
  end if;
  return removed > 0;
end;
$$;
grant execute on function public.remove_offer(uuid) to authenticated;
