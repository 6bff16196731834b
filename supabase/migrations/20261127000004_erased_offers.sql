-- The ids of erased offers, so that `npm run move` neither brings an erased offer back to a hosted project nor leaves it
-- there. Ids are random and name nobody. Written by erase_customer, and by receive_rows for offers that were erased in the
-- database they come from; read by receive_rows and npm run move.
create table private.erased_offers (offer_id uuid primary key);
alter table private.erased_offers enable row level security;
revoke all on private.erased_offers from public, anon, authenticated, service_role;

-- As before, and notes the ids.
create or replace function public.erase_customer(email text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  erased integer;
begin
  perform set_config('private.erasing', 'yes', true);
  with gone as (
    delete from public.offers where lower(customer_email) = lower(email) returning id
  ), noted as (
    insert into private.erased_offers select id from gone on conflict do nothing
  )
  select count(*) into erased from gone;
  delete from private.messages m where m.kind = 'confirmation' and m.target = 'mailto:' || lower(email);
  perform set_config('private.erasing', '', true);
  if erased > 0 then
    insert into private.erasures (offers) values (erased);
  end if;
  return erased;
end;
$$;

-- Inserts rows that npm run move read from another database of this product; rows that are there stay as they are, and rows
-- of erased offers are left out. Kinds: erased_offers (erases offers that an earlier run moved), offers, offer_messages,
-- offer_receipts, offer_status_changes, erasures, messages, in this order because of their references. Ids are kept, but
-- for numbered rows, whose numbers may be in use here: those are found by their content. For service_role alone.
-- Returns {"present": how many of the rows are here with the same content, "erased": how many were left out, "total": rows
-- of the table}.
create function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  -- The column that names the offer, in rows that go with it. The audit of status changes stays.
  offer_column constant text := case kind
    when 'offers' then 'id' when 'offer_messages' then 'offer_id'
    when 'offer_receipts' then 'offer_id' when 'messages' then 'offer_id' end;
  received jsonb := rows;
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
  case kind
    when 'erased_offers' then
      insert into private.erased_offers
      select r.offer_id from jsonb_populate_recordset(null::private.erased_offers, received) as r
      on conflict do nothing;
      perform set_config('private.erasing', 'yes', true);
      delete from public.offers o
      using jsonb_populate_recordset(null::private.erased_offers, received) as r where o.id = r.offer_id;
      perform set_config('private.erasing', '', true);
      present := jsonb_array_length(received);
      select count(*) into total from private.erased_offers;
    when 'offers' then
      insert into public.offers select r.* from jsonb_populate_recordset(null::public.offers, received) as r
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::public.offers, received) as r
      where exists (select from public.offers o where o.id = r.id and to_jsonb(o) = to_jsonb(r));
      select count(*) into total from public.offers;
    when 'offer_messages' then
      insert into private.offer_messages
      select r.* from jsonb_populate_recordset(null::private.offer_messages, received) as r
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::private.offer_messages, received) as r
      where exists (select from private.offer_messages o where o.offer_id = r.offer_id and o.message = r.message);
      select count(*) into total from private.offer_messages;
    when 'offer_receipts' then
      insert into private.offer_receipts
      select r.* from jsonb_populate_recordset(null::private.offer_receipts, received) as r
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::private.offer_receipts, received) as r
      where exists (
        select from private.offer_receipts o where o.token_hash = r.token_hash and o.offer_id = r.offer_id
      );
      select count(*) into total from private.offer_receipts;
    when 'offer_status_changes' then
      insert into private.offer_status_changes (offer_id, old_status, new_status, changed_by, changed_at)
      select r.offer_id, r.old_status, r.new_status, r.changed_by, r.changed_at
      from jsonb_populate_recordset(null::private.offer_status_changes, received) as r
      where not exists (
        select from private.offer_status_changes o
        where (o.offer_id, o.changed_at, o.old_status, o.new_status)
          = (r.offer_id, r.changed_at, r.old_status, r.new_status)
      )
      order by r.id;
      select count(*) into present from jsonb_populate_recordset(null::private.offer_status_changes, received) as r
      where exists (
        select from private.offer_status_changes o
        where (o.offer_id, o.changed_at, o.old_status, o.new_status)
          = (r.offer_id, r.changed_at, r.old_status, r.new_status)
          and o.changed_by is not distinct from r.changed_by
      );
      select count(*) into total from private.offer_status_changes;
    when 'erasures' then
      insert into private.erasures (offers, erased_at)
      select r.offers, r.erased_at from jsonb_populate_recordset(null::private.erasures, received) as r
      where not exists (
        select from private.erasures o where (o.offers, o.erased_at) = (r.offers, r.erased_at)
      )
      order by r.id;
      select count(*) into present from jsonb_populate_recordset(null::private.erasures, received) as r
      where exists (select from private.erasures o where (o.offers, o.erased_at) = (r.offers, r.erased_at));
      select count(*) into total from private.erasures;
    when 'messages' then
      insert into private.messages (kind, offer_id, target, locale, digest, batch, due_at, attempts, leased_until,
        give_up_at, reason, reason_at, created_at, sent_at, failed_at)
      select r.kind, r.offer_id, r.target, r.locale, r.digest, r.batch, r.due_at, r.attempts, r.leased_until,
        r.give_up_at, r.reason, r.reason_at, r.created_at, r.sent_at, r.failed_at
      from jsonb_populate_recordset(null::private.messages, received) as r
      order by r.id
      on conflict do nothing;
      select count(*) into present from jsonb_populate_recordset(null::private.messages, received) as r
      where exists (
        select from private.messages o where (o.offer_id, o.kind, o.target) = (r.offer_id, r.kind, r.target)
      );
      select count(*) into total from private.messages;
    else
      raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end case;
  return jsonb_build_object(
    'present', present, 'erased', jsonb_array_length(rows) - jsonb_array_length(received), 'total', total
  );
end;
$$;
revoke all on function public.receive_rows(text, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.receive_rows(text, jsonb) to service_role;
