-- The dashboard's page of names: what administrators list of the catalogue, and change in it. A row of private.name_changes is one
-- change of one field of one name, with the texts of the catalogue's file. change_names stores it, and sets the listing, before the
-- server writes the file; mark_name_changes then stores that the file has it, or drops it. A change that is neither written nor
-- dropped is open: where the server ended in between, it decides at its next start by what the file has. Until a build has read
-- the file with a change, publish_listings leaves the name's listing as the change set it.
-- Rows stay when their name leaves the catalogue, and hold no data of customers. Minimums are in name_history alone. Besides the
-- functions below receive_rows writes rows. The table is closed.

create table private.name_changes (
  id bigint generated always as identity primary key,
  -- Of one call.
  batch uuid not null,
  name text not null check (char_length(name) between 1 and 253),
  -- entry: a new name.
  field text not null check (field ~ '^(state|price|minimum|entry|description\.[A-Za-z-]{2,35})$'),
  -- As in the catalogue's file; null: no own value.
  old_value text check (char_length(old_value) <= 5000),
  new_value text check (char_length(new_value) <= 5000),
  -- The columns of the listing that were set, with what they were; null where there was no listing.
  replaced jsonb,
  changed_at timestamptz not null default now(),
  -- The administrator.
  changed_by uuid,
  -- When the file had it.
  written_at timestamptz,
  dropped_at timestamptz,
  -- Of a dropped one what the file had.
  found text,
  unique (batch, name, field),
  constraint written_or_dropped check (written_at is null or dropped_at is null)
);
create index name_changes_by_name on private.name_changes (name, id desc);
create index name_changes_since on private.name_changes (written_at) where dropped_at is null;
alter table private.name_changes enable row level security;

-- The changes that a build which began to read the catalogue at that time may not have read. An open one counts for 10 minutes: the
-- server marks it at once, or after a restart before it publishes. On a hosted project what a session stores is not marked.
create function private.changes_since(read_at timestamptz) returns setof private.name_changes
language sql stable set search_path = ''
as $$
  select c.* from private.name_changes c
  where c.dropped_at is null
    and (c.written_at > changes_since.read_at
      or c.written_at is null and c.changed_at > changes_since.read_at - interval '10 minutes');
$$;

-- Sets columns of a listing, and returns what they were; null where there is no such listing.
create function private.set_listing(listed_name text, columns jsonb) returns jsonb
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

-- The edge functions and the server read the listings again where the version is another.
create function private.raise_version() returns void
language sql set search_path = ''
as $$ update private.published_catalogue c set version = c.version + 1; $$;

-- Stores changes of administrators, [{"name", "field", "from", "to", "listing"?: the parts of the listing from now on, as in an
-- entry of publish_listings}], and sets the listings, all in one transaction. Made by the server of the embedded backend alone,
-- which has compared "from" with the catalogue's file before, and writes the file after. "from" is compared here with the open
-- changes: what is written stands in the file, where another program may have changed it. Two administrators follow each other,
-- and a publication.
-- Returns {"outcome", "ids" (in the order of the changes)}: `made`; `repeated` for a batch that was stored before; or with
-- nothing stored `changed` with "changed": [{"name", "field", "value"}], `limited` with "wait", the seconds until the account
-- may change more.
create function public.change_names(batch uuid, changes jsonb) returns jsonb
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

-- The open changes, the oldest first: [{"id", "batch", "name", "field", "from", "to", "changed_at"}].
create function public.read_open_name_changes() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'batch', c.batch, 'name', c.name, 'field', c.field, 'from', c.old_value, 'to', c.new_value,
    'changed_at', c.changed_at
  ) order by c.id), '[]')
  from private.name_changes c where c.written_at is null and c.dropped_at is null;
$$;
grant execute on function public.read_open_name_changes() to service_role;

-- Stores of open changes that the file has them, once it does, or that they are dropped: [{"id", "found": what the file has, null
-- for no own value}]. A dropped change gives the listing back what it replaced, unless a later one set the field again: then the
-- later one would give it back.
create function public.mark_name_changes(written bigint[], dropped jsonb) returns void
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

-- At most 100 changes, the newest first, of one name or batch or of all, older than `before`: [{"id", "batch", "name", "field",
-- "from", "to", "changed_at", "changed_by_email", "written_at", "dropped_at", "found"}]. The email is null where the user is
-- deleted.
create function public.name_history(name text default null, batch uuid default null, before bigint default null)
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

-- The amount that counts of each offer: the one that was named last in a move, else that of the offer.
create view private.current_amounts with (security_invoker = true) as
  select o.domain_name, o.status, o.held, o.low, o.created_at,
    coalesce(m.amount, o.offer_amount) as amount, case when m.amount is null then o.value else m.value end as value,
    nullif(case when m.amount is null then o.currency else m.currency end, '') as currency
  from public.offers o
  left join lateral (
    select n.amount, n.value, n.currency from private.offer_moves n
    where n.offer_id = o.id and n.amount is not null order by n.number desc limit 1
  ) as m on true;

-- The condition of a filter of names as SQL: {"term"?: a part of the name, "state"?, "only"?: "offers" (names with open offers) or
-- "no_price"}.
create function private.name_condition(filter jsonb) returns text
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
      select from private.regular_offers o where o.domain_name = l.name and o.status in (''pending'', ''negotiating'')
    )';
  end if;
  return condition;
end;
$$;

-- What list_names is sorted by for the visits of so many days, today included.
create function private.visits_source(days integer) returns text
language sql stable set search_path = ''
as $$
  select format(
    ' left join (
      select n.name, sum((select sum(v) from unnest(n.visits[d.first - n.month + 1:d.first - n.month + %1$s]) as v)) as number
      from private.name_numbers n cross join (select (now() at time zone ''UTC'')::date - %1$s + 1 as first) as d
      where n.month >= date_trunc(''month'', d.first) group by n.name
    ) as s on s.name = l.name',
    days
  );
$$;

-- Returns {"total": names of the filter, "names": one page of them, each with "name", "state", "price", and of its offers that are
-- neither held nor low "open": how many are pending or under negotiation, "best": the highest amount of these (of those in the
-- currency of the price before others), and "last_offer_at"; "agreed": the amount of the newest accepted one}. An amount is
-- {"amount", "value", "currency"}, as private.current_amounts has it. While a server counts also "numbers", as private.numbers_of
-- has them.
-- Sorts: name, state, price (within a currency), offers (open ones), last_offer, visits_7 and visits_30 (in so many days); each by
-- name within the same, and what has none last.
create function public.list_names(
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
      select o.domain_name, count(*) as number from private.regular_offers o where o.status in (''pending'', ''negotiating'')
      group by o.domain_name
    ) as s on s.domain_name = l.name'
    when 'last_offer' then ' left join (
      select o.domain_name, max(o.created_at) as at from private.regular_offers o group by o.domain_name
    ) as s on s.domain_name = l.name'
    when 'visits_7' then private.visits_source(7)
    when 'visits_30' then private.visits_source(30)
    else '' end;
  sort_key constant text := case sort
    when 'name' then 'l.name'
    when 'state' then 'l.state'
    when 'price' then format('l.value is null, l.currency %s, l.value', direction)
    when 'offers' then 'coalesce(s.number, 0)'
    when 'visits_7' then 'coalesce(s.number, 0)'
    when 'visits_30' then 'coalesce(s.number, 0)'
    when 'last_offer' then 's.at is null, s.at'
  end;
  total bigint;
  names jsonb;
begin
  perform private.require_admin();
  condition := private.name_condition(coalesce(filter, '{}'));
  if sort_key is null then
    raise exception 'There is no sort %. Use name, state, price, offers, last_offer, visits_7 or visits_30.', sort using errcode = '22023';
  end if;
  if condition = 'true' then
    total := coalesce((select c.names from private.published_catalogue c), 0);
  else
    execute format('select count(*) from private.listings l where %s', condition) into total;
  end if;
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', p.name, 'state', p.state, 'price', p.price, 'open', open.number, 'best', to_jsonb(best),
      'agreed', to_jsonb(agreed), 'last_offer_at', last.created_at
    ) order by p.at), '[]')
    from (
      select row_number() over () as at, sorted.* from (
        select l.* from %s where %s order by %s %s, l.name limit $1 offset $2
      ) as sorted
    ) as p
    cross join lateral (
      select count(*) as number from private.regular_offers o
      where o.domain_name = p.name and o.status in ('pending', 'negotiating')
    ) as open
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
  if private.is_counting() then
    select coalesce(jsonb_agg(e || jsonb_build_object('numbers', n.numbers) order by at), '[]') into names
    from jsonb_array_elements(names) with ordinality as listed (e, at)
    join private.numbers_of(array(select jsonb_path_query(names, '$[*].name') #>> '{}')) as n on n.name = e ->> 'name';
  end if;
  return jsonb_build_object('total', total, 'names', names);
end;
$$;
grant execute on function public.list_names(jsonb, text, boolean, integer, integer) to authenticated;

-- Returns {"state": {"for_sale", "reserved", "sold": numbers of names}, "offers": of names with open offers, "no_price"}.
create function public.name_counts() returns jsonb
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
        select from private.regular_offers o where o.domain_name = l.name and o.status in ('pending', 'negotiating')
      ))
    )
    from private.listings l
  );
end;
$$;
grant execute on function public.name_counts() to authenticated;
