-- Describes what the migrations or the schemas made, one row for each object of the schemas public and private, and of those that
-- they rest on (auth, the history of migrations): its name, the table or function that it belongs to, and its definition. Two databases are the same where their rows are. Without what
-- depends on the owner or on the version of PostgreSQL: grants are those of the data API's roles, and columns have no order.
-- Needs an empty search_path, with which every name is printed with its schema.

with roles as (
  select oid, rolname as name from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
  union all select 0, 'public'
), schemas as (
  select oid, nspname as name, nspacl, nspowner from pg_namespace where nspname in ('public', 'private', 'auth', 'supabase_migrations')
), relations as (
  select c.*, format('table %s.%s', s.name, c.relname) as name, format('%s.%s', s.name, c.relname) as path
  from pg_class c join schemas s on s.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'S') and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
  )
), functions as (
  select p.*, format('function %s.%s(%s)', s.name, p.proname, pg_get_function_identity_arguments(p.oid)) as name
  from pg_proc p join schemas s on s.oid = p.pronamespace
  where not exists (
    select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
  )
), parts as (
  select format('schema %s', name) as object, format('schema %s', name) as belongs_to, '' as definition, nspacl as acl
  from schemas where name <> 'public'
  union all
  select name, name, concat_ws(' ', relkind, relrowsecurity, case when relforcerowsecurity then 'forced' end,
      case when relkind in ('v', 'm') then concat_ws(' ', reloptions, pg_get_viewdef(oid)) end),
    relacl
  from relations
  union all
  select format('column %s.%s', r.path, a.attname), r.name,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
      pg_get_expr(d.adbin, d.adrelid)),
    a.attacl
  from relations r join pg_attribute a on a.attrelid = r.oid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  -- Those of a view follow from its text.
  where (r.relkind in ('r', 'p') or a.attacl is not null) and a.attnum > 0 and not a.attisdropped
  union all
  -- "not null" is one from PostgreSQL 18 on.
  select format('constraint %s.%s', r.path, c.conname), r.name, pg_get_constraintdef(c.oid), null
  from relations r join pg_constraint c on c.conrelid = r.oid where c.contype <> 'n'
  union all
  select format('index %s', i.indexrelid::regclass), r.name, pg_get_indexdef(i.indexrelid), null
  from relations r join pg_index i on i.indrelid = r.oid
  union all
  select format('trigger %s.%s', r.path, g.tgname), r.name, concat_ws(' ', g.tgenabled, pg_get_triggerdef(g.oid)), null
  from relations r join pg_trigger g on g.tgrelid = r.oid where not g.tgisinternal
  union all
  select format('policy %s.%s', r.path, p.polname), r.name,
    concat_ws(' ', p.polcmd, p.polpermissive, array(
      select coalesce(n.name, role::regrole::text) from unnest(p.polroles) as role left join roles n on n.oid = role order by 1
    ), pg_get_expr(p.polqual, p.polrelid), 'with check', pg_get_expr(p.polwithcheck, p.polrelid)),
    null
  from relations r join pg_policy p on p.polrelid = r.oid
  union all
  select f.name, f.name,
    concat_ws(' ', pg_get_function_arguments(f.oid), pg_get_function_result(f.oid), l.lanname, f.provolatile,
      case when f.prosecdef then 'definer' end, f.proisstrict, f.proparallel, f.proconfig, f.prosrc),
    coalesce(f.proacl, acldefault('f', f.proowner))
  from functions f join pg_language l on l.oid = f.prolang
  union all
  -- Of the role that made the tables: rights everywhere, and those that the two schemas add.
  select kind.name, kind.name, '', coalesce(
    (select d.defaclacl from pg_default_acl d
     where d.defaclrole = o.relowner and d.defaclnamespace = 0 and d.defaclobjtype = kind.letter),
    acldefault(kind.letter, o.relowner)
  ) || (
    select array_agg(added) from pg_default_acl d join schemas s on s.oid = d.defaclnamespace, unnest(d.defaclacl) as added
    where d.defaclrole = o.relowner and d.defaclobjtype = kind.letter
  )
  from relations o, (values
    ('default privileges of tables', 'r'::"char"), ('default privileges of sequences', 'S'),
    ('default privileges of functions', 'f')
  ) as kind (name, letter)
  where o.name = 'table public.offers'
)
select object, belongs_to, concat_ws(' ', definition, (
  select string_agg(format('%s: %s%s', r.name, a.privilege_type, case when a.is_grantable then ' with grant option' end), ', '
    order by r.name, a.privilege_type)
  from aclexplode(acl) as a join roles r on r.oid = a.grantee
)) as definition
from parts
