-- Calls of the owner's commands (npm run erase, purge, export, transfer, doctor, deploy:backend) and of the scheduler, for
-- service_role alone, and remove_offer for administrators. They open nothing that the secret key did not open before: with it,
-- GoTrue's admin API sets the password of any administrator.
-- Erasure: a row of private.erasures holds the time of one erasure and the number of its offers, a row of
-- private.erased_offers the id of one erased offer, so that `npm run transfer` neither brings it back to a hosted project nor
-- leaves it there: ids are random and name no person. What refers to the offers is deleted with them; the history of statuses
-- stays, because it holds no personal data. Written by erase_customer, remove_offer, purge_offers and receive_rows; read by the
-- calls of npm run transfer. The tables are closed.

create table private.erasures (
  id bigint generated always as identity primary key,
  offers integer not null,
  erased_at timestamptz not null default now()
);
alter table private.erasures enable row level security;

create table private.erased_offers (offer_id uuid primary key);
alter table private.erased_offers enable row level security;

-- Deletes the offers, stores their ids, and returns how many there were.
create function private.erase_offers(ids uuid[]) returns integer
language plpgsql set search_path = ''
as $$
declare
  erased integer;
begin
  insert into private.erased_offers select unnest(ids) on conflict do nothing;
  perform set_config('private.erasing', 'yes', true);
  delete from public.offers o where o.id = any(ids);
  get diagnostics erased = row_count;
  perform set_config('private.erasing', '', true);
  return erased;
end;
$$;

-- Deletes the offers of an email, in any letter case, and any other confirmation to it; returns the number of offers.
create function public.erase_customer(email text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  erased constant integer := private.erase_offers(
    array(select o.id from public.offers o where lower(o.customer_email) = lower(email))
  );
begin
  delete from private.messages m where m.kind = 'confirmation' and m.target = 'mailto:' || lower(email);
  if erased > 0 then
    insert into private.erasures (offers) values (erased);
  end if;
  return erased;
end;
$$;
grant execute on function public.erase_customer(text) to service_role;

-- Deletes one offer, such as one of a program, with what goes with it, and returns whether it was there. Nothing about the
-- customer is noted: backups made earlier still hold the offer, and a restored one brings it back.
create function public.remove_offer(offer_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  perform private.require_admin();
  removed := private.erase_offers(array(select o.id from public.offers o where o.id = remove_offer.offer_id));
  if removed > 0 then
    insert into private.erasures (offers) values (removed);
  end if;
  return removed > 0;
end;
$$;
grant execute on function public.remove_offer(uuid) to authenticated;

-- Counts the rejected offers, and with `accepted` the accepted ones, that came before that time and whose status and deal have not
-- changed since; with `purge` deletes them with what belongs to them, their history too. Erased offers are stored by id alone
-- (private.erase_offers), so that npm run transfer does not bring them back.
create function public.purge_offers(older_than interval, accepted boolean, purge boolean default false) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  ids constant uuid[] := array(
    select o.id from public.offers o
    where (o.status = 'rejected' or accepted and o.status = 'accepted') and o.created_at < now() - older_than
      and not exists (
        select from private.offer_status_changes c where c.offer_id = o.id and c.changed_at >= now() - older_than
      )
      and not exists (
        select from private.deals d
        where d.offer_id = o.id and (d.changes #>> '{-1,at}')::timestamptz >= now() - older_than
      )
    for update
  );
begin
  if purge then
    perform private.erase_offers(ids);
    delete from private.offer_status_changes c where c.offer_id = any(ids);
  end if;
  return cardinality(ids);
end;
$$;
grant execute on function public.purge_offers(interval, boolean, boolean) to service_role;

-- Everything stored about an email, in any letter case: {"offers": each with its message, its language, its moves, its deals and
-- the changes of its status, oldest first, "mails": those queued for or sent to the email}. Without the administrators, the owner's
-- own targets, and hashes, which say nothing about a person.
create function public.read_customer(email text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
          'currency', nullif(o.currency, ''),
          'message', (select t.message from private.offer_messages t where t.offer_id = o.id),
          'language', private.offer_language(o.id),
          'moves', private.stored_moves(o.id, 'buyer'),
          'deals', private.exported_deals(o.id)
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
      from private.messages m where m.kind in ('confirmation', 'reply', 'reminder') and m.target = 'mailto:' || lower(email)
    )
  );
$$;
grant execute on function public.read_customer(text) to service_role;

-- Returns {"offers": […], "has_messages"}: offers that are older than a given one, newest first, each with its message, its moves
-- and its "deals" if it has any, "current_amount" (the offer's, or that of the last move that named one), "agreed_amount" if it is
-- accepted, each with the value and the currency that were read in it ("current_value", …), of the deal in force "reference",
-- "pay_by", "paid_at", "transferred_at" and "sold_at", "low" if it is low, and whether any offer has a message.
create function public.export_offers(
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
            'currency', nullif(o.currency, ''),
            'message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'deals', private.exported_deals(o.id),
            'low', nullif(o.low, false), 'current_amount', a.amount, 'current_value', a.value, 'current_currency', a.currency
          ) || case when o.status = 'accepted' then jsonb_build_object(
            'agreed_amount', a.amount, 'agreed_value', a.value, 'agreed_currency', a.currency,
            'reference', d.reference, 'pay_by', private.pay_by_of(o, d), 'paid_at', d.paid_at,
            'transferred_at', d.transferred_at, 'sold_at', d.sold_at
          ) else '{}' end) as line
        from public.offers o
        left join private.offer_messages m on m.offer_id = o.id
        left join private.standings s on s.offer_id = o.id
        cross join lateral (
          select coalesce(s.amount, o.offer_amount) as amount, case when s.amount is null then o.value else s.value end as value,
            case when s.amount is null then nullif(o.currency, '') else s.currency end as currency
        ) as a
        left join private.deals d on d.offer_id = o.id and d.ended_at is null
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

-- Counts the offers that are no newer than a given one, or all.
create function public.count_offers(newest_created_at timestamptz default null, newest_id uuid default null)
returns bigint
language sql stable security definer set search_path = ''
as $$
  select count(*) from public.offers o
  where newest_id is null or (o.created_at, o.id) <= (newest_created_at, newest_id);
$$;
grant execute on function public.count_offers(timestamptz, uuid) to service_role;

-- The offers that are still new after some hours, without those that are held or low: {"count", "oldest"}, null where there is
-- none.
create function public.read_unanswered(hours integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('count', count(*), 'oldest', min(o.created_at)) from private.regular_offers o
  where o.status = 'pending' and o.created_at < now() - hours * interval '1 hour';
$$;
grant execute on function public.read_unanswered(integer) to service_role;

-- Amounts that are not read yet, at most 500: [{"offer_id", "number" (1: the offer itself), "text", "price" (the owner's) and
-- "minimum_currency" of the name}]; those of offers and moves from before amounts were read.
create function public.read_unread_amounts() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(to_jsonb(u)), '[]') from (
    select a.*, l.price, l.minimum_currency from (
      select o.id as offer_id, 1 as number, o.offer_amount as text, o.domain_name
      from public.offers o where o.currency is null
      union all
      select m.offer_id, m.number, m.amount, o.domain_name
      from private.offer_moves m join public.offers o on o.id = m.offer_id
      where m.currency is null and m.amount is not null
    ) as a left join private.listings l on l.name = a.domain_name limit 500
  ) as u;
$$;
grant execute on function public.read_unread_amounts() to service_role;

-- Stores what was read in them: [{"offer_id", "number", "price"?: {"amount", "currency"}}]. What was read before stays.
create function public.store_amounts(amounts jsonb) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  update public.offers o
  set value = (a #>> '{price,amount}')::numeric, currency = coalesce(a #>> '{price,currency}', '')
  from jsonb_array_elements(amounts) as a
  where o.id = (a ->> 'offer_id')::uuid and (a ->> 'number')::integer = 1 and o.currency is null;
  update private.offer_moves m
  set value = (a #>> '{price,amount}')::numeric, currency = coalesce(a #>> '{price,currency}', '')
  from jsonb_array_elements(amounts) as a
  where m.offer_id = (a ->> 'offer_id')::uuid and m.number = (a ->> 'number')::integer and m.currency is null;
end;
$$;
grant execute on function public.store_amounts(jsonb) to service_role;

-- The table of a kind of rows that npm run transfer takes to another database of this product, and its key.
create function private.moved_table(kind text, out name text, out key text)
language plpgsql stable set search_path = ''
as $$
begin
  key := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind in ('idempotency_keys', 'offer_links') then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages', 'offer_moves', 'name_changes', 'name_numbers') then 'id'
    when kind in ('deals', 'erased_references') then 'reference' end;
  if key is null then
    raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end if;
  name := case kind when 'offers' then 'public.offers' else format('private.%I', kind) end;
end;
$$;

-- Rows of a kind in the order of their key: {"rows": at most 500 after the key `after`, "next": the key of the last one,
-- null at the end, "total": rows of the table}.
create function public.read_rows(kind text, after text default null) returns jsonb
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

-- Inserts rows that read_rows returned in another database; rows that are there stay as they are, and rows of erased offers
-- are left out. Kinds: erased_offers (erases offers that an earlier run transferred) and offers first, because rows of the others
-- refer to them, then offer_messages, idempotency_keys, offer_status_changes, erasures, messages, offer_moves, offer_links,
-- erased_references, deals, name_changes, name_numbers. Ids are kept, but for numbered rows, whose numbers may be in use here: those are found by their content. Messages
-- and changes of names, whose state changes once they are here, are found by what is unique of them, and numbers by name and month.
-- Returns {"present": how many of the rows are here with the same content, "erased": how many were left out, "total": rows
-- of the table}.
create function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links', 'deals') then 'offer_id' end;
  received jsonb := rows;
  columns text;
  is_same text;
  present bigint;
  total bigint;
begin
  -- The call of a run that was killed may still be at work: rows without a unique key would be inserted twice.
  perform pg_advisory_xact_lock(hashtextextended('receive_rows', 0));
  if offer_column is not null then
    select coalesce(jsonb_agg(r.value order by r.ordinality), '[]') into received
    from jsonb_array_elements(rows) with ordinality as r
    where not exists (select from private.erased_offers e where e.offer_id = (r.value ->> offer_column)::uuid);
  end if;
  if kind = 'erased_offers' then
    perform private.erase_offers(array(select (r ->> 'offer_id')::uuid from jsonb_array_elements(rows) as r));
  end if;
  if kind = 'name_changes' then
    -- No server writes a file here.
    select coalesce(jsonb_agg(r || case
      when coalesce(r ->> 'written_at', r ->> 'dropped_at') is null then jsonb_build_object('dropped_at', now()) else '{}'
    end), '[]') into received from jsonb_array_elements(rows) as r;
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=". What was read in an amount may have been read here, and not there yet.
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where case kind
        when 'messages' then a.attname in ('offer_id', 'kind', 'target', 'move_number')
        when 'name_changes' then a.attname in ('batch', 'name', 'field')
        when 'name_numbers' then a.attname in ('name', 'month')
        else a.attname not in ('value', 'currency') end)
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

-- Deletes rate limits whose window is over, sessions that have ended, old numbers, and messages 30 days after they were sent. Messages of
-- pending offers stay: without them, the alarm and the confirmation would be queued again. The embedded backend calls it at
-- start and every hour. On a hosted project call it from pg_cron, or not at all: expired rows have no effect.
create function public.remove_expired() returns void
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
  perform private.remove_old_numbers();
end;
$$;
grant execute on function public.remove_expired() to service_role;

-- What the roles of the data API may do, and what guards the rows, as sorted lines of text. `npm run deploy:backend --
-- --check` compares it with commands/hosted/outside-check/expected-access.ts, because from outside a table without row level security
-- looks like an empty one.
create function public.read_access() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with tables as (
    select c.oid, c.relname, c.relrowsecurity, c.relacl, regexp_replace(c.oid::regclass::text, '^public\.', '') as name
    from pg_class c where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), functions as (
    select regexp_replace(p.oid::regproc::text, '^public\.', '') as name,
      coalesce(p.proacl, acldefault('f', p.proowner)) as acl
    from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), rights as (
    select a.grantee, a.privilege_type as privilege, t.name from tables t, aclexplode(t.relacl) a
    union all
    select a.grantee, a.privilege_type, format('%s(%s)', t.name, c.attname)
    from tables t join pg_attribute c on c.attrelid = t.oid, aclexplode(c.attacl) a
    union all
    select a.grantee, a.privilege_type, f.name from functions f, aclexplode(f.acl) a
    union all
    select a.grantee, a.privilege_type, n.nspname from pg_namespace n, aclexplode(n.nspacl) a
    where n.nspname = 'private'
  ), named as (
    select case r.grantee when 0 then 'public' else r.grantee::regrole::text end as role, r.privilege, r.name from rights r
  ), lines as (
    select format('%s: %s on %s', role, privilege, name) as line from named
    where role in ('public', 'anon', 'authenticated', 'service_role')
    union all
    select format('row level security on %s', name) from tables where relrowsecurity
    union all
    select format('policy on %s for %s to %s using %s', p.tablename, p.cmd, array_to_string(p.roles, ', '),
      concat_ws(' with check ', p.qual, p.with_check))
    from pg_policies p where p.schemaname in ('public', 'private')
    union all
    select format('trigger %s on %s', g.tgname, t.name) from pg_trigger g join tables t on t.oid = g.tgrelid
    where not g.tgisinternal and g.tgenabled in ('O', 'A')
  )
  select coalesce(jsonb_agg(line order by line collate "C"), '[]') from lines;
$$;
grant execute on function public.read_access() to service_role;
