-- Administrators. A row of private.admins makes a user an administrator, on the embedded backend and on a hosted
-- project alike. Tokens carry no role of this product, so that deleting the row takes effect at once. The owner writes
-- the rows (hosted: in the SQL editor; embedded: the server does at start). No role of the data API can read the table.

create schema if not exists private;
revoke all on schema private from public, anon, authenticated, service_role;

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
revoke all on table private.admins from public, anon, authenticated, service_role;

-- Returns whether the user of the request is an administrator. Runs as its owner, because the user may read neither
-- private.admins nor, on the embedded backend, the schema auth. 20261123000001 replaces it.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from private.admins where user_id = (select auth.uid()));
$$;
revoke all on function private.is_admin() from public, anon, authenticated, service_role;

-- Policies call the function with the rights of the role that they apply to. The tables of the schema stay closed.
grant usage on schema private to authenticated;
grant execute on function private.is_admin() to authenticated;

-- Returns whether a given user is an administrator. 20261123000001 drops it.
create function public.is_administrator(user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from private.admins where admins.user_id = is_administrator.user_id);
$$;
revoke all on function public.is_administrator(uuid) from public, anon, authenticated, service_role;
grant execute on function public.is_administrator(uuid) to service_role;
