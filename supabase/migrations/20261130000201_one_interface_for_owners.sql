-- What the owner's commands, npm run move and GET /health still read elsewhere than by a call, on either backend. For
-- service_role alone, as in the migration of owner_calls.

-- The offers that are still new after some hours, without those that are held: {"count", "oldest"}, null where there is
-- none.
create function public.read_unanswered(hours integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('count', count(*), 'oldest', min(o.created_at)) from public.offers o
  where o.status = 'pending' and not o.held and o.created_at < now() - hours * interval '1 hour';
$$;
revoke all on function public.read_unanswered(integer) from public, anon, authenticated, service_role;
grant execute on function public.read_unanswered(integer) to service_role;

-- As before, with `wait_seconds`: how long the oldest message that is not held back has been waiting, without digests and
-- confirmations whose address was rejected.
create or replace function public.read_message_state() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'queued', count(m.id) filter (where m.queued and not m.paused),
    'paused', count(m.id) filter (where m.queued and m.paused),
    'failed', count(m.id) filter (where not m.queued and not m.address_rejected),
    'sent', s.sent,
    'wait_seconds', coalesce(extract(epoch from now() - min(m.created_at)
      filter (where m.queued and not m.paused and not m.digest and not m.address_rejected))::integer, 0),
    'reason', (array_agg(m.reason order by m.reason_at desc)
      filter (where m.reason is not null and not m.address_rejected))[1]
  )
  from private.message_state s
  left join lateral (
    select u.*, u.failed_at is null as queued, (u.created_at < s.paused_before) is true as paused
    from private.messages u where u.sent_at is null and u.dismissed_at is null
  ) as m on true
  group by s.single;
$$;

-- Rows that npm run move takes to another database, in the order of their key, for the kinds of receive_rows: {"rows": at
-- most 500 after the key `after`, "next": the key of the last one, null at the end, "total": rows of the table}.
create function public.read_rows(kind text, after text default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  key constant text := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind = 'offer_receipts' then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages') then 'id' end;
  result jsonb;
begin
  if key is null then
    raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end if;
  execute format(
    $statement$
      with page as (
        select t.%1$I as key, to_jsonb(t) as line from %2$s t
        where $1 is null or t.%1$I > (jsonb_populate_record(null::%2$s, jsonb_build_object(%1$L, $1))).%1$I
        order by t.%1$I limit 500
      )
      select jsonb_build_object(
        'rows', coalesce(jsonb_agg(line order by key), '[]'),
        'next', case when count(*) = 500 then (array_agg(key::text order by key desc))[1] end,
        'total', (select count(*) from %2$s)
      ) from page
    $statement$,
    key, case kind when 'offers' then 'public.offers' else format('private.%I', kind) end
  ) into result using after;
  return result;
end;
$$;
revoke all on function public.read_rows(text, text) from public, anon, authenticated, service_role;
grant execute on function public.read_rows(text, text) to service_role;
