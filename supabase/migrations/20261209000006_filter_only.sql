-- A filter of offers has one key, "only", in place of "held", "low", "overdue" and "message", which excluded each other, and an
-- unknown key is rejected. The schema has a number, by which the dashboard sees that pages and database are of two versions.

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 1;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function private.offer_conditions(filter jsonb) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  pattern constant text := '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
  -- Otherwise as private.regular_offers.
  condition text := case filter ->> 'only'
    when 'held' then 'held' when 'low' then 'low and not held' else 'not held and not low' end;
  other_key constant text := (
    select min(k.name) from jsonb_object_keys(filter) as k (name)
    where k.name not in ('term', 'status', 'domain', 'only', 'sort')
  );
begin
  if other_key is not null then
    raise exception 'The filter has an unknown key: %. Use term, status, domain, only or sort.', other_key
      using errcode = '22023';
  end if;
  if filter ->> 'only' not in ('held', 'low', 'overdue', 'message') then
    raise exception 'The filter has an unknown only: %. Use held, low, overdue or message.', filter ->> 'only'
      using errcode = '22023';
  end if;
  if char_length(term) < 3 then
    raise exception 'Type at least three characters to search for.' using errcode = '22023';
  end if;
  if filter ? 'status' then
    condition := condition || format(' and status = %L', filter ->> 'status');
  end if;
  if filter ? 'domain' then
    condition := condition || format(' and domain_name = %L', filter ->> 'domain');
  end if;
  if filter ->> 'only' = 'overdue' then
    condition := condition || format(' and status = ''pending'' and created_at < %L', now() - private.reply_within());
  end if;
  if filter ->> 'only' = 'message' then
    condition := condition || ' and exists (select from private.offer_messages t where t.offer_id = offers.id)';
  end if;
  if term is null then
    return array[condition];
  end if;
  return array[
    format(
      $sql$%s and lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) like %L$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_messages t where t.offer_id = offers.id and lower(t.message) like %L
      )$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_moves m where m.offer_id = offers.id and lower(m.amount) like %L and not exists (
          select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number and n.amount is not null
        )
      )$sql$,
      condition, pattern
    )
  ];
end;
$$;
