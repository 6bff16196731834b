-- Changes of the negotiation: a buyer's move is made only by a link that holds once the move has its lock. A move
-- is repeated only with its note and its end date.

-- The functions below stay as they are but for the text named here.
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    -- A move is the same only with the same note and the same number of days.
    ('private.make_move', '(named is null or next.amount = named)',
      $sql$(named is null or next.amount = named) and next.note is not distinct from move ->> 'note'
        and (kind <> 'counter'
          or next.valid_until = next.created_at + make_interval(days => coalesce((move ->> 'days')::integer, 7)))$sql$),
    -- Links are replaced under the lock of moves: the link is checked once this call has it, and holds until the commit.
    ('public.negotiate_as_buyer', '  if link.token_hash is null or not',
      $sql$  if move is not null and link.token_hash is not null then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = link.offer_id));
  end if;
  if link.token_hash is null or not$sql$)
  ) as changes (name, old, new)
  loop
    definition := pg_get_functiondef(change.name::regproc);
    if position(change.old in definition) = 0 then
      raise exception 'The function % has no text "%".', change.name, change.old;
    end if;
    execute replace(definition, change.old, change.new);
  end loop;
end;
$$;
