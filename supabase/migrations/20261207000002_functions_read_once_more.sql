-- The functions once more, in steps with names: nothing that they do changes. submit_offer and make_move call what was part of
-- them; the rule which offers are neither held nor low stands in the view regular_offers, that of an offer's language in
-- offer_language; other functions have shorter lines.

create view private.regular_offers with (security_invoker = true) as
  select * from public.offers where not held and not low;

create or replace function public.open_admin_session(
  user_id uuid, session_id text, hours integer, idle_minutes integer, step bigint default null, recovery text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  factor private.admin_factors;
  recent timestamptz[];
  status text := 'opened';
begin
  -- The lock makes an enrolment, a removal and a sign-in at once follow each other.
  perform from private.admins a where a.user_id = open_admin_session.user_id for update;
  if not found or coalesce(session_id, '') = '' then
    return jsonb_build_object('status', 'none');
  end if;
  select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
  if factor.user_id is not null then
    recent := array(select w from unnest(factor.wrong_at) as w where w > now() - interval '24 hours');
    if step is null and recovery is null then
      status := 'code_required';
    else
      update private.admin_factors f
      set last_step = coalesce(step, f.last_step), recovery_hashes = array_remove(f.recovery_hashes, recovery),
        used_hashes = array_remove(f.used_hashes || recovery, null)
      where f.user_id = factor.user_id
        and (f.last_step < step and cardinality(recent) < 10 or recovery = any(f.recovery_hashes))
      returning f.* into factor;
      if not found then
        status := case when cardinality(recent) < 10 then 'wrong_code' else 'too_many_codes' end;
        -- Nothing was returned into it.
        select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
      end if;
    end if;
    if status = 'wrong_code' and coalesce(step > 0, recovery = any(factor.used_hashes)) then
      -- It was used up: it does not count.
      recent := null;
    elsif status = 'wrong_code' then
      recent := recent || now();
      update private.admin_factors f set wrong_at = recent where f.user_id = factor.user_id;
    end if;
  end if;
  if status = 'opened' then
    insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
    values (open_admin_session.session_id, open_admin_session.user_id, now() + make_interval(hours => hours),
            open_admin_session.idle_minutes)
    on conflict do nothing;
    if not exists (
      select 1 from private.admin_sessions s
      where s.session_id = open_admin_session.session_id and s.user_id = open_admin_session.user_id
    ) then
      status := 'none';
    end if;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'status', status, 'sealed', factor.sealed, 'key_id', factor.key_id, 'left', cardinality(factor.recovery_hashes),
    'wrong', cardinality(recent)
  ));
end;
$$;
grant execute on function public.open_admin_session(uuid, text, integer, integer, bigint, text) to service_role;

create or replace function private.offer_language(offer_id uuid) returns text
language sql stable set search_path = ''
as $$ select k.language from private.idempotency_keys k where k.offer_id = offer_language.offer_id limit 1; $$;

create or replace function private.is_low(price jsonb, listed private.listings) returns boolean
language sql immutable set search_path = ''
as $$
  select (price ->> 'currency' = listed.minimum_currency and (price ->> 'amount')::numeric < listed.minimum) is true;
$$;

create or replace function private.count_offer(limits jsonb, out held boolean, out wait integer)
language plpgsql set search_path = ''
as $$
declare
  held_limits jsonb := limits -> 'held';
begin
  wait := 0;
  held := private.count_hits(limits -> 'sender_and_domain') > 0;
  if not held then
    held := private.count_hits(limits -> 'shared') > 0;
  end if;
  if not held then
    return;
  end if;
  -- Not the first of this network for this domain.
  if private.count_hits(limits -> 'held_first') > 0 then
    held_limits := held_limits || (limits -> 'held_again');
  end if;
  wait := private.count_hits(held_limits);
  if wait > 0 then
    perform public.release_hits(held_limits);
    perform public.release_hits(limits -> 'held_first');
  end if;
end;
$$;

create or replace function private.store_offer(id uuid, offer jsonb, held boolean, low boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, held, low)
  values (id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email', held, low);
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(id, held, messages);
  end if;
  if low and not held then
    update private.messages m
    set kind = 'low', digest = true, due_at = date_bin('1 day', now(), 'epoch') + interval '1 day'
    where m.offer_id = store_offer.id and m.kind = 'offer';
  end if;
end;
$$;

create or replace function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb default '[]', expired boolean default false,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := gen_random_uuid();
  listed private.listings;
  low boolean;
  wait integer := private.count_hits_unless_full(limits -> 'sender');
  held boolean;
begin
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', true);
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
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', false);
  end if;
  perform public.release_hits(checks);
  low := private.is_low(offer -> 'price', listed);
  perform private.store_offer(new_id, offer, held, low, messages);
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;

create or replace function private.negotiation(offer_id uuid, viewer text) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  offer public.offers;
  last private.offer_moves;
  -- The amount that was named last.
  standing private.offer_moves;
  state text;
begin
  select o.* into offer from public.offers o where o.id = negotiation.offer_id;
  if offer.id is null then
    return null;
  end if;
  select m.* into last from private.offer_moves m where m.offer_id = offer.id order by m.number desc limit 1;
  select m.* into standing from private.offer_moves m
  where m.offer_id = offer.id and m.kind in ('counter', 'offer') order by m.number desc limit 1;
  state := case
    when last.id is null then case when offer.status in ('accepted', 'rejected') then 'closed' else 'open' end
    when last.kind = 'accept' then 'accepted'
    when last.kind = 'decline' then 'declined'
    when last.kind = 'withdraw' then 'withdrawn'
    when last.kind = 'close' then 'closed'
    else 'open' end;
  return jsonb_build_object(
    'domain', offer.domain_name,
    'language', private.offer_language(offer.id),
    'status', state, 'seen', coalesce(last.number, 1),
    'moves', jsonb_build_array(jsonb_build_object(
      'number', 1, 'side', 'buyer', 'kind', 'offer', 'amount', offer.offer_amount, 'at', offer.created_at
    )) || coalesce(private.stored_moves(offer.id, viewer), '[]'),
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
  );
end;
$$;

create or replace function private.valid_until(made_at timestamptz, move jsonb) returns timestamptz
language sql stable set search_path = ''
as $$ select made_at + make_interval(days => coalesce((move ->> 'days')::integer, 7)); $$;

create or replace function private.is_same_move(made private.offer_moves, side text, move jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select made.side = is_same_move.side and made.kind = move ->> 'kind'
    and (made.kind not in ('counter', 'offer') or move ->> 'amount' is null or made.amount = move ->> 'amount')
    and made.note is not distinct from move ->> 'note'
    and (made.kind <> 'counter' or made.valid_until = private.valid_until(made.created_at, move));
$$;

create or replace function private.move_problem(offer public.offers, side text, move jsonb, state jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  listed text;
begin
  if state is null or (move ->> 'seen')::integer is distinct from (state ->> 'seen')::integer then
    return 'moved';
  end if;
  if not state -> 'can' ? kind then
    return case when side = 'buyer' and kind = 'accept' and state ->> 'status' = 'open'
      and state #>> '{moves,-1,kind}' = 'counter' then 'ended' else 'not_possible' end;
  end if;
  if kind in ('counter', 'offer') and move ->> 'amount' is null then
    return 'not_possible';
  end if;
  if (select count(*) from private.offer_moves m where m.offer_id = offer.id and m.side = move_problem.side) >= 10 then
    return 'too_many';
  end if;
  if kind = 'accept' and exists (
    select from public.offers o
    where o.domain_name = offer.domain_name and o.status = 'accepted' and o.id <> offer.id
  ) then
    return 'taken';
  end if;
  select l.state into listed from private.listings l where l.name = offer.domain_name for share;
  if (side = 'buyer' or kind in ('counter', 'accept')) and listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue) then
    return 'not_possible';
  end if;
  return null;
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
  if mail and private.count_hits_unless_full(mail_limits) > 0 then
    return 'mails_full';
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
  select case when side = 'owner' then 'reply' else 'move' end, offer.id, t.target,
    private.offer_language(offer.id), seen + 1
  from unnest(case when side = 'buyer' then targets when mail then array['mailto:' || lower(offer.customer_email)] end)
    as t (target);
  return 'made';
end;
$$;

create or replace function public.queue_overdue(targets text[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  urgent_before constant timestamptz := now() - private.reply_within() * 5 / 6;
  queued integer;
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select 'overdue', late.id, late.target, not late.announced or late.number > 20,
    case when late.announced and late.number > 20 then next_digest else now() end
  from (
    select o.id, o.created_at, o.announced, t.target,
      recent.count + row_number() over (partition by t.target, o.announced order by o.created_at) as number
    from unnest(targets) as t (target),
      lateral (
        select count(*) from private.messages m
        where m.kind = 'overdue' and m.target = t.target and m.created_at > now() - interval '10 minutes'
      ) as recent,
      lateral (
        select p.id, p.created_at,
          exists (select from private.messages m where m.offer_id = p.id and m.kind = 'offer') as announced
        from public.offers p
        where p.id in (
          select n.id from private.regular_offers n
          where n.status = 'pending' and n.created_at < urgent_before
            -- For offers from before a restore, an alarm may have been sent that the backup does not hold.
            and n.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
          -- Not "not exists": without statistics the planner chose quadratic time for it (a minute for 20,000).
          except
          select m.offer_id from private.messages m where m.kind = 'overdue' and m.target = t.target
        )
      ) as o
  ) as late
  order by late.created_at
  on conflict do nothing;
  get diagnostics queued = row_count;
  perform private.queue_deadlines(targets);
  return queued;
end;
$$;
grant execute on function public.queue_overdue(text[]) to service_role;

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

create or replace function private.offer_condition(filter jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  condition text := case
    when (filter ->> 'held')::boolean then 'held'
    when (filter ->> 'low')::boolean then 'low and not held'
    -- As private.regular_offers.
    else 'not held and not low' end;
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

create or replace function private.offer_order(filter jsonb) returns text
language sql immutable set search_path = ''
as $$
  select case when filter ->> 'sort' = 'urgent'
    then $sql$case when status = 'pending'
      then (timestamp '3000-01-01' + (timestamp '3000-01-01' - (created_at at time zone 'UTC'))) at time zone 'UTC'
      else created_at end$sql$
    else 'created_at' end;
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

create or replace function public.new_offers(since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_strip_nulls(jsonb_build_object('moved', (
    select max(m.id) from private.offer_moves m where m.side = 'buyer'
  ))) || jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id desc), '[]') from (
        select * from private.regular_offers n
        where n.created_at > since - interval '1 minute'
        order by n.created_at desc, n.id desc limit 100
      ) as o
    ),
    'pending', (select count(*) from private.regular_offers o where o.status = 'pending'),
    'held', (select count(*) from public.offers o where o.held)
  );
end;
$$;
grant execute on function public.new_offers(timestamptz) to authenticated;

create or replace function public.asking_prices(names text[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('name', l.name, 'state', l.state, 'price', l.price)), '[]')
    from private.listings l where l.name = any (names[1:1000])
  );
end;
$$;
grant execute on function public.asking_prices(text[]) to authenticated;

create or replace function public.read_customer(email text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
          'message', (select t.message from private.offer_messages t where t.offer_id = o.id),
          'language', private.offer_language(o.id),
          'moves', private.stored_moves(o.id, 'buyer')
        )) || jsonb_build_object('history', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'changed_at', c.changed_at, 'old_status', c.old_status, 'new_status', c.new_status
          ) order by c.id), '[]')
          from private.offer_status_changes c where c.offer_id = o.id
        )) order by o.created_at, o.id
      ), '[]')
      from public.offers o where lower(o.customer_email) = lower(email)
    ),
    'mails', (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'kind', m.kind, 'offer_id', m.offer_id, 'language', m.locale, 'created_at', m.created_at, 'sent_at', m.sent_at,
        'failed_at', m.failed_at, 'reason', m.reason
      )) order by m.id), '[]')
      from private.messages m where m.kind in ('confirmation', 'reply') and m.target = 'mailto:' || lower(email)
    )
  );
$$;
grant execute on function public.read_customer(text) to service_role;

create or replace function public.export_offers(
  page_size integer, before_created_at timestamptz default null, before_id uuid default null
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'has_messages', exists (select from private.offer_messages),
    'offers', (
      select coalesce(jsonb_agg(page.line order by page.created_at desc, page.id desc), '[]') from (
        select o.created_at, o.id,
          jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
            'message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'low', nullif(o.low, false)
          )) as line
        from public.offers o left join private.offer_messages m on m.offer_id = o.id
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

create or replace function public.read_unanswered(hours integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('count', count(*), 'oldest', min(o.created_at)) from private.regular_offers o
  where o.status = 'pending' and o.created_at < now() - hours * interval '1 hour';
$$;
grant execute on function public.read_unanswered(integer) to service_role;

create or replace function public.read_rows(kind text, after text default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  source constant record := private.moved_table(kind);
  result jsonb;
begin
  -- The table and its key are parameters.
  execute format(
    $sql$
    with page as (
      select t.%2$I as key, to_jsonb(t) as line from %1$s t
      where $1 is null or t.%2$I > (jsonb_populate_record(null::%1$s, jsonb_build_object(%2$L, $1))).%2$I
      order by t.%2$I limit 500
    )
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(line order by key), '[]'),
      'next', case when count(*) = 500 then (array_agg(key::text order by key desc))[1] end,
      'total', (select count(*) from %1$s)
    ) from page
    $sql$,
    source.name, source.key
  ) into result using after;
  return result;
end;
$$;
grant execute on function public.read_rows(text, text) to service_role;

create or replace function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links') then 'offer_id' end;
  -- Columns that rows of an earlier version lack, with their values.
  missing constant jsonb := case kind
    when 'offers' then '{"low": false}' when 'messages' then '{"move_number": 0}' else '{}' end;
  received jsonb := rows;
  columns text;
  is_same text;
  present bigint;
  total bigint;
begin
  -- The call of a run that was killed may still be at work: rows without a unique key would be inserted twice.
  perform pg_advisory_xact_lock(hashtextextended('receive_rows', 0));
  if offer_column is not null then
    select coalesce(jsonb_agg(missing || r.value order by r.ordinality), '[]') into received
    from jsonb_array_elements(rows) with ordinality as r
    where not exists (select from private.erased_offers e where e.offer_id = (r.value ->> offer_column)::uuid);
  end if;
  if kind = 'erased_offers' then
    perform private.erase_offers(array(select (r ->> 'offer_id')::uuid from jsonb_array_elements(rows) as r));
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=".
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where kind <> 'messages' or a.attname in ('offer_id', 'kind', 'target', 'move_number'))
  into columns, is_same
  from pg_attribute a
  where a.attrelid = target.name::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = '';
  -- The table and its columns are parameters.
  execute format(
    $sql$
    insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1) as r
    where not exists (select from %1$s t where %3$s) order by r.%4$I on conflict do nothing
    $sql$,
    target.name, columns, is_same, target.key
  ) using received;
  execute format(
    $sql$
    select count(*) filter (where exists (select from %1$s t where %2$s)), (select count(*) from %1$s)
    from jsonb_populate_recordset(null::%1$s, $1) as r
    $sql$,
    target.name, is_same
  ) into present, total using received;
  return jsonb_build_object(
    'present', present, 'erased', jsonb_array_length(rows) - jsonb_array_length(received), 'total', total
  );
end;
$$;
grant execute on function public.receive_rows(text, jsonb) to service_role;
