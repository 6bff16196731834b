-- Finding offers: by a term, status, domain, and held or not. The functions run as their owner and check that the user is
-- an administrator themselves: under row level security PostgreSQL uses no index for LIKE.
--
-- A filter is {"term"?: text of three characters or more, in any of the offer's texts, "status"?: text, "domain"?: text,
-- "held"?: boolean}. Without "held" it leaves held offers out, which the dashboard lists apart.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;

create index offers_by_text on public.offers using gin (
  lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) extensions.gin_trgm_ops
)
-- Kilobytes of new entries that wait to be merged: an eighth of the usual, since a search reads them one by one, and the
-- offer that merges them waits.
with (gin_pending_list_limit = 512);

-- Both count without reading rows of the table, and list in the order of the pages.
create index offers_by_domain on public.offers (domain_name, held, created_at desc, id desc);
drop index public.offers_by_status;
create index offers_by_status on public.offers (status, held, created_at desc, id desc);

-- The condition of a filter as SQL, in which every value is a literal: only so the planner knows whether a term or a
-- domain is rare, and which index to use.
create function private.offer_condition(filter jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  condition text := case when (filter ->> 'held')::boolean then 'held' else 'not held' end;
begin
  if char_length(term) < 3 then
    raise exception 'Type at least three characters to search for.' using errcode = '22023';
  end if;
  if term is not null then
    condition := condition || format(
      $sql$ and lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) like %L$sql$,
      '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%'
    );
  end if;
  if filter ? 'status' then
    condition := condition || format(' and status = %L', filter ->> 'status');
  end if;
  if filter ? 'domain' then
    condition := condition || format(' and domain_name = %L', filter ->> 'domain');
  end if;
  return condition;
end;
$$;
revoke all on function private.offer_condition(jsonb) from public, anon, authenticated, service_role;

-- The statement of find_offers: $1 and $2 are the key of the first offer to list, $3 the number of offers.
create function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select format(
    'select * from public.offers where %s%s order by created_at desc, id desc limit $3',
    private.offer_condition(filter),
    case when from_newest then '' else ' and (created_at, id) <= ($1, $2)' end
  );
$$;
revoke all on function private.find_statement(jsonb, boolean) from public, anon, authenticated, service_role;

-- Returns {"offers"}: at most `page_size` (up to 100) of the filter's offers, newest first, from a key of offer_pages on.
create function public.find_offers(
  filter jsonb default '{}', from_created_at timestamptz default null, from_id uuid default null,
  page_size integer default 50
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  offers jsonb;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  execute format(
    $sql$select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id desc), '[]') from (%s) as o$sql$,
    private.find_statement(coalesce(filter, '{}'), from_created_at is null)
  ) into offers using from_created_at, from_id, least(greatest(page_size, 1), 100);
  return jsonb_build_object('offers', offers);
end;
$$;
revoke all on function public.find_offers(jsonb, timestamptz, uuid, integer)
  from public, anon, authenticated, service_role;
grant execute on function public.find_offers(jsonb, timestamptz, uuid, integer) to authenticated;

-- As before, and for the offers of a filter.
drop function public.offer_pages(integer);
create function public.offer_pages(page_size integer, filter jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  pages jsonb;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (place - 1) / $1, 'first_created_at', created_at, 'first_id', id, 'total', total
    ) order by place), '[]')
    from (
      select created_at, id, count(*) over () as total,
        row_number() over (order by created_at desc, id desc) as place
      from public.offers
      where %s
    ) as numbered
    where (place - 1) %% $1 = 0
    $sql$,
    private.offer_condition(coalesce(filter, '{}'))
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;
revoke all on function public.offer_pages(integer, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.offer_pages(integer, jsonb) to authenticated;

-- Returns {"status": {"pending": number, …}, "held": number, "domains": [names that have offers]}. Held offers count in
-- "held" alone.
create function public.offer_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return jsonb_build_object(
    'status', (
      select jsonb_object_agg(name, (select count(*) from public.offers o where o.status = name and not o.held))
      from unnest(array['pending', 'accepted', 'rejected', 'negotiating']) as name
    ),
    'held', (select count(*) from public.offers o where o.held),
    -- One step in the index for each domain, however many offers it has.
    'domains', (
      with recursive domains as (
        select min(o.domain_name) as name from public.offers o
        union all
        select (select min(o.domain_name) from public.offers o where o.domain_name > d.name) from domains d
        where d.name is not null
      )
      select coalesce(jsonb_agg(d.name order by d.name), '[]') from domains d where d.name is not null
    )
  );
end;
$$;
revoke all on function public.offer_counts() from public, anon, authenticated, service_role;
grant execute on function public.offer_counts() to authenticated;

-- For polling: {"offers": at most 100 that were created after `since` or in the minute before it, newest first,
-- "pending", "held": numbers}. Held offers count in "held" alone and are not among the others, so that a flood of them
-- hides none. The minute is an overlap, for offers whose transaction ended late. Does not extend the session.
create function public.new_offers(since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id desc), '[]') from (
        select * from public.offers n
        where not n.held and n.created_at > since - interval '1 minute'
        order by n.created_at desc, n.id desc limit 100
      ) as o
    ),
    'pending', (select count(*) from public.offers o where o.status = 'pending' and not o.held),
    'held', (select count(*) from public.offers o where o.held)
  );
end;
$$;
revoke all on function public.new_offers(timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.new_offers(timestamptz) to authenticated;
