-- Rows that are received have every column: no database lacks one.

create or replace function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links') then 'offer_id' end;
  received jsonb := rows;
  columns text;
  is_same text;
  present bigint;
  total bigint;
begin
  -- The call of a run that was killed may still be at work: rows without a unique key would be inserted twice.
  perform pg_advisory_xact_lock(hashtextextended('receive_rows', 0));
  if offer_column is not null then
    select coalesce(jsonb_agg(r.value order by r.ordinality), '[]') into received
    from jsonb_array_elements(rows) with ordinality as r
    where not exists (select from private.erased_offers e where e.offer_id = (r.value ->> offer_column)::uuid);
  end if;
  if kind = 'erased_offers' then
    perform private.erase_offers(array(select (r ->> 'offer_id')::uuid from jsonb_array_elements(rows) as r));
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=".
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where kind <> 'messages' or a.attname in ('offer_id', 'kind', 'target', 'move_number'))
  into columns, is_same
  from pg_attribute a
  where a.attrelid = target.name::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = '';
  -- The table and its columns are parameters.
  execute format(
    $sql$
    insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1) as r
    where not exists (select from %1$s t where %3$s) order by r.%4$I on conflict do nothing
    $sql$,
    target.name, columns, is_same, target.key
  ) using received;
  execute format(
    $sql$
    select count(*) filter (where exists (select from %1$s t where %2$s)), (select count(*) from %1$s)
    from jsonb_populate_recordset(null::%1$s, $1) as r
    $sql$,
    target.name, is_same
  ) into present, total using received;
  return jsonb_build_object(
    'present', present, 'erased', jsonb_array_length(rows) - jsonb_array_length(received), 'total', total
  );
end;
$$;
grant execute on function public.receive_rows(text, jsonb) to service_role;
