-- The dashboard's calls, for administrators: lists, searches and counts of offers, their history, and the state of their
-- messages. The functions run as their owner and call private.require_admin first: under row level security PostgreSQL uses
-- no index for LIKE. Each returns one JSON value, because the data API returns at most 1,000 rows. None extends the session.
--
-- A filter is {"term"?: text of three characters or more, in any of the offer's texts, in its message, in the note of a move, in
-- the amount that was named last or in the reference of a deal, "status"?: text, "domain"?: text, "only"?: "held", "low" (without
-- held ones), "overdue" (pending offers whose promised time is over), "message" (offers with a message) or "withdrawn" (rejected
-- offers that the buyer withdrew), "sort"?: "urgent" or "amount"}. Held and low offers are in no other list, so that a flood of them
-- neither moves nor hides the others.

-- Returns the number of this schema, which the dashboard compares with its own (SCHEMA_VERSION). Each migration that changes the
-- schema raises it.
create function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 13;
end;
$$;
grant execute on function public.schema_version() to authenticated;

-- The conditions of a filter as SQL: its offers are those that meet any of them. A term has one for each
-- table, because PostgreSQL uses no index for an OR of several tables. Every value is a literal: only so the planner knows whether
-- a term or a domain is rare, and which index to use.
create function private.offer_conditions(filter jsonb) returns text[]
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

-- What a filter's list is sorted by, the last first, as SQL: the time. With {"sort": "urgent"} the time of a pending offer is
-- mirrored at the year 3000, so that pending offers come first, the oldest of them at the top, and a key is still a time. With
-- {"sort": "amount"} a text: currency, amount in cents plus 1e17, so that it is above zero, and time, of one length each.
create function private.offer_order(filter jsonb) returns text
language sql immutable set search_path = ''
as $$
  select case filter ->> 'sort'
    when 'urgent' then $sql$case when status = 'pending'
      then (timestamp '3000-01-01' + (timestamp '3000-01-01' - (created_at at time zone 'UTC'))) at time zone 'UTC'
      else created_at end$sql$
    when 'amount' then $sql$(rpad(coalesce(currency, ''), 3) || to_char(coalesce(value, 0) * 100 + 1e17, '000000000000000000')
      || to_char(created_at at time zone 'UTC', ' YYYYMMDDHH24MISSUS')) collate "C"$sql$
    else 'created_at' end;
$$;

-- The statement of find_offers: $1 and $2 are the key of the first offer to list, $3 the number of offers. Each condition reads
-- no more than that.
create function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select case when count(*) = 1 then min(part)
    else format('select * from (%s) as offers order by %s desc, id desc limit $3',
      string_agg(format('(%s)', part), ' union '), private.offer_order(filter)) end
  from (
    select format(
      'select * from public.offers where %1$s%2$s order by %3$s desc, id desc limit $3',
      condition,
      case when from_newest then '' else format(
        ' and (%s, id) <= ($1::%s, $2)', private.offer_order(filter),
        case when filter ->> 'sort' = 'amount' then 'text' else 'timestamptz' end
      ) end,
      private.offer_order(filter)
    ) as part
    from unnest(private.offer_conditions(filter)) as condition
  ) as parts;
$$;

-- Returns {"offers"}: at most `page_size` (up to 100) of the filter's offers in its order, from a key of offer_pages on, each with
-- its own "sort_key".
create function public.find_offers(
  filter jsonb default '{}', from_sort_key text default null, from_id uuid default null, page_size integer default 50
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  offers jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$
    select coalesce(jsonb_agg(to_jsonb(o) || jsonb_build_object('sort_key', %2$s) order by %2$s desc, o.id desc), '[]')
    from (%1$s) as o
    $sql$,
    private.find_statement(coalesce(filter, '{}'), from_sort_key is null), private.offer_order(filter)
  ) into offers using from_sort_key, from_id, least(greatest(page_size, 1), 100);
  return jsonb_build_object('offers', offers);
end;
$$;
grant execute on function public.find_offers(jsonb, text, uuid, integer) to authenticated;

-- Returns the key of the first offer of each page of a filter's offers, in its order, so that a page is read by key and not
-- by OFFSET: [{"page", "first_sort_key" (of private.offer_order), "first_id", "total"}].
create function public.offer_pages(page_size integer, filter jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  pages jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (number - 1) / $1, 'first_sort_key', sort_key, 'first_id', id, 'total', total
    ) order by number), '[]')
    from (
      select sort_key, id, count(*) over () as total,
        row_number() over (order by sort_key desc, id desc) as number
      from (%s) as found
    ) as numbered
    where (number - 1) %% $1 = 0
    $sql$,
    (
      select string_agg(
        format('select %s as sort_key, id from public.offers where %s', private.offer_order(filter), condition), ' union ')
      from unnest(private.offer_conditions(coalesce(filter, '{}'))) as condition
    )
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;
grant execute on function public.offer_pages(integer, jsonb) to authenticated;

-- Returns {"status": {"pending": number, …}, "held": number, "low": number, "overdue": number, "messages": number of
-- offers with a message, "withdrawn": number, "waiting": number of offers in which the next move is the owner's, "domains": [names
-- that have offers]}. Held offers count in "held" alone, low ones that are not held in "low" alone.
create function public.offer_counts() returns jsonb
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

-- For polling: {"offers": at most 100 that were created after `since` or in the minute before it, newest first,
-- "pending", "held": numbers, "moved": the newest move of a buyer, once there is one: the dashboard reads its list again where
-- this is another}. Held and low offers are not among the others, so that a flood of them hides none. The minute is an
-- overlap, for offers whose transaction ended late.
create function public.new_offers(since timestamptz) returns jsonb
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

-- Returns [{"old_status", "new_status", "changed_at", "changed_by_email"}], oldest first. The email is null where the
-- change did not come through the data API or the user is deleted.
create function public.offer_history(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'old_status', c.old_status, 'new_status', c.new_status, 'changed_at', c.changed_at,
      'changed_by_email', u.email
    ) order by c.id), '[]')
    from private.offer_status_changes c
    left join auth.users u on u.id = c.changed_by
    where c.offer_id = offer_history.offer_id
  );
end;
$$;
grant execute on function public.offer_history(uuid) to authenticated;

-- Returns {"message": text, null for an offer without one, "confirmation_rejected": what the mail server said when it
-- rejected the customer's address for good, or null}.
create function public.offer_message(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object('message', (
    select t.message from private.offer_messages t where t.offer_id = offer_message.offer_id
  ), 'confirmation_rejected', (
    select m.reason from private.messages m
    where m.offer_id = offer_message.offer_id and m.address_rejected and m.failed_at is not null
  ));
end;
$$;
grant execute on function public.offer_message(uuid) to authenticated;

-- What a message begins with before it says anything, as a regular expression: `Hello Ada,`, `Dear Mr. Smith:`, `Guten Tag!`,
-- alone in its line or not, in English, German and what other buyers often write.
create function private.salutation() returns text
language sql immutable set search_path = ''
as $$
  select '^\s*(?:hi|hello|hey|dear|good (?:day|morning|afternoon|evening)|greetings|to whom it may concern'
    || '|hallo|guten (?:tag|morgen|abend)|sehr geehrte[rs]?|liebe[rs]?|moin|servus|grüezi|grüß gott'
    || '|bonjour|salut|hola|buenos d[ií]as|ciao|buongiorno|ol[aá])\M'
    -- A name of a few words without a figure, which may be an amount, then a mark before white space, or the end of the line.
    || '(?![ \t]+(?:i|we|my|our|is|are|ich|wir|meine?|unsere?|ist)\M)'
    || '(?:[ \t]+(?:(?:mr|mrs|ms|dr|prof)\.|[^\s\d,.!:;?]+)){0,4}[ \t]*(?:[,.!:;–-]+\s|[\n\r])\s*(?=\S)';
$$;

-- Returns {offer id: text} of each of at most 1,000 offers that has a message: its first line that is not blank, without a
-- salutation before other text, at most 200 characters.
create function public.message_lines(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(
      m.offer_id,
      left(substring(regexp_replace(m.message, private.salutation(), '', 'i') from '\S[^\n\r]*'), 200)
    ), '{}')
    from private.offer_messages m where m.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.message_lines(uuid[]) to authenticated;

-- Returns {offer id: {"kind", "at", "valid_until"?: of the last move, "amount"?: the one that was named last in a move, "value"? and
-- "currency"?: that were read in it, "deal"?: {"reference", "pay_by"?, "paid_at"?, "transferred_at"?, "sold_at"?}}} of each of at
-- most 1,000 offers that has moves or a deal.
create function public.standings(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(o.id, jsonb_strip_nulls(jsonb_build_object(
      'kind', coalesce(s.kind, 'close'), 'at', coalesce(s.created_at, d.agreed_at), 'valid_until', s.valid_until,
      'amount', s.amount, 'value', s.value, 'currency', s.currency, 'deal', case when d.reference is not null then
        jsonb_build_object(
          'reference', d.reference, 'pay_by', private.pay_by_of(o, d), 'paid_at', d.paid_at, 'transferred_at', d.transferred_at,
          'sold_at', d.sold_at
        ) end
    ))), '{}')
    from public.offers o
    left join private.standings s on s.offer_id = o.id
    left join private.deals d on d.offer_id = o.id and d.ended_at is null
    where o.id = any (offer_ids[1:1000]) and coalesce(s.offer_id, d.offer_id) is not null
  );
end;
$$;
grant execute on function public.standings(uuid[]) to authenticated;

-- {"name", "price", "state"} of each of at most 1,000 names that is in the catalogue.
create function public.asking_prices(names text[]) returns jsonb
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

-- How messages stand, without any target. `queued`, and `oldest_queued_at` of the oldest of them, leave out what is paused and
-- what waits for the time of its digest. `last_failure` is that of a message that is
-- tried again; `failures` are the 20 latest deliveries that are not, as [{"id" (of its first message), "kind", "domain" (of
-- one of its offers), "offers" (how many), "reason", "at", "target_kind"}], and `failed` counts all such messages.
-- `problems` are the servers that fail, see reported_failures.
-- `rejected_confirmations` are the offers of the 100 latest confirmations whose address was rejected for good.
create function public.message_status() returns jsonb
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
        'retry_at', greatest(m.due_at, f.next_try_at))
      from private.messages m
      left join private.failing_servers f on f.server = private.server_of(m.target)
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is null
      order by m.reason_at desc limit 1
    ), 'problems', private.reported_failures(), 'failures', (
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

-- Makes queued and failed messages due now, for three more days, also where their server fails, and returns how many. Leaves out deliveries under way,
-- digests that wait for their time, and what is paused, was dismissed, or whose address was rejected. Without their old
-- reasons, which nothing reports as failed until the next try has.
create function public.retry_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  retried integer;
begin
  perform private.require_admin();
  perform private.lock_messages();
  update private.failing_servers f set next_try_at = null;
  update private.messages m
  set due_at = now(), failed_at = null, is_trying = false, give_up_at = now() + interval '3 days', reason = null, reason_at = null
  where m.sent_at is null and m.dismissed_at is null and not m.address_rejected
    and (m.leased_until is null or m.leased_until <= now())
    and (m.attempts > 0 or m.due_at <= now())
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s);
  get diagnostics retried = row_count;
  return retried;
end;
$$;
grant execute on function public.retry_messages() to authenticated;

-- Takes a failed delivery, named by one of its messages, from the report, and returns the number of its messages.
create function public.dismiss_message(id bigint) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dismissed integer;
begin
  perform private.require_admin();
  update private.messages m set dismissed_at = now()
  where (m.id = dismiss_message.id
      or m.batch = (select b.batch from private.messages b where b.id = dismiss_message.id))
    and m.failed_at is not null and m.sent_at is null and m.dismissed_at is null;
  get diagnostics dismissed = row_count;
  return dismissed;
end;
$$;
grant execute on function public.dismiss_message(bigint) to authenticated;
