-- Overdue offers: the filter {"overdue": true}, their number, and {"sort": "urgent"}. And the removal of one offer, such as
-- one of a program. Administrators call all of it.

-- As before, and with {"overdue": true} the pending offers whose promised time is over.
create or replace function private.offer_condition(filter jsonb) returns text
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
  if (filter ->> 'overdue')::boolean then
    condition := condition || format(' and status = ''pending'' and created_at < %L', now() - private.reply_within());
  end if;
  return condition;
end;
$$;

-- The time that a filter's list is sorted by, latest first, as SQL. With {"sort": "urgent"} the time of a pending offer is
-- mirrored at the year 3000, so that pending offers come first, the oldest of them at the top, and a key is still a time.
create function private.offer_order(filter jsonb) returns text
language sql immutable set search_path = ''
as $$
  select case when filter ->> 'sort' = 'urgent'
    then $sql$case when status = 'pending' then (timestamp '3000-01-01' + (timestamp '3000-01-01' - (created_at at time zone 'UTC')))
      at time zone 'UTC' else created_at end$sql$
    else 'created_at' end;
$$;
revoke all on function private.offer_order(jsonb) from public, anon, authenticated, service_role;

-- As before, sorted by private.offer_order, in a column that the list does not have otherwise.
create or replace function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select format(
    'select * from public.offers where %1$s%2$s order by %3$s desc, id desc limit $3',
    private.offer_condition(filter),
    case when from_newest then '' else format(' and (%s, id) <= ($1, $2)', private.offer_order(filter)) end,
    private.offer_order(filter)
  );
$$;

-- As before, in the order of the filter.
create or replace function public.find_offers(
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
    $sql$select coalesce(jsonb_agg(to_jsonb(o) order by %2$s desc, o.id desc), '[]') from (%1$s) as o$sql$,
    private.find_statement(coalesce(filter, '{}'), from_created_at is null), private.offer_order(filter)
  ) into offers using from_created_at, from_id, least(greatest(page_size, 1), 100);
  return jsonb_build_object('offers', offers);
end;
$$;

-- As before, in the order of the filter: the time of a key is that of private.offer_order.
create or replace function public.offer_pages(page_size integer, filter jsonb default '{}') returns jsonb
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
      'page', (place - 1) / $1, 'first_created_at', sorted_at, 'first_id', id, 'total', total
    ) order by place), '[]')
    from (
      select %2$s as sorted_at, id, count(*) over () as total,
        row_number() over (order by %2$s desc, id desc) as place
      from public.offers
      where %1$s
    ) as numbered
    where (place - 1) %% $1 = 0
    $sql$,
    private.offer_condition(coalesce(filter, '{}')), private.offer_order(filter)
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;

-- As before, with "overdue": the number of offers of that filter.
alter function public.offer_counts() rename to offer_counts_by_status;
alter function public.offer_counts_by_status() set schema private;
revoke all on function private.offer_counts_by_status() from public, anon, authenticated, service_role;
create function public.offer_counts() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select private.offer_counts_by_status() || jsonb_build_object('overdue', (
    select count(*) from public.offers o
    where o.status = 'pending' and not o.held and o.created_at < now() - private.reply_within()
  ));
$$;
revoke all on function public.offer_counts() from public, anon, authenticated, service_role;
grant execute on function public.offer_counts() to authenticated;

-- Deletes one offer with what goes with it, and returns whether it was there. Noted as erase_customer does, without anything
-- about the customer: backups made earlier still hold the offer, and a restored one brings it back.
create function public.remove_offer(offer_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  perform set_config('private.erasing', 'yes', true);
  delete from public.offers o where o.id = remove_offer.offer_id;
  get diagnostics removed = row_count;
  perform set_config('private.erasing', '', true);
  if removed > 0 then
    insert into private.erased_offers values (remove_offer.offer_id) on conflict do nothing;
    insert into private.erasures (offers) values (removed);
  end if;
  return removed > 0;
end;
$$;
revoke all on function public.remove_offer(uuid) from public, anon, authenticated, service_role;
grant execute on function public.remove_offer(uuid) to authenticated;
