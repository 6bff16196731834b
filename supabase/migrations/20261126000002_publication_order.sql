-- Publications have an order, and readers know a catalogue by its version and build.

-- When the published build was made; null where the publisher gave no time.
alter table private.published_catalogue add column built_at timestamptz;

alter function public.publish_listings(jsonb, text[], boolean, text, text) set schema private;
revoke all on function private.publish_listings(jsonb, text[], boolean, text, text)
  from public, anon, authenticated, service_role;

-- Publishes as private.publish_listings does, but rejects a build that is older than the published one (PT409): several
-- machines may have the right to publish, and one of them may start again with an old build. Once a time is stored, a
-- publication without one is older. A time in the future counts as now, and a stored one in the future as none, so that a
-- wrong clock, of a machine or of the database, does not stop later builds.
create function public.publish_listings(
  entries jsonb, hosts text[], keep_old boolean, language text default 'en', build text default null,
  built_at timestamptz default null
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  new_version bigint;
begin
  -- One publication after the other; private.publish_listings takes the same lock.
  perform pg_advisory_xact_lock(hashtext('private.listings'));
  if exists (
    select from private.published_catalogue c
    where c.built_at > coalesce(publish_listings.built_at, '-infinity') and c.built_at <= now()
  ) then
    raise exception 'The catalogue of a newer build is published.' using errcode = 'PT409';
  end if;
  new_version := private.publish_listings(entries, hosts, keep_old, language, build);
  -- A build that is not served yet may still be given up.
  if not keep_old then
    update private.published_catalogue as c
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end;
  end if;
  return new_version;
end;
$$;
revoke all on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz)
  from public, anon, authenticated, service_role;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz) to service_role;

-- A restored database can reach the version again that a reader knows: `known_build` tells them apart.
drop function public.read_listings(bigint);

-- Returns null before the first publication, {"version"} if that is `known` and the build is `known_build` or that is
-- null, else also "hosts", "language", "build" and "states": each name's state.
create function public.read_listings(known bigint default null, known_build text default null) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select case
    when c.version = known and (known_build is null or c.build = known_build)
      then jsonb_build_object('version', c.version)
    else jsonb_build_object(
      'version', c.version, 'hosts', c.hosts, 'language', c.language, 'build', c.build,
      'states', (select coalesce(jsonb_object_agg(l.name, l.state), '{}') from private.listings l)
    )
  end
  from private.published_catalogue c;
$$;
revoke all on function public.read_listings(bigint, text) from public, anon, authenticated, service_role;
grant execute on function public.read_listings(bigint, text) to service_role;
