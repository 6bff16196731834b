-- Settings of the catalogue that messages need, published with it: who sells, where to write, and how soon the owner answers.

alter table private.published_catalogue add column settings jsonb not null default '{}'
  -- A time that is none would stop the alarm of every offer.
  check ((settings ->> 'replyWithin') ~ '^[1-9][0-9]{0,2} (hour|day)s?$');

drop function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz);

-- As before, with `settings` of the catalogue: {"owner", "contact", "links", "languages", "replyWithin",
-- "accent"}, each optional. With `keep_old` those of the catalogue before stay, as its pages do.
create function public.publish_listings(
  entries jsonb, hosts text[], keep_old boolean, language text default 'en', build text default null,
  built_at timestamptz default null, settings jsonb default '{}'
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
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end,
      settings = publish_listings.settings;
  end if;
  return new_version;
end;
$$;
revoke all on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb) to service_role;

-- As before, with "settings".
create or replace function public.read_listings(known bigint default null, known_build text default null) returns jsonb
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

-- The time within which the owner promises to answer an offer.
create function private.reply_within() returns interval
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (select (c.settings ->> 'replyWithin')::interval from private.published_catalogue c), interval '24 hours'
  );
$$;
revoke all on function private.reply_within() from public, anon, authenticated, service_role;

-- As before, but the alarm is for pending offers older than 5/6 of the time within which the owner answers (20 of 24 hours):
-- queues it once for each target, and returns how many were queued.
-- Offers that no message was queued for when they came (messages were not configured yet) are one digest, due at once.
create or replace function public.queue_overdue(targets text[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  urgent_before constant timestamptz := now() - private.reply_within() * 5 / 6;
  queued integer;
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select 'overdue', late.id, late.target, not late.announced or late.place > 20,
    case when late.announced and late.place > 20 then next_digest else now() end
  from (
    select o.id, o.created_at, o.announced, t.target,
      recent.count + row_number() over (partition by t.target, o.announced order by o.created_at) as place
    from unnest(targets) as t (target),
      lateral (
        select count(*) from private.messages m
        where m.kind = 'overdue' and m.target = t.target and m.created_at > now() - interval '10 minutes'
      ) as recent,
      lateral (
        select p.id, p.created_at,
          exists (select from private.messages m where m.offer_id = p.id and m.kind = 'offer') as announced
        from public.offers p
        where p.id in (
          select n.id from public.offers n
          where n.status = 'pending' and not n.held and n.created_at < urgent_before
            -- For offers from before a restore, an alarm may have been sent that the backup does not hold.
            and n.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
          -- Not "not exists": without statistics the planner chose quadratic time for it (a minute for 20,000).
          except
          select m.offer_id from private.messages m where m.kind = 'overdue' and m.target = t.target
        )
      ) as o
  ) as late
  order by late.created_at
  on conflict do nothing;
  get diagnostics queued = row_count;
  return queued;
end;
$$;
