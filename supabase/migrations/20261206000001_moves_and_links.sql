-- Changes of the negotiation: a buyer's move is made only by a link that holds once the move has its lock. A move
-- is repeated only with its note and its end date.

-- `nonce` of private.offer_links: 128 random bits, from which the edge functions derive a link's token, besides offer and
-- number, so that after a restore no new link has the token of one that was made after the backup. Null for links from
-- before this column, which keep their tokens. Without the functions' secret key it opens nothing.
alter table private.offer_links add column nonce text check (nonce ~ '^[0-9a-f]{32}$');

create or replace function private.newest_link(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object('number', l.number, 'hash', l.token_hash, 'nonce', l.nonce))
  from private.offer_links l
  where l.offer_id = newest_link.offer_id order by l.number desc limit 1;
$$;

-- The functions below stay as they are but for the text named here.
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    -- Returned as "nonce" of the newest link, and received with "number" and "hash" of a new one.
    ('public.negotiate_as_owner', '(token_hash, offer_id, number)', '(token_hash, offer_id, number, nonce)'),
    ('public.negotiate_as_owner', $sql$(link ->> 'number')::integer
    where not exists$sql$, $sql$(link ->> 'number')::integer, link ->> 'nonce'
    where not exists$sql$),
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
