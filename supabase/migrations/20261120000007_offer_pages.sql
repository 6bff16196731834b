-- Where each page of the desk's list begins, newest first, so that any page is read by its key and never by counting
-- rows (OFFSET). One value and not rows, because the data API cuts a list of rows at 1,000. Runs as the asker: row
-- level security decides which offers there are.

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
