-- The dashboard's heading has the number of offers in which the next move is the owner's, which the counts have from now on.

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 11;
end;
$$;
grant execute on function public.schema_version() to authenticated;

create or replace function public.offer_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'status', (
      select jsonb_object_agg(name, (select count(*) from private.regular_offers o where o.status = name))
      from unnest(array['pending', 'accepted', 'rejected', 'negotiating']) as name
    ),
    'held', (select count(*) from public.offers o where o.held),
    'low', (select count(*) from public.offers o where o.low and not o.held),
    'overdue', (
      select count(*) from private.regular_offers o
      where o.status = 'pending' and o.created_at < now() - private.reply_within()
    ),
    'messages', (
      select count(*) from private.offer_messages t join private.regular_offers o on o.id = t.offer_id
    ),
    'withdrawn', (
      select count(*) from private.offer_moves m join private.regular_offers o on o.id = m.offer_id
      where m.kind = 'withdraw' and o.status = 'rejected' and not exists (
        select from private.offer_moves n where n.offer_id = m.offer_id and n.number = m.number + 1
      )
    ),
    'waiting', (select count(*) from private.regular_offers o where o.status = 'pending') + (
      select count(*) from private.offer_moves m join private.regular_offers o on o.id = m.offer_id
      where o.status = 'negotiating'
        and (m.kind in ('offer', 'take_back') or m.kind = 'counter' and m.valid_until <= now()) and not exists (
          select from private.offer_moves n where n.offer_id = m.offer_id and n.number = m.number + 1
        )
    ),
    -- The newest move of a buyer: another one makes the dashboard read its list again.
    'moved', (select max(m.id) from private.offer_moves m where m.side = 'buyer'),
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
grant execute on function public.offer_counts() to authenticated;
