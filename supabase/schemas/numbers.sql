-- How often each domain is looked at: numbers by name and day, and nothing of a visitor. The server of the pages counts visits and
-- begun bot checks, and writes them once a minute (add_numbers); offers are counted by the functions that store and accept them, while
-- a server counts. Days are those of UTC. The tables are closed.

create table private.name_numbers (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 253),
  -- Its first day.
  month date not null check (extract(day from month) = 1),
  -- By day of the month. A day without any is null, which takes no place; days after the last one are missing.
  visits integer[],
  -- Bot checks that were asked for.
  begun integer[],
  -- Offers, without held ones.
  sent integer[],
  -- Offers that were accepted, but those that were taken back within an hour.
  agreed integer[],
  -- The day on which the name was found not to be in the catalogue any more.
  gone_on date,
  constraint name_numbers_of_a_month unique (name, month)
);
alter table private.name_numbers enable row level security;

-- Whether a server counts, present once one has reported.
create table private.counting (
  only_row boolean primary key default true check (only_row),
  is_on boolean not null,
  -- The last 100 that were added: a server that got no response sends one again, and others may have sent theirs meanwhile.
  batches uuid[] not null default '{}',
  -- The last day on which numbers were removed.
  cleaned_on date
);
alter table private.counting enable row level security;

create function private.is_counting() returns boolean
language sql stable set search_path = ''
as $$
  select coalesce((select c.is_on from private.counting c), false);
$$;

-- Numbers by day with some added to one. An array begins at 1: its text as JSON has no other.
create function private.with_added(numbers integer[], day integer, added bigint) returns integer[]
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

-- Removes what is older than 12 months besides the present one, and names that have been out of the catalogue for 30 days: once a
-- day, by the server's calls and by remove_expired.
create function private.remove_old_numbers() returns void
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

-- Adds visits and begun bot checks: [{"name", "day" (2026-11-29), "visits"?, "begun"?}], once for each batch. Names that are not in the
-- catalogue are left out. A day in the future, by a wrong clock, is today. `is_on` reports whether the server counts; null: as
-- before.
create function public.add_numbers(batch uuid, counts jsonb, is_on boolean default null) returns void
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

-- Counts offers that were sent or agreed, while a server counts.
create function private.count_offers_of(counted_name text, counted_on date, sent integer, agreed integer) returns void
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

-- For each name {"week", "month", "before": visits in 7 days, in 30, and in the 30 before; "begun", "sent", "agreed": in 30 days;
-- "periods": visits in each of the last 12 times 30 days, oldest first}. The last day is today.
create function private.numbers_of(names text[]) returns table (name text, numbers jsonb)
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

-- The numbers of one name; null while no server counts.
create function public.name_numbers(name text) returns jsonb
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
