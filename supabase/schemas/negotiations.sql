-- Negotiation of an offer. A row of private.offer_moves is one move of the owner or the buyer after the offer, which itself
-- is move 1 and has no row. A row of private.offer_links is a link of the buyer's: its number, and the SHA-256 of its token,
-- which the edge functions derive from offer, number and nonce under their secret. Only the functions below write both tables:
-- negotiate_as_owner for administrators, negotiate_as_buyer for the edge function `negotiation`, and the trigger that closes
-- an offer whose status was set by hand; besides them receive_rows. Moves are only added; they go with their offer when it is
-- erased. The tables are closed. The messages about moves are in outbox.sql.

create table private.offer_moves (
  id bigint generated always as identity primary key,
  offer_id uuid not null references public.offers (id) on delete cascade,
  -- In the order of the moves, without a gap.
  number integer not null check (number > 1),
  side text not null check (side in ('owner', 'buyer')),
  -- close: the owner set the status to accepted or rejected by hand.
  kind text not null check (kind in ('counter', 'offer', 'accept', 'decline', 'withdraw', 'take_back', 'close')),
  -- Of an acceptance the accepted one.
  amount text check (char_length(amount) between 1 and 500),
  note text check (char_length(note) between 1 and 1000),
  valid_until timestamptz,
  created_at timestamptz not null default now(),
  -- The administrator; null for the buyer.
  changed_by uuid,
  -- What was read in the amount, as in public.offers.
  value numeric check (abs(value) < 1e15 and value = round(value, 2)),
  currency text check (currency ~ '^([A-Z]{3})?$'),
  constraint value_has_currency check ((value is null) = (coalesce(currency, '') = '')),
  unique (offer_id, number)
);
-- For queue_deadlines.
create index offer_moves_by_end on private.offer_moves (valid_until) where valid_until is not null;
create index offer_moves_accepted on private.offer_moves (created_at) where kind = 'accept';
-- For the dashboard's search.
create index offer_moves_by_amount on private.offer_moves using gin (lower(amount) extensions.gin_trgm_ops)
  where amount is not null;
create index offer_moves_by_note on private.offer_moves using gin (lower(note) extensions.gin_trgm_ops) where note is not null;
-- For the dashboard's filter: it is the last move of its offer.
create index offer_moves_withdrawn on private.offer_moves (offer_id) where kind = 'withdraw';
alter table private.offer_moves enable row level security;
create trigger moves_are_not_deleted before delete on private.offer_moves
  for each row execute function private.reject_removal();
create trigger moves_are_not_changed before update on private.offer_moves
  for each row when (
    old.currency is not null
    or to_jsonb(new) - '{value,currency}'::text[] is distinct from to_jsonb(old) - '{value,currency}'::text[]
  )
  execute function private.reject_removal();

create table private.offer_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  offer_id uuid not null references public.offers (id) on delete cascade,
  number integer not null check (number > 0),
  created_at timestamptz not null default now(),
  -- 128 random bits, so that after a restore no new link has the token of one that was made after the backup. Without the
  -- functions' secret key it opens nothing.
  nonce text not null check (nonce ~ '^[0-9a-f]{32}$'),
  unique (offer_id, number)
);
alter table private.offer_links enable row level security;

-- The last move of each offer that has any, and the amount that was named last: the one that counts, and that is agreed where the
-- last move is an acceptance.
create view private.standings with (security_invoker = true) as
  select last.offer_id, last.kind, last.created_at, last.valid_until, named.amount, named.value, named.currency
  from private.offer_moves last
  left join lateral (
    select m.amount, m.value, nullif(m.currency, '') as currency from private.offer_moves m
    where m.offer_id = last.offer_id and m.amount is not null order by m.number desc limit 1
  ) as named on true
  where not exists (
    select from private.offer_moves n where n.offer_id = last.offer_id and n.number = last.number + 1
  );

-- Whether a take-back rejected the offer: it ended the deal in its own transaction.
create function private.ended_rejected(move private.offer_moves) returns boolean
language sql stable set search_path = ''
as $$
  select move.kind = 'take_back' and exists (
    select from private.deals d
    where d.offer_id = move.offer_id and d.ended_at = move.created_at and d.ended_as = 'rejected'
  );
$$;

-- The moves after the first, as a side sees them: [{"number", "side", "kind", "amount"?, "value"? and "currency"? that were read
-- in it, "note"?, "as"? (`rejected`, of a take-back with which the deal fell through), "valid_until"?, "at", "by"? (the
-- administrator's email, for the owner)}]; null where there are none.
create function private.stored_moves(offer_id uuid, viewer text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'number', m.number, 'side', m.side, 'kind', m.kind, 'amount', m.amount, 'value', m.value,
    'currency', nullif(m.currency, ''), 'note', m.note, 'as', case when private.ended_rejected(m) then 'rejected' end,
    'valid_until', m.valid_until, 'at', m.created_at, 'by', case when viewer = 'owner' then u.email end
  )) order by m.number)
  from private.offer_moves m left join auth.users u on u.id = m.changed_by
  where m.offer_id = stored_moves.offer_id;
$$;

-- Whether the owner has made a move, or set a status by hand.
create function private.is_answered(offer_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.offer_moves m where m.offer_id = is_answered.offer_id and m.side = 'owner')
    or exists (select from public.offers o where o.id = is_answered.offer_id and o.status <> 'pending');
$$;

-- What a side sees: {"domain", "language", "status", "seen", "moves", "can", "deal"?, "answer_by"? (for the buyer), "ended" and
-- "had_mail" (for the owner)}, as the contract's NegotiationSchema. Null where there is no such offer.
create function private.negotiation(offer_id uuid, viewer text) returns jsonb
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

-- The end date of an owner's counter-offer: after its number of days, 7 where it names none.
create function private.valid_until(made_at timestamptz, move jsonb) returns timestamptz
language sql stable set search_path = ''
as $$ select made_at + make_interval(days => coalesce((move ->> 'days')::integer, 7)); $$;

-- Moves and new links of offers for one name are made one after the other.
create function private.lock_moves(name text) returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('private.offer_moves ' || name, 0)); $$;

-- Whether a move that was made is the same as one that is sent: with the same amount, note, number of days and outcome.
create function private.is_same_move(made private.offer_moves, side text, move jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select made.side = is_same_move.side and made.kind = move ->> 'kind'
    and (made.kind not in ('counter', 'offer') or move ->> 'amount' is null or made.amount = move ->> 'amount')
    and made.note is not distinct from move ->> 'note'
    and (made.kind <> 'counter' or made.valid_until = private.valid_until(made.created_at, move))
    and (made.kind <> 'take_back' or private.ended_rejected(made) = (move ->> 'as' is not distinct from 'rejected'));
$$;

-- Why a side cannot make a move, as private.make_move returns it; null where it can. Waits for a publication that changes the
-- name, and makes it wait.
create function private.move_problem(offer public.offers, side text, move jsonb, state jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  listed text;
begin
  if state is null or (move ->> 'seen')::integer is distinct from (state ->> 'seen')::integer then
    return 'moved';
  end if;
  -- What was paid meanwhile is not taken back unseen.
  if kind = 'take_back' and (
    move ? 'deal_seen' and move -> 'deal_seen' <> to_jsonb(private.last_deal_change(offer.id))
    or not move ? 'deal_seen' and (private.deal_in_force(offer.id)).changes <> '[]'
  ) then
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

-- Makes a move for a side and queues its messages: of the owner's moves to the buyer with `mail`, but of a take-back only where
-- private.had_mail; of the buyer's to the owner's `targets`, and of an acceptance to the buyer too. Until the owner has answered,
-- another amount leaves the status as it is, and of a low offer only an amount that is not low has messages. Of moves for one name
-- one runs at a time. Returns `made`; `repeated` for the move that was made last and is sent again, with the same amount, note and
-- days; `moved` where the last move is another than the caller saw; `ended` after the end date; `not_possible`; `too_many` after 10
-- moves of the side; `mails_full` where the limits of mails are, to the owner alone: a buyer's acceptance is made without its mail;
-- `taken` where another offer for the name is accepted. "price" of the move is that of private.with_currency, absent where its
-- amount could not be read.
-- A status set by hand is outside of that lock: it waits for the offer's row, and may accept a second offer.
create function private.make_move(
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

-- The newest link of an offer, {"number", "hash", "nonce"}; null where there is none.
create function private.newest_link(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('number', l.number, 'hash', l.token_hash, 'nonce', l.nonce)
  from private.offer_links l
  where l.offer_id = newest_link.offer_id order by l.number desc limit 1;
$$;

-- A call of the owner. Without `move`, `deal` and `link` it only reads. `deal` is that of private.change_deal. `link` is {"number",
-- "hash", "nonce"}: stored unless it or a newer one is, and with {"replace": true} the only one then. Returns {"outcome", "state",
-- "payment": that of private.payment_of, "link": that of private.newest_link, "taken_by": the customer whose offer is accepted
-- instead}; {"outcome": "unknown"} where there is no such offer.
create function public.negotiate_as_owner(
  offer_id uuid, move jsonb default null, link jsonb default null, mail boolean default false, mail_limits jsonb default '[]',
  deal jsonb default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'read';
begin
  perform private.require_admin();
  if not exists (select from public.offers o where o.id = negotiate_as_owner.offer_id) then
    return '{"outcome": "unknown"}';
  end if;
  if move is not null then
    outcome := private.make_move(offer_id, 'owner', move, mail, '{}', mail_limits);
  elsif deal is not null then
    outcome := private.change_deal(offer_id, deal);
  end if;
  if link is not null and outcome in ('read', 'made') then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = negotiate_as_owner.offer_id));
    if (link ->> 'replace')::boolean then
      delete from private.offer_links l
      where l.offer_id = negotiate_as_owner.offer_id and l.number < (link ->> 'number')::integer;
    end if;
    insert into private.offer_links (token_hash, offer_id, number, nonce)
    select link ->> 'hash', negotiate_as_owner.offer_id, (link ->> 'number')::integer, link ->> 'nonce'
    where not exists (
      select from private.offer_links l
      where l.offer_id = negotiate_as_owner.offer_id and l.number >= (link ->> 'number')::integer
    );
  end if;
  return jsonb_build_object(
    'outcome', outcome, 'state', private.negotiation(offer_id, 'owner'), 'payment', private.payment_of(offer_id),
    'link', private.newest_link(offer_id),
    'taken_by', case when outcome = 'taken' then (
      select o.customer_name from public.offers o
      where o.status = 'accepted' and o.id <> negotiate_as_owner.offer_id and o.domain_name = (
        select p.domain_name from public.offers p where p.id = negotiate_as_owner.offer_id
      )
      order by o.created_at limit 1
    ) end
  );
end;
$$;
grant execute on function public.negotiate_as_owner(uuid, jsonb, jsonb, boolean, jsonb, jsonb) to authenticated;

-- The links that open their offer: the name is for sale, or reserved for this offer, which is accepted, or sold once it was paid, or
-- the deal fell through, so that nothing can be done but read that; link, last move and agreement are 90 days old at most, and 14
-- where the negotiation is over without an agreement. Decided at each call, so that a catalogue that is published again revives
-- them. Before the first publication every name is for sale.
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

-- A call of the buyer with the hash of a link's token. Links are replaced under the lock of moves: a move checks the link once
-- it has the lock, and the link holds until the commit. Tokens that open nothing, or nothing any more, count in `limits`.
-- `targets` are the owner's; with `mail` the buyer gets one about an acceptance. Returns {"outcome", "state", "payment": that of
-- private.payment_of, of an accepted offer}; {"outcome": "invalid"}, or in its place {"outcome": "limited", "wait", "full":
-- full_limits}.
create function public.negotiate_as_buyer(
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

-- The first 8 digits of the hash of every link that opens its offer: enough to leave out nearly all guesses. The edge function
-- `negotiation` remembers which IPs and networks are limited, and calls the database for them only with tokens that may open
-- something.
create function public.read_link_hashes() returns jsonb
language sql stable security definer set search_path = ''
as $$ select coalesce(jsonb_agg(left(l.token_hash, 8)), '[]') from private.open_links l; $$;
grant execute on function public.read_link_hashes() to service_role;

-- Closes what is open for the buyer when the owner sets the status to accepted or rejected by hand, and an acceptance when the
-- owner sets any other status. Deals follow the status by a trigger of their own.
create function private.close_negotiation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.offer_moves (offer_id, number, side, kind, changed_by)
  select new.id, last.number + 1, 'owner', 'close', (select auth.uid())
  from private.offer_moves last
  where last.offer_id = new.id
    and not exists (select from private.offer_moves n where n.offer_id = new.id and n.number > last.number)
    and (last.kind = 'accept' and new.status <> 'accepted'
      or last.kind in ('counter', 'offer', 'take_back') and new.status in ('accepted', 'rejected'));
  return null;
end;
$$;
create trigger statuses_close_negotiations after update of status on public.offers
  for each row when (
    old.status is distinct from new.status and coalesce(current_setting('private.moving', true), '') <> 'yes'
  )
  execute function private.close_negotiation();
