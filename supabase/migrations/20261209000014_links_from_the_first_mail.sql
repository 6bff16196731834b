-- The confirmation of an offer has the buyer's link: it is stored with the offer, and opens it before the owner has answered. Until
-- then another amount leaves the status as it is. The list of links' hashes has those alone that open their offer. Notes of moves
-- are found by the search, withdrawn offers by a filter, and a take-back is mailed where the buyer had a mail. Offers from before
-- have no link until the owner answers, as so far.

create index offer_moves_by_note on private.offer_moves using gin (lower(note) extensions.gin_trgm_ops) where note is not null;
create index offer_moves_withdrawn on private.offer_moves (offer_id) where kind = 'withdraw';
create view private.open_links with (security_invoker = true) as
  select k.* from private.offer_links k
  join public.offers o on o.id = k.offer_id
  left join private.listings l on l.name = o.domain_name
  left join private.deals d on d.offer_id = o.id and d.ended_at is null
  left join private.offer_moves last on last.offer_id = o.id and not exists (
    select from private.offer_moves n where n.offer_id = last.offer_id and n.number = last.number + 1
  )
  where (l.state = 'for_sale' or l.state = 'reserved' and o.status = 'accepted' or l.state = 'sold' and d.paid_at is not null
      or o.status = 'rejected' and last.kind = 'take_back' or not exists (select from private.published_catalogue))
    and greatest(last.created_at, k.created_at, d.agreed_at) > now() - case
      when o.status <> 'accepted' and last.kind in ('decline', 'withdraw', 'close')
        or o.status = 'rejected' and last.kind = 'take_back' then interval '14 days' else interval '90 days' end;

drop function private.is_link_good(link private.offer_links);

create or replace function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb default '[]', expired boolean default false,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := coalesce(
    (jsonb_path_query_first(messages, '$[*].link.offer_id') #>> '{}')::uuid, gen_random_uuid()
  );
  listed private.listings;
  low boolean;
  wait integer := private.count_hits_unless_full(limits -> 'sender');
  held boolean;
begin
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', private.full_limits(limits -> 'sender'));
  end if;

  select l.* into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed.state is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.idempotency_keys k where k.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed.state);
  end if;
  if expired then
    return coalesce(private.earlier_offer(token_hash, payload_hash), '{"outcome": "expired"}');
  end if;

  insert into private.idempotency_keys (token_hash, payload_hash, offer_id, language)
  values (token_hash, payload_hash, new_id, coalesce(
    offer ->> 'locale', (select c.language from private.published_catalogue c)
  ))
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Held until the commit, because every offer counts in the row of `submit.all`. Others that waited for it inside "insert
  -- … on conflict" would all be woken by each commit, and one would go on: with 32 connections an offer took 1.4 to 2.3
  -- times the processor time. A lock has a queue, and wakes the first. What an offer waits for before it, no other offer
  -- holds while it waits for the lock with anything that this one has: none can be part of a deadlock.
  perform pg_advisory_xact_lock(hashtext('private.rate_limits'));

  select c.held, c.wait into held, wait from private.count_offer(limits) as c;
  if wait > 0 then
    delete from private.idempotency_keys k where k.offer_id = new_id;
    return jsonb_build_object('outcome', 'limited', 'wait', wait);
  end if;
  perform public.release_hits(checks);
  offer := offer || jsonb_build_object('price', private.with_currency(offer -> 'price', listed));
  low := private.is_low(offer -> 'price', listed);
  perform private.store_offer(new_id, offer, held, low, messages);
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;

create or replace function private.is_answered(offer_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.offer_moves m where m.offer_id = is_answered.offer_id and m.side = 'owner')
    or exists (select from public.offers o where o.id = is_answered.offer_id and o.status <> 'pending');
$$;

create or replace function private.negotiation(offer_id uuid, viewer text) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  offer public.offers;
  last private.offer_moves;
  -- The amount that was named last.
  standing private.offer_moves;
  state text;
  deal jsonb;
begin
  select o.* into offer from public.offers o where o.id = negotiation.offer_id;
  if offer.id is null then
    return null;
  end if;
  select m.* into last from private.offer_moves m where m.offer_id = offer.id order by m.number desc limit 1;
  select m.* into standing from private.offer_moves m
  where m.offer_id = offer.id and m.kind in ('counter', 'offer') order by m.number desc limit 1;
  deal := private.describe_deal(offer, private.deal_in_force(offer.id), viewer);
  state := case
    when offer.status = 'accepted' then 'accepted'
    when last.id is null then case when offer.status = 'rejected' then 'closed' else 'open' end
    when last.kind = 'decline' or last.kind = 'take_back' and offer.status = 'rejected' then 'declined'
    when last.kind = 'withdraw' then 'withdrawn'
    when last.kind = 'close' then 'closed'
    else 'open' end;
  return jsonb_build_object(
    'domain', offer.domain_name,
    'language', private.offer_language(offer.id),
    'status', state, 'seen', coalesce(last.number, 1),
    'moves', jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
      'number', 1, 'side', 'buyer', 'kind', 'offer', 'amount', offer.offer_amount, 'value', offer.value,
      'currency', nullif(offer.currency, ''), 'at', offer.created_at
    ))) || coalesce(private.stored_moves(offer.id, viewer), '[]'),
    'can', to_jsonb(case
      when viewer = 'buyer' then case
        when state <> 'open' then '{}'
        when last.kind = 'counter' and now() < last.valid_until then '{accept,offer,withdraw}'
        else '{offer,withdraw}' end::text[]
      when state = 'accepted' then '{take_back}'
      when state = 'closed' then '{counter}'
      when state <> 'open' then '{}'
      when coalesce(standing.side, 'buyer') = 'buyer' then '{counter,accept,decline}'
      else '{counter,decline}' end::text[])
  ) || case when deal is null then '{}' else jsonb_build_object('deal', deal) end
    -- As the page of the offer says it: for a low one it promises no answer.
    || case when viewer = 'buyer' and state = 'open' and coalesce(standing.side, 'buyer') = 'buyer'
      and (private.is_answered(offer.id) or not offer.low)
      then jsonb_build_object('answer_by', coalesce(standing.created_at, offer.created_at) + private.reply_within())
      else '{}' end
    || case when viewer <> 'owner' then '{}' else jsonb_build_object('had_mail', private.had_mail(offer.id), 'ended', (
      select coalesce(jsonb_agg(private.describe_deal(offer, d, viewer) order by d.agreed_at, d.ended_at), '[]')
      from private.deals d where d.offer_id = offer.id and d.ended_at is not null
    )) end;
end;
$$;

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
  -- The amount of the move, with what was read in it.
  named jsonb;
  listed private.listings;
  answered boolean;
  is_quiet boolean;
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
  mailed := mailed and (kind <> 'take_back' or private.had_mail(offer.id));
  if mailed and private.count_hits_unless_full(mail_limits) > 0 then
    if side = 'owner' then
      return 'mails_full';
    end if;
    mailed := false;
  end if;

  select l.* into listed from private.listings l where l.name = offer.domain_name;
  answered := private.is_answered(offer.id);
  if kind = 'accept' then
    select m into named from jsonb_array_elements(state -> 'moves') as m
    where m ->> 'kind' in ('counter', 'offer') order by (m ->> 'number')::integer desc limit 1;
  elsif kind in ('counter', 'offer') then
    select jsonb_build_object('amount', move ->> 'amount', 'value', p.price ->> 'amount', 'currency', p.price ->> 'currency')
    into named from (select private.with_currency(move -> 'price', listed) as price) as p;
  end if;
  -- What follows a move that was reported is reported, too.
  is_quiet := offer.low and not answered and not exists (
    select from private.messages m where m.offer_id = offer.id and m.kind = 'move'
  ) and (kind = 'withdraw' or private.is_low(
    jsonb_build_object('amount', named -> 'value', 'currency', named -> 'currency'), listed
  ));
  insert into private.offer_moves (
    offer_id, number, side, kind, amount, value, currency, note, valid_until, changed_by
  )
  values (
    offer.id, seen + 1, side, kind, named ->> 'amount', (named ->> 'value')::numeric, coalesce(named ->> 'currency', ''),
    move ->> 'note',
    case when kind = 'counter' then private.valid_until(now(), move) end,
    case when side = 'owner' then (select auth.uid()) end
  );
  perform set_config('private.moving', 'yes', true);
  update public.offers o
  set status = case
    when kind = 'accept' then 'accepted'
    when kind in ('decline', 'withdraw') or kind = 'take_back' and move ->> 'as' = 'rejected' then 'rejected'
    when side = 'buyer' and not answered then o.status
    else 'negotiating' end
  where o.id = offer.id;
  perform set_config('private.moving', '', true);
  insert into private.messages (kind, offer_id, target, locale, move_number)
  select t.kind, offer.id, t.target, private.offer_language(offer.id), seen + 1
  from (
    select 'move' as kind, unnest(targets) as target where side = 'buyer' and not is_quiet
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
  if not exists (select from private.open_links l where l.token_hash = link.token_hash) then
    wait := private.count_hits_unless_full(limits);
    return case when wait > 0
      then jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', private.full_limits(limits))
      else '{"outcome": "invalid"}'
    end;
  end if;
  if move is not null then
    outcome := private.make_move(link.offer_id, 'buyer', move, mail, targets, mail_limits);
  end if;
  -- Checked again: make_move may have waited for a publication, or for an erasure.
  if not exists (select from private.open_links l where l.token_hash = link.token_hash) then
    return '{"outcome": "invalid"}';
  end if;
  return jsonb_build_object('outcome', outcome, 'state', private.negotiation(link.offer_id, 'buyer'))
    || case when exists (select from public.offers o where o.id = link.offer_id and o.status = 'accepted')
      then jsonb_build_object('payment', private.payment_of(link.offer_id)) else '{}' end;
end;
$$;
grant execute on function public.negotiate_as_buyer(text, jsonb, jsonb, text[], boolean, jsonb) to service_role;

create or replace function public.read_link_hashes() returns jsonb
language sql stable security definer set search_path = ''
as $$ select coalesce(jsonb_agg(left(l.token_hash, 8)), '[]') from private.open_links l; $$;
grant execute on function public.read_link_hashes() to service_role;

create or replace function private.had_mail(offer_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from private.messages m
    where m.offer_id = had_mail.offer_id and m.kind in ('confirmation', 'reply', 'reminder') and m.failed_at is null
  );
$$;

create or replace function private.queue_messages(offer_id uuid, held boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  confirmation constant jsonb := jsonb_path_query_first(messages, '$[*] ? (@.kind == "confirmation")');
  customer constant text := lower(confirmation ->> 'target');
  limits constant jsonb := coalesce(confirmation -> 'limits', '[]');
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select n.kind, queue_messages.offer_id, n.target, n.digest,
    case when n.digest then next_digest else now() end
  from (
    select m.kind, m.target, held or exists (
      select from private.messages r
      where r.kind = m.kind and r.target = m.target and r.created_at > now() - interval '10 minutes'
      offset 19
    ) as digest
    from jsonb_to_recordset(messages) as m (kind text, target text)
    where m.kind <> 'confirmation'
  ) as n
  on conflict do nothing;

  if confirmation is null or held then
    return;
  end if;
  perform from private.messages r
  where r.kind = 'confirmation' and r.created_at > now() - interval '24 hours'
    and regexp_replace(r.target, '\+[^@]*@', '@') = regexp_replace(customer, '\+[^@]*@', '@');
  -- Counted unless full: those that are not sent must not fill the limit of all.
  if found or private.count_hits_unless_full(limits) > 0 then
    return;
  end if;
  insert into private.messages (kind, offer_id, target, locale)
  values ('confirmation', queue_messages.offer_id, customer, confirmation ->> 'locale');
  insert into private.offer_links (token_hash, offer_id, number, nonce)
  select l.hash, queue_messages.offer_id, l.number, l.nonce
  from jsonb_to_record(confirmation -> 'link') as l (hash text, number integer, nonce text)
  where l.hash is not null;
end;
$$;

create or replace function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts + 1, 'offers', (
      select jsonb_agg(
        named.texts || jsonb_strip_nulls(to_jsonb(named) - 'texts') order by named.created_at, named.id
      ) from (
        select private.offer_texts(to_jsonb(o)) as texts, o.value, nullif(o.currency, '') as currency, o.id, o.created_at, o.held,
          case when m.kind = 'confirmation' and o.low then true end as low, t.message,
          l.price as asking_price, private.offer_language(o.id) as language,
          case when m.kind not in ('unpaid', 'pay_link', 'reminder') then (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) end as move,
          private.delivered_deal(o, m.kind, m.move_number) as deal,
          case when m.kind <> 'reply' then (
            select v.amount from private.offer_moves v
            where v.offer_id = o.id and (v.number <= m.move_number or m.kind in ('overdue', 'low')) and v.amount is not null
            order by v.number desc limit 1
          ) end as current_amount,
          case when m.kind in ('confirmation', 'reply', 'reminder') then private.newest_link(o.id) end as link
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

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 9;
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
  if filter ->> 'only' not in ('held', 'low', 'overdue', 'message', 'withdrawn') then
    raise exception 'The filter has an unknown only: %. Use held, low, overdue, message or withdrawn.', filter ->> 'only'
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
  if filter ->> 'only' = 'withdrawn' then
    condition := condition || ' and status = ''rejected'' and exists ('
      || 'select from private.offer_moves w where w.offer_id = offers.id and w.kind = ''withdraw'' and not exists ('
      || 'select from private.offer_moves n where n.offer_id = w.offer_id and n.number = w.number + 1))';
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
        select from private.offer_moves m where m.offer_id = offers.id and lower(m.note) like %L
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
  ] || case when term ~ '^[a-z0-9-]{3,9}$' then array[
    format(
      $sql$%s and exists (
        select from private.deals d where d.offer_id = offers.id and lower(d.reference) like %L
      )$sql$,
      condition, pattern
    )
  ] else '{}' end;
end;
$$;

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

create or replace function public.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips rows that a running transaction has locked, so that neither waits for the other.
  delete from private.rate_limits where (bucket, key_hash, window_start) in (
    select bucket, key_hash, window_start from private.rate_limits
    where window_end < now() for update skip locked
  );
  delete from private.admin_sessions s
  where s.ends_at <= now()
    or s.refreshed_at + make_interval(mins => s.idle_minutes) <= now()
    or not private.has_auth_session(s.session_id, s.user_id);
  delete from private.messages m using public.offers o
  where o.id = m.offer_id and o.status not in ('pending', 'accepted') and m.sent_at < now() - interval '30 days';
end;
$$;
grant execute on function public.remove_expired() to service_role;
