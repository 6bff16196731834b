-- Erasure of one customer. Their offers and receipts are deleted; the audit log stays, because it holds no personal
-- data. A row of private.erasures holds the time and the number of offers, not the customer. The owner calls the
-- function: embedded with `npm run erase`, hosted with the secret key or in the SQL editor.

create table private.erasures (
  id bigint generated always as identity primary key,
  offers integer not null,
  erased_at timestamptz not null default now()
);
revoke all on table private.erasures from public, anon, authenticated, service_role;

-- Deletes the offers of an email, in any letter case, and returns their number.
create function public.erase_customer(email text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  erased integer;
begin
  perform set_config('private.erasing', 'yes', true);
  delete from public.offers where lower(customer_email) = lower(email);
  get diagnostics erased = row_count;
  perform set_config('private.erasing', '', true);
  if erased > 0 then
    insert into private.erasures (offers) values (erased);
  end if;
  return erased;
end;
$$;
revoke all on function public.erase_customer(text) from public, anon, authenticated, service_role;
grant execute on function public.erase_customer(text) to service_role;
