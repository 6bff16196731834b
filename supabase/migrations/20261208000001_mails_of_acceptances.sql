-- A buyer who accepts gets a mail about it, within the limits of mails to buyers: negotiate_as_buyer has two parameters more.
-- Messages to the owner about a move have the amount that was named last, and the count of messages on the way leaves out what
-- waits for the time of its digest.

drop function public.negotiate_as_buyer(token_hash text, limits jsonb, move jsonb, targets text[]);

create or replace function private.make_move(
  offer_id uuid, side text, move jsonb, mail boolean, targets text[], mail_limits jsonb
) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  seen constant integer := (move ->> 'seen')::integer;
  -- To the buyer.
  mailed boolean := mail and (side = 'owner' or kind = 'accept');
  offer public.offers;
  next private.offer_moves;
  state jsonb;
  problem text;
begin
  -- Before any row: a second move waits here, and then sees what the first one did.
  perform private.lock_moves((select o.domain_name from public.offers o where o.id = make_move.offer_id));
  select o.* into offer from public.offers o where o.id = make_move.offer_id for update;
  select m.* into next from private.offer_moves m where m.offer_id = offer.id and m.number = seen + 1;
  if next.id is not null then
    return case when private.is_same_move(next, side, move) then 'repeated' else 'moved' end;
  end if;
  state := private.negotiation(offer.id, side);
  problem := private.move_problem(offer, side, move, state);
  if problem is not null then
    return problem;
  end if;
  if mailed and private.count_hits_unless_full(mail_limits) > 0 then
    if side = 'owner' then
      return 'mails_full';
    end if;
    mailed := false;
  end if;

  insert into private.offer_moves (offer_id, number, side, kind, amount, note, valid_until, changed_by)
  values (
    offer.id, seen + 1, side, kind,
    case
      when kind = 'accept' then (
        select m ->> 'amount' from jsonb_array_elements(state -> 'moves') as m
        where m ->> 'kind' in ('counter', 'offer') order by (m ->> 'number')::integer desc limit 1
      )
      when kind in ('counter', 'offer') then move ->> 'amount' end,
    move ->> 'note',
    case when kind = 'counter' then private.valid_until(now(), move) end,
    case when side = 'owner' then (select auth.uid()) end
  );
  perform set_config('private.moving', 'yes', true);
  update public.offers o
  set status = case
    when kind = 'accept' then 'accepted' when kind in ('decline', 'withdraw') then 'rejected' else 'negotiating' end
  where o.id = offer.id;
  perform set_config('private.moving', '', true);
  insert into private.messages (kind, offer_id, target, locale, move_number)
  select t.kind, offer.id, t.target, private.offer_language(offer.id), seen + 1
  from (
    select 'move' as kind, unnest(targets) as target where side = 'buyer'
    union all
    select 'reply', 'mailto:' || lower(offer.customer_email) where mailed
  ) as t;
  return 'made';
end;
$$;

create or replace function public.negotiate_as_buyer(
  token_hash text, limits jsonb, move jsonb default null, targets text[] default '{}', mail boolean default false,
  mail_limits jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  link private.offer_links;
  outcome text := 'read';
  wait integer;
begin
  select l.* into link from private.offer_links l where l.token_hash = negotiate_as_buyer.token_hash;
  if move is not null and link.token_hash is not null then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = link.offer_id));
  end if;
  if link.token_hash is null or not private.is_link_good(link) then
    wait := private.count_hits_unless_full(limits);
    return case when wait > 0 then jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', (
      select jsonb_agg(l ->> 'bucket') from jsonb_array_elements(limits) as l
      where private.seconds_until_free(jsonb_build_array(l)) > 0
    )) else '{"outcome": "invalid"}' end;
  end if;
  if move is not null then
    outcome := private.make_move(link.offer_id, 'buyer', move, mail, targets, mail_limits);
  end if;
  -- Checked again: make_move may have waited for a publication, or for an erasure.
  if not private.is_link_good(link) then
    return '{"outcome": "invalid"}';
  end if;
  return jsonb_build_object('outcome', outcome, 'state', private.negotiation(link.offer_id, 'buyer'));
end;
$$;
grant execute on function public.negotiate_as_buyer(text, jsonb, jsonb, text[], boolean, jsonb) to service_role;

create or replace function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts, 'offers', (
      select jsonb_agg(jsonb_strip_nulls(to_jsonb(named)) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held,
          case when m.kind = 'confirmation' and o.low then true end as low, t.message,
          l.price as asking_price, private.offer_language(o.id) as language,
          (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) as move,
          case when m.kind <> 'reply' then (
            select v.amount from private.offer_moves v
            where v.offer_id = o.id and v.number <= m.move_number and v.amount is not null order by v.number desc limit 1
          ) end as current_amount,
          case when m.kind = 'reply' then private.newest_link(o.id) end as link
        from private.messages d join public.offers o on o.id = d.offer_id
        left join private.offer_messages t on t.offer_id = o.id
        left join private.listings l on l.name = o.domain_name
        where d.id = any(ids)
        order by o.created_at, o.id limit 200
      ) as named
    )
  )
  from private.messages m where m.id = ids[1];
$$;

create or replace function public.message_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  state private.message_state;
  after timestamptz;
begin
  perform private.require_admin();
  select s.* into state from private.message_state s;
  after := coalesce(state.paused_before, '-infinity');
  return jsonb_build_object('mail', state.mail, 'webhooks', state.webhooks,
    'sent', state.sent, 'last_sent_at', state.last_sent_at) || (
      select jsonb_build_object(
        'queued', count(*) filter (where m.created_at >= after and (m.attempts > 0 or m.due_at <= now())),
        'paused', count(*) filter (where m.created_at < after),
        'oldest_queued_at', min(m.created_at)
          filter (where m.created_at >= after and (m.attempts > 0 or m.due_at <= now())))
      from private.messages m where m.sent_at is null and m.failed_at is null
    ) || (
      select jsonb_build_object('failed', count(*)) from private.messages m
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is not null
    ) || jsonb_build_object('last_failure', (
      select jsonb_build_object(
        'reason', m.reason, 'at', m.reason_at,
        'target_kind', case when m.target like 'mailto:%' then 'mail' else 'webhook' end,
        'retry_at', m.due_at)
      from private.messages m
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is null
      order by m.reason_at desc limit 1
    ), 'failures', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.at desc, f.id desc), '[]') from (
        select min(m.id) as id, min(m.kind) as kind, min(o.domain_name) as domain, count(*) as offers,
          min(m.reason) as reason, max(m.reason_at) as at,
          case when min(m.target) like 'mailto:%' then 'mail' else 'webhook' end as target_kind
        from private.messages m join public.offers o on o.id = m.offer_id
        where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
          and m.failed_at is not null
        group by coalesce(m.batch::text, m.id::text)
        order by at desc, id desc limit 20
      ) as f
    ), 'rejected_confirmations', (
      select coalesce(jsonb_agg(r.offer_id), '[]') from (
        select m.offer_id from private.messages m
        where m.address_rejected and m.failed_at is not null
        order by m.failed_at desc limit 100
      ) as r
    ));
end;
$$;
grant execute on function public.message_status() to authenticated;
