-- Every link has a nonce. One without, whose token no function derives any more, goes on opening its offer by its hash; the next
-- move adds another, as after a change of the secret key.
update private.offer_links set nonce = replace(gen_random_uuid()::text, '-', '') where nonce is null;
alter table private.offer_links alter column nonce set not null;

create or replace function private.newest_link(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('number', l.number, 'hash', l.token_hash, 'nonce', l.nonce)
  from private.offer_links l
  where l.offer_id = newest_link.offer_id order by l.number desc limit 1;
$$;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 2;
end;
$$;
grant execute on function public.schema_version() to authenticated;
