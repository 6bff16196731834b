-- Numbers of names: visits, begun bot checks, offers and agreements by day. Before a server reports that it counts, nothing is
-- stored, and the dashboard shows none.

create table private.name_numbers (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 253),
  month date not null check (extract(day from month) = 1),
  visits integer[],
  begun integer[],
  sent integer[],
  agreed integer[],
  gone_on date,
  constraint name_numbers_of_a_month unique (name, month)
);
alter table private.name_numbers enable row level security;

create table private.counting (
  only_row boolean primary key default true check (only_row),
  is_on boolean not null,
  batches uuid[] not null default '{}',
  cleaned_on date
);
alter table private.counting enable row level security;

create or replace function private.is_counting() returns boolean
language sql stable set search_path = ''
as $$
  select coalesce((select c.is_on from private.counting c), false);
$$;

create or replace function private.with_added(numbers integer[], day integer, added bigint) returns integer[]
language plpgsql immutable set search_path = ''
as $$
begin
  if coalesce(added, 0) = 0 then
    return numbers;
  end if;
  numbers := coalesce(numbers, array[null::integer]);
  numbers[day] := nullif(greatest(least(coalesce(numbers[day], 0) + added, 2147483647), 0), 0);
  return numbers;
end;
$$;

create or replace function private.remove_old_numbers() returns void
language plpgsql set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
begin
  update private.counting c set cleaned_on = today
  where c.cleaned_on is distinct from today and exists (select from private.published_catalogue);
  if not found then
    return;
  end if;
  update private.name_numbers n set gone_on = case when n.gone_on is null then today end
  where (n.gone_on is null) <> exists (select from private.listings l where l.name = n.name);
  delete from private.name_numbers n
  where n.month < date_trunc('month', today) - interval '12 months' or n.gone_on <= today - 30;
end;
$$;

create or replace function public.add_numbers(batch uuid, counts jsonb, is_on boolean default null) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  first_month constant date := date_trunc('month', today) - interval '12 months';
  counting private.counting;
  counted_on date;
begin
  if is_on is null and jsonb_array_length(counts) = 0 then
    return;
  end if;
  insert into private.counting as c (is_on) values (coalesce(add_numbers.is_on, true))
  on conflict (only_row) do update set is_on = coalesce(add_numbers.is_on, c.is_on)
  returning * into counting;
  if jsonb_array_length(counts) > 0 and batch <> all (counting.batches) then
    update private.counting c set batches = (batch || c.batches)[1:100];
    for counted_on in
      select distinct least((e ->> 'day')::date, today) from jsonb_array_elements(counts) as e
      where (e ->> 'day')::date >= first_month order by 1
    loop
      insert into private.name_numbers as n (name, month, visits, begun)
      select c.name, date_trunc('month', counted_on), private.with_added(null, extract(day from counted_on)::integer, c.visits),
        private.with_added(null, extract(day from counted_on)::integer, c.begun)
      from (
        select l.name, sum((e ->> 'visits')::bigint)::bigint as visits,
          sum((e ->> 'begun')::bigint)::bigint as begun
        from jsonb_array_elements(counts) as e join private.listings l on l.name = e ->> 'name'
        where least((e ->> 'day')::date, today) = counted_on
        group by l.name
      ) as c
      order by c.name
      on conflict (name, month) do update
        set visits = private.with_added(
            n.visits, extract(day from counted_on)::integer, excluded.visits[extract(day from counted_on)::integer]
          ),
          begun = private.with_added(
            n.begun, extract(day from counted_on)::integer, excluded.begun[extract(day from counted_on)::integer]
          );
    end loop;
  end if;
  perform private.remove_old_numbers();
end;
$$;
grant execute on function public.add_numbers(uuid, jsonb, boolean) to service_role;

create or replace function private.count_offers_of(counted_name text, counted_on date, sent integer, agreed integer) returns void
language sql set search_path = ''
as $$
  insert into private.name_numbers as n (name, month, sent, agreed)
  select l.name, date_trunc('month', counted_on), private.with_added(null, extract(day from counted_on)::integer, count_offers_of.sent),
    private.with_added(null, extract(day from counted_on)::integer, count_offers_of.agreed)
  from private.listings l where l.name = counted_name and private.is_counting()
  on conflict (name, month) do update
    set sent = private.with_added(n.sent, extract(day from counted_on)::integer, count_offers_of.sent),
        agreed = private.with_added(n.agreed, extract(day from counted_on)::integer, count_offers_of.agreed);
$$;

create or replace function private.numbers_of(names text[]) returns table (name text, numbers jsonb)
language sql stable set search_path = ''
as $$
  with days as (
    select n.name, (now() at time zone 'UTC')::date - (n.month + d.day - 1) as age, n.visits[d.day] as visits,
      n.begun[d.day] as begun, n.sent[d.day] as sent, n.agreed[d.day] as agreed
    from private.name_numbers n cross join generate_series(1, 31) as d (day)
    where n.name = any (names)
  ), periods as (
    select d.name, d.age / 30 as period, sum(d.visits) as visits, sum(d.visits) filter (where d.age < 7) as week,
      sum(d.begun) as begun, sum(d.sent) as sent, sum(d.agreed) as agreed
    from days d where d.age between 0 and 359 group by d.name, d.age / 30
  )
  select asked.name, jsonb_build_object(
    'week', coalesce(sum(p.week), 0), 'month', coalesce(sum(p.visits) filter (where k.period = 0), 0),
    'before', coalesce(sum(p.visits) filter (where k.period = 1), 0),
    'begun', coalesce(sum(p.begun) filter (where k.period = 0), 0),
    'sent', coalesce(sum(p.sent) filter (where k.period = 0), 0),
    'agreed', coalesce(sum(p.agreed) filter (where k.period = 0), 0),
    'periods', jsonb_agg(coalesce(p.visits, 0) order by k.period desc)
  )
  from unnest(names) as asked (name) cross join generate_series(0, 11) as k (period)
  left join periods p on p.name = asked.name and p.period = k.period
  group by asked.name;
$$;

create or replace function public.name_numbers(name text) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select n.numbers from private.numbers_of(array[name_numbers.name]) as n where private.is_counting()
  );
end;
$$;
grant execute on function public.name_numbers(text) to authenticated;

create or replace function private.store_offer(id uuid, offer jsonb, held boolean, low boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.offers
  select stored.* from jsonb_populate_record(null::public.offers, private.offer_texts(offer) || jsonb_build_object(
    'id', id, 'created_at', now(), 'status', 'pending', 'held', held, 'low', low,
    'value', offer #> '{price,amount}', 'currency', coalesce(offer #>> '{price,currency}', '')
  )) as stored;
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(id, held, messages);
  end if;
  if low and not held then
    update private.messages m
    set kind = 'low', digest = true, due_at = date_bin('1 day', now(), 'epoch') + interval '1 day'
    where m.offer_id = store_offer.id and m.kind = 'offer';
  end if;
  if not held then
    perform private.count_offers_of(offer ->> 'domain_name', (now() at time zone 'UTC')::date, 1, 0);
  end if;
end;
$$;

create or replace function private.follow_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  begun private.deals;
  begun_at timestamptz;
begin
  update private.deals d set ended_at = now(), ended_as = new.status where d.offer_id = new.id and d.ended_at is null
  returning d.agreed_at into begun_at;
  if begun_at > now() - interval '1 hour' then
    perform private.count_offers_of(new.domain_name, (begun_at at time zone 'UTC')::date, 0, -1);
  end if;
  if new.status = 'accepted' then
    insert into private.deals (reference, offer_id, pay_by)
    values (private.new_reference(new.domain_name), new.id, private.first_pay_by(new, begun));
    perform private.count_offers_of(new.domain_name, (now() at time zone 'UTC')::date, 0, 1);
  end if;
  return null;
end;
$$;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 10;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function private.visits_source(days integer) returns text
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
  if private.is_counting() then
    select coalesce(jsonb_agg(e || jsonb_build_object('numbers', n.numbers) order by at), '[]') into names
    from jsonb_array_elements(names) with ordinality as listed (e, at)
    join private.numbers_of(array(select jsonb_path_query(names, '$[*].name') #>> '{}')) as n on n.name = e ->> 'name';
  end if;
  return jsonb_build_object('total', total, 'names', names);
end;
$$;
grant execute on function public.list_names(jsonb, text, boolean, integer, integer) to authenticated;

create or replace function private.moved_table(kind text, out name text, out key text)
language plpgsql stable set search_path = ''
as $$
begin
  key := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind in ('idempotency_keys', 'offer_links') then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages', 'offer_moves', 'name_changes', 'name_numbers') then 'id'
    when kind in ('deals', 'erased_references') then 'reference' end;
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
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links', 'deals') then 'offer_id' end;
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
        when 'name_numbers' then a.attname in ('name', 'month')
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

create or replace function public.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips rows that a running transaction has locked, so that neither waits for the other.
  delete from private.rate_limits where (bucket, key_hash, window_start) in (
    select bucket, key_hash, window_start from private.rate_limits
    where window_end < now() for update skip locked
  );
  delete from private.admin_sessions s
  where s.ends_at <= now()
    or s.refreshed_at + make_interval(mins => s.idle_minutes) <= now()
    or not private.has_auth_session(s.session_id, s.user_id);
  delete from private.messages m using public.offers o
  where o.id = m.offer_id and o.status not in ('pending', 'accepted') and m.sent_at < now() - interval '30 days';
  perform private.remove_old_numbers();
end;
$$;
grant execute on function public.remove_expired() to service_role;
