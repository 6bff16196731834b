-- Rows of a database from before the first release: copies them from the schema to which supabase/before-release.sql moved
-- its tables, and drops that schema. Changes nothing in any other database. Rate limits are not copied: they begin anew.
-- On a hosted project an offer may have come since the migrations before this one: its rows stay, with other numbers.

do $$
declare
  one record;
  columns text;
begin
  if to_regnamespace('before_release') is null then
    return;
  end if;
  for one in
    select relname as name, replace(relname, '_id_seq', '') as numbered from pg_class
    where relnamespace = 'before_release'::regnamespace and relkind = 'S'
  loop
    execute format('select setval(%L, last_value, is_called) from before_release.%I', 'private.' || one.name, one.name);
    execute format('update private.%I set id = default', one.numbered);
  end loop;
  for one in
    select former.oid::regclass as source,
      (case former.relname when 'offers' then 'public.offers' when 'offer_receipts' then 'private.idempotency_keys'
        else 'private.' || former.relname end)::regclass as target
    from pg_class former
    where former.relnamespace = 'before_release'::regnamespace and former.relkind = 'r' and former.relname <> 'rate_limits'
    -- First the offers, to which other rows refer.
    order by former.relname <> 'offers'
  loop
    -- Its row comes with the table.
    if one.target = 'private.message_state'::regclass then
      delete from private.message_state;
    end if;
    -- Earlier versions lack some columns, which get their defaults.
    select string_agg(quote_ident(l.attname), ', ') into columns
    from pg_attribute l join pg_attribute f on f.attname = l.attname and f.attrelid = one.source and not f.attisdropped
    where l.attrelid = one.target and l.attnum > 0 and not l.attisdropped;
    execute format(
      'insert into %s (%s) overriding system value select %2$s from %3$s on conflict do nothing',
      one.target, columns, one.source
    );
  end loop;
  -- The owner of a hosted project may demand a second factor.
  if to_regprocedure('before_release.has_second_factor()') is not null then
    execute replace(
      pg_get_functiondef('before_release.has_second_factor()'::regprocedure), 'FUNCTION before_release.', 'FUNCTION private.'
    );
  end if;
  drop schema before_release cascade;
end;
$$;
