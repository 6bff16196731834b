-- The catalogue as the last build published it: which domains take offers, and which hosts are the site's own. The
-- owner's file is the only source; `publish_listings` replaces everything. The edge functions read it with the secret
-- key, administrators read prices and states through `asking_prices`; the tables are closed.

create table private.listings (
  name text primary key check (length(name) between 1 and 253),
  state text not null default 'for_sale' check (state in ('for_sale', 'sold', 'reserved')),
  -- The owner's text, such as $15,000.
  price text
);

-- One row once a catalogue was published. Every publication increments the version.
create table private.published_catalogue (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  -- Own hosts besides the domains.
  hosts text[] not null,
  -- The site's first language, as a BCP 47 code.
  language text not null,
  -- Identifies the build whose catalogue this is.
  build text
);

alter table private.listings enable row level security;
alter table private.published_catalogue enable row level security;
revoke all on private.listings, private.published_catalogue from public, anon, authenticated, service_role;

-- Replaces the published catalogue in one transaction and returns the new version. `entries` is an array of
-- {"name", "state", "price"}; state and price may be missing. With `keep_old`, names and hosts of the catalogue before
-- stay, and names that took offers still take them: for the time while the old pages and the new ones are both served.
create function public.publish_listings(
  entries jsonb, hosts text[], keep_old boolean, language text default 'en', build text default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  new_version bigint;
begin
  if jsonb_typeof(entries) is distinct from 'array' or hosts is null or keep_old is null or language is null then
    raise exception 'entries must be an array; hosts, keep_old and language must not be null' using errcode = '22023';
  end if;
  -- One publication after the other.
  perform pg_advisory_xact_lock(hashtext('private.listings'));

  insert into private.listings as l (name, state, price)
  select e ->> 'name', coalesce(e ->> 'state', 'for_sale'), e ->> 'price' from jsonb_array_elements(entries) as e
  on conflict (name) do update
    set state = case when keep_old and l.state = 'for_sale' then l.state else excluded.state end,
        price = excluded.price
    where (l.state, l.price) is distinct from (excluded.state, excluded.price);
  if not keep_old then
    delete from private.listings l
    where l.name not in (select e ->> 'name' from jsonb_array_elements(entries) as e);
  end if;

  insert into private.published_catalogue as c (version, hosts, language, build)
  values (1, publish_listings.hosts, publish_listings.language, publish_listings.build)
  on conflict (only_row) do update
    set version = c.version + 1,
        hosts = case
          when keep_old then excluded.hosts
            || array(select old from unnest(c.hosts) as old where old <> all (excluded.hosts))
          else excluded.hosts
        end,
        language = excluded.language,
        -- The pages of the new build are served only after the publication without `keep_old`.
        build = case when keep_old then c.build else excluded.build end
  returning version into new_version;
  return new_version;
end;
$$;
revoke all on function public.publish_listings(jsonb, text[], boolean, text, text)
  from public, anon, authenticated, service_role;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text) to service_role;

-- Returns null before the first publication, {"version"} if that is `known`, else also "hosts", "language", "build" and
-- "states": each name's state.
create function public.read_listings(known bigint default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case
    when c.version = known then jsonb_build_object('version', c.version)
    else jsonb_build_object(
      'version', c.version, 'hosts', c.hosts, 'language', c.language, 'build', c.build,
      'states', (select coalesce(jsonb_object_agg(l.name, l.state), '{}') from private.listings l)
    )
  end
  from private.published_catalogue c;
$$;
revoke all on function public.read_listings(bigint) from public, anon, authenticated, service_role;
grant execute on function public.read_listings(bigint) to service_role;

-- For the dashboard: {"name", "price", "state"} of each of at most 1,000 names that is in the catalogue. Does not extend
-- the session.
create function public.asking_prices(names text[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return (
    select coalesce(jsonb_agg(to_jsonb(l)), '[]') from private.listings l where l.name = any (names[1:1000])
  );
end;
$$;
revoke all on function public.asking_prices(text[]) from public, anon, authenticated, service_role;
grant execute on function public.asking_prices(text[]) to authenticated;

-- submit_offer becomes private.store_offer, behind a check of the listing.
alter function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb) rename to store_offer;
alter function public.store_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb) set schema private;
revoke all on function private.store_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb)
  from public, anon, authenticated, service_role;

-- Stores an offer as private.store_offer does, if its domain is for sale: otherwise returns
-- {"outcome": "not_for_sale", "state"} with nothing stored; the state is null for a name that is not in the catalogue.
-- The row lock makes a publication wait for offers in flight, so that none is stored once it has been acknowledged. An
-- offer that is already stored passes, so that its repetition gets the same outcome. Before the first publication every
-- name passes: functions of the version before this migration have a list of their own.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, steps jsonb, work integer, max_work integer, held_limits jsonb,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  listed text;
begin
  select l.state into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.offer_receipts r where r.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed);
  end if;
  return private.store_offer(offer, token_hash, payload_hash, steps, work, max_work, held_limits, messages);
end;
$$;
revoke all on function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, integer, integer, jsonb, jsonb) to service_role;
