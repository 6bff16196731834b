-- What privacy law asks of an owner besides erasure: everything stored about one customer, and an end to what is no longer
-- needed. For the owner's commands `npm run export -- --email` and `npm run purge` alone, with the service role.

-- Everything stored about an email, in any letter case: {"offers": each with its message, its language and the changes of its
-- status, oldest first, "mails": those queued for or sent to the email}. Without the administrators, the owner's own targets, and
-- hashes, which say nothing about a person.
create function public.read_customer(email text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
          'message', (select t.message from private.offer_messages t where t.offer_id = o.id),
          'language', (select k.language from private.idempotency_keys k where k.offer_id = o.id limit 1)
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
      from private.messages m where m.kind not in ('offer', 'overdue') and m.target = 'mailto:' || lower(email)
    )
  );
$$;
grant execute on function public.read_customer(text) to service_role;

-- Counts the rejected offers, and with `accepted` the accepted ones, that came before that time and whose status has not
-- changed since; with `purge` deletes them with what belongs to them, their history too. Erased offers are stored by id alone
-- (private.erase_offers), so that npm run move does not bring them back.
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
