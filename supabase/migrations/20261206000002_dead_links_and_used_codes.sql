-- Links and codes that open nothing. The edge function `negotiation` remembers which IPs and networks are limited, and calls the
-- database for them only with tokens that may open something. A code of a second factor that was used up is not a wrong one:
-- of a form sent twice at once, the second request has it. Used recovery codes therefore keep their hashes in used_hashes.

-- The first 8 digits of every link's hash: enough to leave out nearly all guesses.
create function public.read_link_hashes() returns jsonb
language sql stable security definer set search_path = ''
as $$ select coalesce(jsonb_agg(left(l.token_hash, 8)), '[]') from private.offer_links l; $$;
grant execute on function public.read_link_hashes() to service_role;

alter table private.admin_factors add column used_hashes text[] not null default '{}';

-- The functions below stay as they are but for the text named here.
do $$
declare
  change record;
  definition text;
begin
  for change in select * from (values
    -- {"outcome": "limited"} names the buckets that are full.
    ('public.negotiate_as_buyer', $sql$'limited', 'wait', wait$sql$, $sql$'limited', 'wait', wait, 'full', (
      select jsonb_agg(l ->> 'bucket') from jsonb_array_elements(limits) as l
      where private.seconds_until_free(jsonb_build_array(l)) > 0
    )$sql$),
    ('public.open_admin_session', 'array_remove(f.recovery_hashes, recovery)',
      'array_remove(f.recovery_hashes, recovery), used_hashes = array_remove(f.used_hashes || recovery, null)'),
    -- Not counted, and without the number of wrong codes.
    ('public.open_admin_session', $sql$if status = 'wrong_code' then$sql$,
      $sql$if status = 'wrong_code' and coalesce(step > 0, recovery = any(factor.used_hashes)) then
      recent := null;
    elsif status = 'wrong_code' then$sql$)
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
