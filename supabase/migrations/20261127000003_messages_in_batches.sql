-- take_messages takes many messages with few statements: for confirmations, of which an offer has one each, four for all
-- of them instead of three for each. What was sent is marked by the same call, which saves a call for each message.

drop function public.take_messages(integer, integer);

-- Marks `sent`, then takes the messages that are due, for `lease_seconds`: at most `max` deliveries, first at most 5 for
-- each kind and target of the owner, those that wait longest first, then confirmations, the oldest first. A message whose
-- lease ends without mark_messages_failed and without being marked as sent is taken again, with the pauses of failed
-- ones.
-- Returns [{"ids", "kind", "target", "locale", "batch", "attempts", "offers"}]; `batch` is null for a single message.
-- A digest has at most 200 offers, oldest first. A digest of overdue offers has the ids of all of them and the 200
-- oldest offers.
create function public.take_messages(max integer, lease_seconds integer, sent bigint[] default '{}') returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
  place record;
  ids bigint[];
  deliveries jsonb := '[]';
begin
  -- One call at a time, so that the rows of a digest stay together.
  select coalesce(s.paused_before, '-infinity') into after from private.message_state s for update;
  if sent <> '{}' then
    perform public.mark_messages_sent(sent);
  end if;
  for place in
    -- The owner's targets are few: each is found by one step in the index, however many messages wait for it.
    with recursive owner_targets as (
      (select m.kind, m.target from private.messages m
       where m.sent_at is null and m.failed_at is null and m.kind > 'confirmation'
       order by m.kind, m.target limit 1)
      union all
      select further.kind, further.target from owner_targets t, lateral (
        select m.kind, m.target from private.messages m
        where m.sent_at is null and m.failed_at is null and (m.kind, m.target) > (t.kind, t.target)
        order by m.kind, m.target limit 1
      ) as further
    )
    select t.kind, t.target from owner_targets t, lateral (
      select m.due_at from private.messages m
      where m.kind = t.kind and m.target = t.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
      order by m.due_at limit 1
    ) as oldest
    order by oldest.due_at
  loop
    for delivery in 1..5 loop
      exit when jsonb_array_length(deliveries) >= max;
      ids := private.take_delivery(place.kind, place.target, after, lease_seconds);
      exit when ids is null;
      deliveries := deliveries || jsonb_build_array(private.describe_delivery(ids));
    end loop;
  end loop;

  ids := array(
    select m.id from private.messages m
    where m.sent_at is null and m.failed_at is null and m.kind = 'confirmation'
      and m.due_at <= now() and m.created_at >= after
    order by m.due_at, m.id limit greatest(max - jsonb_array_length(deliveries), 0)
    for update skip locked
  );
  if ids = '{}' then
    return deliveries;
  end if;
  -- As private.take_delivery gives up and takes.
  update private.messages m
  set failed_at = now(), leased_until = null, reason = coalesce(m.reason, 'The delivery did not end.'),
    reason_at = coalesce(m.reason_at, now())
  where m.id = any(ids) and m.attempts > 0 and m.give_up_at <= now();
  update private.messages m
  set attempts = m.attempts + 1,
    leased_until = now() + make_interval(secs => lease_seconds),
    due_at = now() + greatest(make_interval(secs => lease_seconds), private.retry_pause(m.attempts + 1))
  where m.id = any(ids) and m.failed_at is null;
  return deliveries || coalesce((
    select jsonb_agg(private.describe_delivery(array[m.id]) order by m.id)
    from private.messages m where m.id = any(ids) and m.failed_at is null
  ), '[]');
end;
$$;
revoke all on function public.take_messages(integer, integer, bigint[]) from public, anon, authenticated, service_role;
grant execute on function public.take_messages(integer, integer, bigint[]) to service_role;
