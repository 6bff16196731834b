-- Erasing one customer. Their offers and receipts go; the audit stays, since it holds no personal data; a row of
-- private.erasures says when and how many, not who. The owner calls it: embedded through `npm run erase`, hosted with
-- the secret key or in the SQL editor.

create table private.erasures (
  id bigint generated always as identity primary key,
  offers integer not null,
  erased_at timestamptz not null default now()
);
revoke all on table private.erasures from public, anon, authenticated, service_role;

-- Answers how many offers were erased. The address is compared without regard to letter case.
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
