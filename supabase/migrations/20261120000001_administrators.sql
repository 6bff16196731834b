-- Who administers. A row of private.admins makes a user an administrator, here and hosted alike: tokens carry
-- no role of ours, so that taking the row away acts at once. Rows are written by the owner alone (hosted: in the
-- SQL editor; embedded: by the first start). Nobody reads the table through the data API.

create schema if not exists private;
revoke all on schema private from public, anon, authenticated, service_role;

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
revoke all on table private.admins from public, anon, authenticated, service_role;

-- Whether the asking user is an administrator. It runs as its owner, because the asker may read neither
-- private.admins nor, embedded, anything of the schema auth.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from private.admins where user_id = (select auth.uid()));
$$;
revoke all on function private.is_admin() from public, anon, authenticated, service_role;

-- Policies call the function, so whoever they apply to must be able to reach it; the tables stay closed.
grant usage on schema private to authenticated;
grant execute on function private.is_admin() to authenticated;

-- Whether a given user is an administrator: admin-auth asks before it lets a session out.
create function public.is_administrator(user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (select 1 from private.admins where admins.user_id = is_administrator.user_id);
$$;
revoke all on function public.is_administrator(uuid) from public, anon, authenticated, service_role;
grant execute on function public.is_administrator(uuid) to service_role;
