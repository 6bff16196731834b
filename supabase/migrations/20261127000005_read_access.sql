-- What the roles of the data API may do, and what guards the rows, as sorted lines of text. For service_role alone:
-- `npm run deploy:backend -- --check` compares it with node/hosted-project/expected-access.ts, because from outside a table
-- without row level security looks like an empty one.
create function public.read_access() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with tables as (
    select c.oid, c.relname, c.relrowsecurity, c.relacl, regexp_replace(c.oid::regclass::text, '^public\.', '') as name
    from pg_class c where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), functions as (
    select regexp_replace(p.oid::regproc::text, '^public\.', '') as name,
      coalesce(p.proacl, acldefault('f', p.proowner)) as acl
    from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), rights as (
    select a.grantee, a.privilege_type as privilege, t.name from tables t, aclexplode(t.relacl) a
    union all
    select a.grantee, a.privilege_type, format('%s(%s)', t.name, c.attname)
    from tables t join pg_attribute c on c.attrelid = t.oid, aclexplode(c.attacl) a
    union all
    select a.grantee, a.privilege_type, f.name from functions f, aclexplode(f.acl) a
    union all
    select a.grantee, a.privilege_type, n.nspname from pg_namespace n, aclexplode(n.nspacl) a
    where n.nspname = 'private'
  ), named as (
    select case r.grantee when 0 then 'public' else r.grantee::regrole::text end as role, r.privilege, r.name from rights r
  ), lines as (
    select format('%s: %s on %s', role, privilege, name) as line from named
    where role in ('public', 'anon', 'authenticated', 'service_role')
    union all
    select format('row level security on %s', name) from tables where relrowsecurity
    union all
    select format('policy on %s for %s to %s using %s', p.tablename, p.cmd, array_to_string(p.roles, ', '),
      concat_ws(' with check ', p.qual, p.with_check))
    from pg_policies p where p.schemaname in ('public', 'private')
    union all
    select format('trigger %s on %s', g.tgname, t.name) from pg_trigger g join tables t on t.oid = g.tgrelid
    where not g.tgisinternal and g.tgenabled in ('O', 'A')
  )
  select coalesce(jsonb_agg(line order by line collate "C"), '[]') from lines;
$$;
revoke all on function public.read_access() from public, anon, authenticated, service_role;
grant execute on function public.read_access() to service_role;
