-- An offer under negotiation is open as well: in Names a name with no other offer said "None" while its owner and a buyer
-- negotiated about it, and was missing among names with offers.

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 12;
end;
$$;
grant execute on function public.schema_version() to authenticated;

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
      select from private.regular_offers o where o.domain_name = l.name and o.status in (''pending'', ''negotiating'')
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
        select from private.regular_offers o where o.domain_name = l.name and o.status in ('pending', 'negotiating')
      ))
    )
    from private.listings l
  );
end;
$$;
grant execute on function public.name_counts() to authenticated;
