-- offer_pages leaves held offers out: the dashboard lists them apart (`held=is.true`), so that a flood of them neither
-- moves nor hides the others. It reports an ended session, which row level security alone would show as an empty list.
-- PT401 is PostgREST's way to set the HTTP status of an error.

create or replace function public.offer_pages(page_size integer) returns jsonb
language plpgsql stable security invoker set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (place - 1) / size, 'first_created_at', created_at, 'first_id', id, 'total', total
    ) order by place), '[]'::jsonb)
    from (
      select created_at, id, greatest(page_size, 1) as size, count(*) over () as total,
        row_number() over (order by created_at desc, id desc) as place
      from public.offers
      where not held
    ) as numbered
    where (place - 1) % size = 0
  );
end;
$$;

create index offers_held on public.offers (created_at desc, id desc) where held;
