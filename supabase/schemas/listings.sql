-- The catalogue as the last build published it. A row of private.listings is one domain, with its state, its price and the
-- owner's minimum; the one row of private.published_catalogue, present once a catalogue was published, has the rest. The
-- owner's file is the only source: publish_listings replaces everything but what administrators changed since the build read the
-- file (name_changes.sql). The edge functions read it with the secret key, administrators read prices and states through
-- asking_prices and list_names; only submit_offer reads minimums, and no function returns them. The tables are closed.

create table private.listings (
  name text primary key check (length(name) between 1 and 253),
  state text not null default 'for_sale' check (state in ('for_sale', 'sold', 'reserved')),
  -- The owner's text, such as $15,000.
  price text,
  -- Offers below it are low.
  minimum numeric check (minimum > 0),
  minimum_currency text,
  -- Of the price, else of the minimum: the one of a number alone in an offer. Null where neither can be read.
  currency text,
  -- The price's amount. Null where it cannot be read.
  value numeric,
  -- Template of the link to pay once an offer is accepted; null: that of the settings.
  checkout text,
  constraint minimum_has_currency check ((minimum is null) = (minimum_currency is null))
);
alter table private.listings enable row level security;

create table private.published_catalogue (
  only_row boolean primary key default true check (only_row),
  -- Every publication increments it.
  version bigint not null,
  -- Hosts of the site besides the domains.
  hosts text[] not null,
  -- The site's first language, as a BCP 47 code.
  language text not null,
  -- Identifies the build whose catalogue this is.
  build text,
  -- When that build was made; null where the publisher gave no time.
  built_at timestamptz,
  -- When that build had not read the owner's file yet; null before the first one that is served alone.
  read_at timestamptz,
  -- Number of listings, so that a list of all counts none.
  names integer not null default 0,
  -- Settings of the catalogue that messages and the function `negotiation` need: {"owner", "contact", "links", "languages",
  -- "replyWithin", "accent", "currencies", "closing", "checkout", "checkoutHosts", "payDays", "afterPayment"}, each optional.
  settings jsonb not null default '{}'
    -- A time that is none would stop the alarm of every offer.
    check ((settings ->> 'replyWithin') ~ '^[1-9][0-9]{0,2} (hour|day)s?$')
);
alter table private.published_catalogue enable row level security;

-- Replaces the published catalogue in one transaction and returns the new version. `entries` is an array of
-- {"name", "state", "price", "value", "currency", "minimum": {"amount", "currency"}, "checkout"}; all but the name may be missing.
-- With `keep_previous`, names and hosts of the catalogue before stay, names that took offers still take them, and build and settings are
-- those of before: for the time while the old pages and the new ones are both served.
-- `read_at` (default: `built_at`) is when the build had not read the catalogue yet. Listings of names that an administrator changed
-- later stay as they are: the next build has the change.
-- Rejects a build that is older than the published one (PT409): several machines may have the right to publish, and one of
-- them may start again with an old build. Once a time is stored, a publication without one is older. A time in the future
-- counts as now, and a stored one in the future as none, so that a wrong clock, of a machine or of the database, does not
-- stop later builds.
create function public.publish_listings(
  entries jsonb, hosts text[], keep_previous boolean, language text default 'en', build text default null,
  built_at timestamptz default null, settings jsonb default '{}', read_at timestamptz default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  read constant timestamptz := least(coalesce(read_at, built_at, '-infinity'), now());
  new_version bigint;
  changed text[];
begin
  if jsonb_typeof(entries) is distinct from 'array' or hosts is null or keep_previous is null or language is null then
    raise exception 'entries must be an array; hosts, keep_previous and language must not be null' using errcode = '22023';
  end if;
  -- One publication after the other.
  perform pg_advisory_xact_lock(hashtext('private.listings'));
  if exists (
    select from private.published_catalogue c
    where c.built_at > coalesce(publish_listings.built_at, '-infinity') and c.built_at <= now()
  ) then
    raise exception 'The catalogue of a newer build is published.' using errcode = 'PT409';
  end if;

  changed := array(select c.name from private.changes_since(read) as c where c.field in ('state', 'price', 'minimum'));
  insert into private.listings as l (name, state, price, value, currency, minimum, minimum_currency, checkout)
  select e ->> 'name', coalesce(e ->> 'state', 'for_sale'), e ->> 'price', (e ->> 'value')::numeric, e ->> 'currency',
    (e #>> '{minimum,amount}')::numeric, e #>> '{minimum,currency}', e ->> 'checkout'
  from jsonb_array_elements(entries) as e
  on conflict (name) do update
    set state = case when keep_previous and l.state = 'for_sale' then l.state else excluded.state end,
        price = excluded.price, value = excluded.value, currency = excluded.currency, minimum = excluded.minimum,
        minimum_currency = excluded.minimum_currency, checkout = excluded.checkout
    where l.name <> all (changed) and (l.*) is distinct from (excluded.*);
  if not keep_previous then
    delete from private.listings l
    where l.name not in (select e ->> 'name' from jsonb_array_elements(entries) as e);
  end if;

  insert into private.published_catalogue as c (version, hosts, language, build, names)
  values (
    1, publish_listings.hosts, publish_listings.language, publish_listings.build, (select count(*) from private.listings)
  )
  on conflict (only_row) do update
    set version = c.version + 1,
        hosts = case
          when keep_previous then excluded.hosts
            || array(select old from unnest(c.hosts) as old where old <> all (excluded.hosts))
          else excluded.hosts
        end,
        language = excluded.language,
        names = excluded.names,
        build = case when keep_previous then c.build else excluded.build end
  returning version into new_version;
  -- A build that is not served yet may still be given up.
  if not keep_previous then
    update private.published_catalogue as c
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end,
        read_at = read,
        settings = publish_listings.settings;
  end if;
  return new_version;
end;
$$;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb, timestamptz) to service_role;

-- Returns null before the first publication, {"version"} if that is `known` and the build is `known_build` or that is
-- null, else also "hosts", "language", "build", "settings" and "states": each name's state. A restored database can reach
-- the version again that a reader knows: `known_build` tells them apart.
create function public.read_listings(known bigint default null, known_build text default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case
    when c.version = known and (known_build is null or c.build = known_build)
      then jsonb_build_object('version', c.version)
    else jsonb_build_object(
      'version', c.version, 'hosts', c.hosts, 'language', c.language, 'build', c.build, 'settings', c.settings,
      'states', (select coalesce(jsonb_object_agg(l.name, l.state), '{}') from private.listings l)
    )
  end
  from private.published_catalogue c;
$$;
grant execute on function public.read_listings(bigint, text) to service_role;

-- The time within which the owner promises to answer an offer.
create function private.reply_within() returns interval
language sql stable set search_path = ''
as $$
  select coalesce(
    (select (c.settings ->> 'replyWithin')::interval from private.published_catalogue c), interval '24 hours'
  );
$$;
