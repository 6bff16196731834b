-- Offers. A row is one offer of a visitor for one domain. Only submit_offer inserts rows; administrators read them and
-- change their status; service_role may read them. Texts are stored as entered; lengths count code points, as the
-- contract's OFFER_LIMITS do.

create table public.offers (
  id uuid primary key default gen_random_uuid(),
  domain_name text not null check (char_length(domain_name) between 1 and 253),
  offer_amount text not null check (char_length(offer_amount) between 1 and 500),
  customer_name text not null check (char_length(customer_name) between 1 and 200),
  customer_email text not null check (char_length(customer_email) between 3 and 254),
  created_at timestamptz not null default now(),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'negotiating'))
);

create index offers_newest_first on public.offers (created_at desc, id desc);
create index offers_by_status on public.offers (status, created_at desc, id desc);
create index offers_by_customer on public.offers (lower(customer_email));

alter table public.offers enable row level security;
revoke all on table public.offers from public, anon, authenticated, service_role;
grant select on table public.offers to authenticated;
grant update (status) on table public.offers to authenticated;
-- For export with the secret key on a hosted project.
grant select on table public.offers to service_role;

create policy "administrators read every offer" on public.offers
  for select to authenticated using ((select private.is_admin()));
create policy "administrators change the status of any offer" on public.offers
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

-- Rejects changes of other columns also where the column grant does not, because a backend has granted more than the
-- migrations did (@supabase/lite 0.10 does so).
create function private.refuse_change_but_status() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if to_jsonb(new) - 'status' is distinct from to_jsonb(old) - 'status' then
    raise exception 'Only the status of an offer can be changed.' using errcode = '42501';
  end if;
  return new;
end;
$$;
revoke all on function private.refuse_change_but_status() from public, anon, authenticated, service_role;
create trigger only_the_status_changes before update on public.offers
  for each row execute function private.refuse_change_but_status();

-- Rejects every delete except those of erase_customer.
create function private.refuse_removal() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erasing', true) = 'yes' then
    return old;
  end if;
  raise exception 'Offers are kept. To erase one customer, use erase_customer.' using errcode = '42501';
end;
$$;
revoke all on function private.refuse_removal() from public, anon, authenticated, service_role;
create trigger offers_are_kept before delete on public.offers
  for each row execute function private.refuse_removal();
create trigger offers_are_not_truncated before truncate on public.offers
  for each statement execute function private.refuse_removal();
