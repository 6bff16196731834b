-- Confirmations must not flood a mailbox: anybody can enter anybody's email. An address counts without its `+…`, and the
-- number of confirmations is limited for the sender's network and in all. Beyond that none is sent, and the offer is stored.

create index confirmations_by_mailbox on private.messages (regexp_replace(target, '\+[^@]*@', '@'), created_at)
  where kind = 'confirmation';

-- Queues the messages of a new offer, in the transaction that stores it. `messages` is [{"kind", "target", "locale"?,
-- "limits"?}]. Past 20 messages of one kind to one target in ten minutes, and for a held offer, they are digests: due at
-- the next whole multiple of ten minutes. A mailbox gets at most one confirmation in 24 hours, and none for a held offer
-- or while one of the confirmation's `limits` is full.
-- submit_offer holds a lock, so that two offers at once do not both find room for the last confirmation.
create or replace function private.queue_messages(offer_id uuid, held boolean, messages jsonb) returns void
language plpgsql security definer set search_path = ''
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
  -- Looked at first: those that are not sent must not fill the limit of all.
  if found or private.look(limits) > 0 then
    return;
  end if;
  perform private.take(limits);
  insert into private.messages (kind, offer_id, target, locale)
  values ('confirmation', queue_messages.offer_id, customer, confirmation ->> 'locale');
end;
$$;
