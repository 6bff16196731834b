-- A pending offer that its buyer raised counts with that amount too: in Names the best amount of its name was the first one, and in
-- the list of offers the raised one.

create or replace view private.current_amounts with (security_invoker = true) as
  select o.domain_name, o.status, o.held, o.low, o.created_at,
    coalesce(m.amount, o.offer_amount) as amount, case when m.amount is null then o.value else m.value end as value,
    nullif(case when m.amount is null then o.currency else m.currency end, '') as currency
  from public.offers o
  left join lateral (
    select n.amount, n.value, n.currency from private.offer_moves n
    where n.offer_id = o.id and n.amount is not null order by n.number desc limit 1
  ) as m on true;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 13;
end;
$$;
grant execute on function public.schema_version() to authenticated;
