-- Administrators list the names of the catalogue and change them: a change is in force at once, with its history, and publications
-- leave it until a build has read the owner's file with it. A listing has the amount of its price, and the published catalogue the
-- time before it was read, and its number of names. Amounts of listings follow with the next publication.

alter table private.listings add column value numeric;
alter table private.published_catalogue
  add column read_at timestamptz,
  add column names integer not null default 0;
update private.published_catalogue set names = (select count(*) from private.listings);
create index offers_in_play on public.offers (domain_name, status)
  where not held and not low and status in ('pending', 'negotiating');
create index offers_accepted on public.offers (domain_name, created_at desc) where status = 'accepted';
create table private.name_changes (
  id bigint generated always as identity primary key,
  batch uuid not null,
  name text not null check (char_length(name) between 1 and 253),
  field text not null check (field ~ '^(state|price|minimum|entry|description\.[A-Za-z-]{2,35})$'),
  old_value text check (char_length(old_value) <= 5000),
  new_value text check (char_length(new_value) <= 5000),
  replaced jsonb,
  changed_at timestamptz not null default now(),
  changed_by uuid,
  written_at timestamptz,
  dropped_at timestamptz,
  found text,
  unique (batch, name, field),
  constraint written_or_dropped check (written_at is null or dropped_at is null)
);
create index name_changes_by_name on private.name_changes (name, id desc);
create index name_changes_since on private.name_changes (written_at) where dropped_at is null;
alter table private.name_changes enable row level security;
create view private.current_amounts with (security_invoker = true) as
  select o.domain_name, o.status, o.held, o.low, o.created_at,
    coalesce(m.amount, o.offer_amount) as amount, case when m.amount is null then o.value else m.value end as value,
    nullif(case when m.amount is null then o.currency else m.currency end, '') as currency
  from public.offers o
  left join lateral (
    select n.amount, n.value, n.currency from private.offer_moves n
    where o.status <> 'pending' and n.offer_id = o.id and n.amount is not null order by n.number desc limit 1
  ) as m on true;

drop function private.store_minimums(entries jsonb);

drop function public.publish_listings(entries jsonb, hosts text[], keep_previous boolean, language text, build text, built_at timestamp with time zone, settings jsonb);

create or replace function public.publish_listings(
  entries jsonb, hosts text[], keep_previous boolean, language text default 'en', build text default null,
  built_at timestamptz default null, settings jsonb default '{}', read_at timestamptz default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  read constant timestamptz := least(coalesce(read_at, built_at, '-infinity'), now());
  new_version bigint;
  changed text[];
begin
  if jsonb_typeof(entries) is distinct from 'array' or hosts is null or keep_previous is null or language is null then
    raise exception 'entries must be an array; hosts, keep_previous and language must not be null' using errcode = '22023';
  end if;
  -- One publication after the other.
  perform pg_advisory_xact_lock(hashtext('private.listings'));
  if exists (
    select from private.published_catalogue c
    where c.built_at > coalesce(publish_listings.built_at, '-infinity') and c.built_at <= now()
  ) then
    raise exception 'The catalogue of a newer build is published.' using errcode = 'PT409';
  end if;

  changed := array(select c.name from private.changes_since(read) as c where c.field in ('state', 'price', 'minimum'));
  insert into private.listings as l (name, state, price, value, currency, minimum, minimum_currency)
  select e ->> 'name', coalesce(e ->> 'state', 'for_sale'), e ->> 'price', (e ->> 'value')::numeric, e ->> 'currency',
    (e #>> '{minimum,amount}')::numeric, e #>> '{minimum,currency}'
  from jsonb_array_elements(entries) as e
  on conflict (name) do update
    set state = case when keep_previous and l.state = 'for_sale' then l.state else excluded.state end,
        price = excluded.price, value = excluded.value, currency = excluded.currency, minimum = excluded.minimum,
        minimum_currency = excluded.minimum_currency
    where l.name <> all (changed) and (l.*) is distinct from (excluded.*);
  if not keep_previous then
    delete from private.listings l
    where l.name not in (select e ->> 'name' from jsonb_array_elements(entries) as e);
  end if;

  insert into private.published_catalogue as c (version, hosts, language, build, names)
  values (
    1, publish_listings.hosts, publish_listings.language, publish_listings.build, (select count(*) from private.listings)
  )
  on conflict (only_row) do update
    set version = c.version + 1,
        hosts = case
          when keep_previous then excluded.hosts
            || array(select old from unnest(c.hosts) as old where old <> all (excluded.hosts))
          else excluded.hosts
        end,
        language = excluded.language,
        names = excluded.names,
        build = case when keep_previous then c.build else excluded.build end
  returning version into new_version;
  -- A build that is not served yet may still be given up.
  if not keep_previous then
    update private.published_catalogue as c
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end,
        read_at = read,
        settings = publish_listings.settings;
  end if;
  return new_version;
end;
$$;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb, timestamptz) to service_role;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 5;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function private.changes_since(read_at timestamptz) returns setof private.name_changes
language sql stable set search_path = ''
as $$
  select c.* from private.name_changes c
  where c.dropped_at is null
    and (c.written_at > changes_since.read_at
      or c.written_at is null and c.changed_at > changes_since.read_at - interval '10 minutes');
$$;

create or replace function private.set_listing(listed_name text, columns jsonb) returns jsonb
language plpgsql set search_path = ''
as $$
declare
  before private.listings;
begin
  select l.* into before from private.listings l where l.name = listed_name;
  if before.name is null then
    return null;
  end if;
  update private.listings l
  set (state, price, value, currency, minimum, minimum_currency) = (
    select r.state, r.price, r.value, r.currency, r.minimum, r.minimum_currency
    from jsonb_populate_record(before, columns) as r
  )
  where l.name = listed_name;
  return (select coalesce(jsonb_object_agg(k, to_jsonb(before) -> k), '{}') from jsonb_object_keys(columns) as k);
end;
$$;

create or replace function private.raise_version() returns void
language sql set search_path = ''
as $$ update private.published_catalogue c set version = c.version + 1; $$;

create or replace function public.change_names(batch uuid, changes jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  administrator constant uuid := auth.uid();
  account constant text := encode(sha256(convert_to(administrator::text, 'UTF8')), 'hex');
  limits jsonb := jsonb_build_array(
    jsonb_build_object('bucket', 'names.account', 'key', account, 'max', 200, 'window', 600)
  );
  stored jsonb;
  ids jsonb;
  changed jsonb;
  wait integer;
begin
  perform private.require_admin();
  if batch is null or jsonb_typeof(changes) is distinct from 'array' then
    raise exception 'batch must not be null, and changes must be an array.' using errcode = '22023';
  end if;
  if jsonb_array_length(changes) > 500 then
    raise exception 'Change at most 500 fields at once.' using errcode = '22023';
  end if;
  if jsonb_array_length(changes) = 0 then
    return jsonb_build_object('outcome', 'made', 'ids', changes);
  end if;
  -- Of publications, too.
  perform pg_advisory_xact_lock(hashtext('private.listings'));

  select jsonb_agg(c.id order by c.id),
    jsonb_agg(jsonb_build_array(c.name, c.field, c.old_value, c.new_value, c.changed_by) order by c.id)
  into ids, stored from private.name_changes c where c.batch = change_names.batch;
  if ids is not null then
    if stored <> (
      select jsonb_agg(jsonb_build_array(n -> 'name', n -> 'field', n ->> 'from', n ->> 'to', administrator) order by at)
      from jsonb_array_elements(changes) with ordinality as t (n, at)
    ) then
      raise exception 'The batch % has other changes.', batch using errcode = '22023';
    end if;
    return jsonb_build_object('outcome', 'repeated', 'ids', ids);
  end if;

  select jsonb_agg(jsonb_build_object('name', s.name, 'field', s.field, 'value', s.new_value)) into changed
  from jsonb_array_elements(changes) as n
  join (
    select distinct on (c.name, c.field) c.*
    from private.changes_since(coalesce((select p.read_at from private.published_catalogue p), '-infinity')) as c
    where c.written_at is null
    order by c.name, c.field, c.id desc
  ) as s on s.name = n ->> 'name' and s.field = n ->> 'field' and s.new_value is distinct from n ->> 'from';
  if changed is not null then
    return jsonb_build_object('outcome', 'changed', 'changed', changed);
  end if;

  if jsonb_array_length(changes) > 20 then
    limits := limits || jsonb_build_object('bucket', 'names.many', 'key', account, 'max', 20, 'window', 600);
  end if;
  wait := private.count_hits_unless_full(limits);
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;

  with made as (
    insert into private.name_changes (batch, name, field, old_value, new_value, changed_by, replaced)
    select change_names.batch, n ->> 'name', n ->> 'field', n ->> 'from', n ->> 'to', administrator,
      private.set_listing(n ->> 'name', (n -> 'listing') - 'minimum' || case
        when n -> 'listing' ? 'minimum' then jsonb_build_object(
          'minimum', n #> '{listing,minimum,amount}', 'minimum_currency', n #> '{listing,minimum,currency}'
        ) else '{}' end)
    from (
      select t.n from jsonb_array_elements(changes) with ordinality as t (n, at) order by t.at
    ) as ordered
    returning id
  )
  select jsonb_agg(m.id order by m.id) into ids from made m;
  perform private.raise_version();
  return jsonb_build_object('outcome', 'made', 'ids', ids);
end;
$$;
grant execute on function public.change_names(uuid, jsonb) to authenticated;

create or replace function public.read_open_name_changes() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'batch', c.batch, 'name', c.name, 'field', c.field, 'from', c.old_value, 'to', c.new_value,
    'changed_at', c.changed_at
  ) order by c.id), '[]')
  from private.name_changes c where c.written_at is null and c.dropped_at is null;
$$;
grant execute on function public.read_open_name_changes() to service_role;

create or replace function public.mark_name_changes(written bigint[], dropped jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
begin
  perform pg_advisory_xact_lock(hashtext('private.listings'));
  update private.name_changes c set written_at = now()
  where c.id = any(written) and c.written_at is null and c.dropped_at is null;
  for one in
    select c.id, c.name, c.field, c.replaced, d.found
    from jsonb_to_recordset(dropped) as d (id bigint, found text) join private.name_changes c on c.id = d.id
    where c.written_at is null and c.dropped_at is null order by c.id desc
  loop
    update private.name_changes c set dropped_at = now(), found = one.found where c.id = one.id;
    update private.name_changes c set replaced = one.replaced
    where c.id = (
      select min(n.id) from private.name_changes n
      where n.name = one.name and n.field = one.field and n.id > one.id and n.dropped_at is null
    );
    if not found and one.replaced is not null then
      perform private.set_listing(one.name, one.replaced);
      perform private.raise_version();
    end if;
  end loop;
end;
$$;
grant execute on function public.mark_name_changes(bigint[], jsonb) to service_role;

create or replace function public.name_history(name text default null, batch uuid default null, before bigint default null)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  history jsonb;
begin
  perform private.require_admin();
  -- Literals: only so the planner leaves out conditions that are not there.
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'batch', c.batch, 'name', c.name, 'field', c.field, 'from', c.old_value, 'to', c.new_value,
      'changed_at', c.changed_at, 'changed_by_email', u.email, 'written_at', c.written_at, 'dropped_at', c.dropped_at,
      'found', c.found
    ) order by c.id desc), '[]')
    from (
      select h.* from private.name_changes h
      where (%1$L is null or h.name = %1$L) and (%2$L is null or h.batch = %2$L) and (%3$L is null or h.id < %3$L)
      order by h.id desc limit 100
    ) as c
    left join auth.users u on u.id = c.changed_by
    $sql$,
    name, batch, before
  ) into history;
  return history;
end;
$$;
grant execute on function public.name_history(text, uuid, bigint) to authenticated;

create or replace function private.name_condition(filter jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  condition text := 'true';
  other_key constant text := (
    select min(k.name) from jsonb_object_keys(filter) as k (name) where k.name not in ('term', 'state', 'only')
  );
begin
  if other_key is not null then
    raise exception 'The filter has an unknown key: %. Use term, state or only.', other_key using errcode = '22023';
  end if;
  if filter ->> 'only' not in ('offers', 'no_price') then
    raise exception 'The filter has an unknown only: %. Use offers or no_price.', filter ->> 'only' using errcode = '22023';
  end if;
  if filter ? 'term' then
    condition := condition || format(' and position(%L in l.name) > 0', lower(trim(filter ->> 'term')));
  end if;
  if filter ? 'state' then
    condition := condition || format(' and l.state = %L', filter ->> 'state');
  end if;
  if filter ->> 'only' = 'no_price' then
    condition := condition || ' and l.price is null';
  end if;
  if filter ->> 'only' = 'offers' then
    condition := condition || ' and exists (
      select from private.regular_offers o where o.domain_name = l.name and o.status = ''pending''
    )';
  end if;
  return condition;
end;
$$;

create or replace function public.list_names(
  filter jsonb default '{}', sort text default 'name', descending boolean default false, page integer default 0,
  page_size integer default 50
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  condition text;
  direction constant text := case when descending then 'desc' else 'asc' end;
  source constant text := 'private.listings l' || case sort
    when 'offers' then ' left join (
      select o.domain_name, count(*) as number from private.regular_offers o where o.status = ''pending'' group by o.domain_name
    ) as s on s.domain_name = l.name'
    when 'last_offer' then ' left join (
      select o.domain_name, max(o.created_at) as at from private.regular_offers o group by o.domain_name
    ) as s on s.domain_name = l.name'
    else '' end;
  sort_key constant text := case sort
    when 'name' then 'l.name'
    when 'state' then 'l.state'
    when 'price' then format('l.value is null, l.currency %s, l.value', direction)
    when 'offers' then 'coalesce(s.number, 0)'
    when 'last_offer' then 's.at is null, s.at'
  end;
  total bigint;
  names jsonb;
begin
  perform private.require_admin();
  condition := private.name_condition(coalesce(filter, '{}'));
  if sort_key is null then
    raise exception 'There is no sort %. Use name, state, price, offers or last_offer.', sort using errcode = '22023';
  end if;
  if condition = 'true' then
    total := coalesce((select c.names from private.published_catalogue c), 0);
  else
    execute format('select count(*) from private.listings l where %s', condition) into total;
  end if;
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', p.name, 'state', p.state, 'price', p.price, 'open', pending.number, 'best', to_jsonb(best),
      'agreed', to_jsonb(agreed), 'last_offer_at', last.created_at
    ) order by p.at), '[]')
    from (
      select row_number() over () as at, sorted.* from (
        select l.* from %s where %s order by %s %s, l.name limit $1 offset $2
      ) as sorted
    ) as p
    cross join lateral (
      select count(*) as number from private.regular_offers o where o.domain_name = p.name and o.status = 'pending'
    ) as pending
    left join lateral (
      select a.amount, a.value, a.currency from private.current_amounts a
      where a.domain_name = p.name and a.status in ('pending', 'negotiating') and not a.held and not a.low
        and a.value is not null
      order by a.currency is distinct from p.currency, a.value desc limit 1
    ) as best on true
    left join lateral (
      select a.amount, a.value, a.currency from private.current_amounts a
      where a.domain_name = p.name and a.status = 'accepted' order by a.created_at desc limit 1
    ) as agreed on true
    left join lateral (
      select o.created_at from private.regular_offers o where o.domain_name = p.name order by o.created_at desc limit 1
    ) as last on true
    $sql$,
    source, condition, sort_key, direction
  ) into names using least(greatest(page_size, 1), 100), greatest(page, 0)::bigint * least(greatest(page_size, 1), 100);
  return jsonb_build_object('total', total, 'names', names);
end;
$$;
grant execute on function public.list_names(jsonb, text, boolean, integer, integer) to authenticated;

create or replace function public.name_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'state', jsonb_build_object(
        'for_sale', count(*) filter (where l.state = 'for_sale'), 'reserved', count(*) filter (where l.state = 'reserved'),
        'sold', count(*) filter (where l.state = 'sold')
      ),
      'no_price', count(*) filter (where l.price is null),
      'offers', count(*) filter (where exists (
        select from private.regular_offers o where o.domain_name = l.name and o.status = 'pending'
      ))
    )
    from private.listings l
  );
end;
$$;
grant execute on function public.name_counts() to authenticated;

create or replace function private.moved_table(kind text, out name text, out key text)
language plpgsql stable set search_path = ''
as $$
begin
  key := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind in ('idempotency_keys', 'offer_links') then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages', 'offer_moves', 'name_changes') then 'id' end;
  if key is null then
    raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end if;
  name := case kind when 'offers' then 'public.offers' else format('private.%I', kind) end;
end;
$$;

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
  if kind = 'name_changes' then
    -- No server writes a file here.
    select coalesce(jsonb_agg(r || case
      when coalesce(r ->> 'written_at', r ->> 'dropped_at') is null then jsonb_build_object('dropped_at', now()) else '{}'
    end), '[]') into received from jsonb_array_elements(rows) as r;
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=". What was read in an amount may have been read here, and not there yet.
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where case kind
        when 'messages' then a.attname in ('offer_id', 'kind', 'target', 'move_number')
        when 'name_changes' then a.attname in ('batch', 'name', 'field')
        else a.attname not in ('value', 'currency') end)
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
