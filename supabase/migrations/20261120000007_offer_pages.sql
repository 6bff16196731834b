-- Pages of the dashboard's list. Returns the key of the first offer of each page, newest first, so that a page is read
-- by key and not by OFFSET. Returns one JSON value and not rows, because the data API returns at most 1,000 rows. Runs
-- as the user of the request, so that row level security applies. 20261123000003 replaces the function.

create function public.offer_pages(page_size integer) returns jsonb
language sql stable security invoker set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'page', (place - 1) / size, 'first_created_at', created_at, 'first_id', id, 'total', total
  ) order by place), '[]'::jsonb)
  from (
    select created_at, id, greatest(page_size, 1) as size, count(*) over () as total,
      row_number() over (order by created_at desc, id desc) as place
    from public.offers
  ) as numbered
  where (place - 1) % size = 0;
$$;
revoke all on function public.offer_pages(integer) from public, anon, authenticated, service_role;
grant execute on function public.offer_pages(integer) to authenticated;
