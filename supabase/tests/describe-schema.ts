/** A statement that describes what the migrations made: definitions, rights and owners, one line for each, sorted. */
export const DESCRIBE_SCHEMA = `
  with schemas as (select oid, nspname, nspacl, nspowner from pg_namespace where nspname in ('public', 'private')),
  tables as (select c.oid, s.nspname || '.' || c.relname as name, c.relacl, c.relrowsecurity, c.relowner, c.relkind
    from pg_class c, schemas s where relnamespace = s.oid and relkind in ('r', 'v', 'S')),
  functions as (select p.*, s.nspname || '.' || p.proname as name from pg_proc p, schemas s
    where pronamespace = s.oid and prokind = 'f' and not exists (
      select from pg_depend d where d.objid = p.oid and d.deptype = 'e')),
  lines as (
    select concat_ws(' ', 'function', name, pg_get_function_arguments(oid), pg_get_function_result(oid),
      case provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
      case when prosecdef then 'definer' else 'invoker' end, proconfig::text, proowner::regrole,
      coalesce(proacl, acldefault('f', proowner))::text) as line
      from functions
    union all select concat_ws(' ', 'body of', name, md5(prosrc)) from functions
    union all select concat_ws(' ', 'schema', nspname, nspowner::regrole,
        coalesce(nspacl, acldefault('n', nspowner))::text) from schemas where nspname = 'private'
    union all select concat_ws(' ', 'table', name, relkind, relrowsecurity, relowner::regrole,
        coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))::text) from tables
    union all select concat_ws(' ', 'column', name, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
        attacl::text, pg_get_expr(adbin, adrelid))
      from tables t join pg_attribute on attrelid = t.oid
      left join pg_attrdef d on adrelid = attrelid and adnum = attnum
      where relkind <> 'S' and attnum > 0 and not attisdropped
    union all select concat_ws(' ', 'constraint', name, conname, pg_get_constraintdef(c.oid))
      from pg_constraint c, tables t where conrelid = t.oid
    union all select 'index ' || pg_get_indexdef(indexrelid) from pg_index, tables t where indrelid = t.oid
    union all select 'trigger ' || pg_get_triggerdef(g.oid)
      from pg_trigger g, tables t where tgrelid = t.oid and not tgisinternal
    union all select concat_ws(' ', 'policy', name, polname, polcmd, polroles::regrole[]::text,
        pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
      from pg_policy, tables t where polrelid = t.oid
    union all select concat_ws(' ', 'default privileges', coalesce(nspname, 'everywhere'), defaclrole::regrole,
        defaclobjtype, defaclacl::text)
      from pg_default_acl left join schemas s on s.oid = defaclnamespace
  )
  select line from lines order by line collate "C"`;
