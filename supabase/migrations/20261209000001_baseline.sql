-- Generated from supabase/schemas by npm run migration -- --fold. Read it there.
-- Replaces 20261207000001, 20261207000002, 20261207000003, 20261208000001, 20261208000002.

-- Administrators, their sessions and their second factor, on the embedded backend and on a hosted project alike. A row of
-- private.admins makes a user an administrator: tokens carry no role of this product, so that deleting the row takes effect at
-- once. A row of private.admin_sessions says that admin-auth checked a sign-in and returned the session: until when it is
-- valid, when its token was refreshed last, and after how many minutes without a refresh it ends. Rights need such a row,
-- because a password alone opens a session too (a hosted project's /token is open to every client). They also need the session
-- of auth, which ends on sign-out and when a refresh token is used twice. A row of private.admin_factors is the second factor
-- of one administrator: TOTP, checked by admin-auth and used up here. With such a row open_admin_session opens no session
-- without a code.
-- The owner's commands write admins and delete factors; admin-auth writes sessions (open_admin_session, extend_admin_session)
-- and factors (set_factor); remove_expired deletes sessions. No role of the data API reads the tables.

-- Nothing that this role makes from here on is open to a role of the data API: every right is granted by name. Older hosted
-- projects grant everything in `public`; the right to execute is PostgreSQL's default for everybody, in every schema.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

create schema private;
-- Policies call private.is_admin with the rights of the role that they apply to. The tables of the schema stay closed.
grant usage on schema private to authenticated;

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.admins enable row level security;

create table private.admin_sessions (
  -- The claim `session_id` of the session's access tokens, compared as text.
  session_id text primary key check (char_length(session_id) between 1 and 200),
  user_id uuid not null references auth.users (id) on delete cascade,
  opened_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  ends_at timestamptz not null,
  idle_minutes integer not null check (idle_minutes > 0)
);
create index admin_sessions_by_user on private.admin_sessions (user_id);
alter table private.admin_sessions enable row level security;

create table private.admin_factors (
  user_id uuid primary key references private.admins (user_id) on delete cascade,
  -- The secret, sealed by admin-auth with a key that no database holds, and the id of that key.
  sealed text not null,
  key_id text not null,
  -- The last time step that a code was used of.
  last_step bigint not null,
  -- Keyed hashes of the recovery codes that are not used.
  recovery_hashes text[] not null,
  -- When wrong codes came.
  wrong_at timestamptz[] not null default '{}',
  -- Of used recovery codes: a code that was used up is not a wrong one.
  used_hashes text[] not null default '{}'
);
alter table private.admin_factors enable row level security;

-- Returns whether auth has the session and one of its refresh tokens is valid. A refresh revokes the old token before
-- it stores the new one, and on the embedded backend another request may run in between: a token that was revoked
-- within the last 5 seconds still counts. A session without stored refresh tokens is valid, because newer versions of
-- GoTrue store a counter instead.
create function private.has_auth_session(session_id text, user_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1
    from auth.sessions s
    where s.user_id = has_auth_session.user_id
      and s.id::text = has_auth_session.session_id
      and (
        not exists (select 1 from auth.refresh_tokens t where t.session_id = s.id)
        or exists (
          select 1 from auth.refresh_tokens t
          where t.session_id = s.id
            and (not coalesce(t.revoked, false) or t.updated_at > now() - interval '5 seconds')
        )
      )
  );
$$;

-- Returns whether the user of the request is an administrator and the session of the request is open. Every read and change
-- of the dashboard calls it, the functions that run as their owner too, which no policy of a table would stop. Runs as its
-- owner, because the user may read neither table nor, on the embedded backend, the schema auth.
create function private.is_admin() returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select 1
    from private.admins a
    join private.admin_sessions s on s.user_id = a.user_id
    where a.user_id = (select auth.uid())
      and s.session_id = (select auth.jwt() ->> 'session_id')
      and now() < s.ends_at
      and now() < s.refreshed_at + make_interval(mins => s.idle_minutes)
      and private.has_auth_session(s.session_id, s.user_id)
  );
$$;
grant execute on function private.is_admin() to authenticated;

-- Rejects the call unless private.is_admin. PT401 is PostgREST's way to set the HTTP status of an error: row level security
-- alone would show an ended session as an empty list.
create function private.require_admin() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
end;
$$;

-- Opens the session of an administrator who has just signed in; the same session twice is one row. `step` is the time step of
-- the code that admin-auth found right, 0 for a wrong one; `recovery` the hash of a recovery code. A step or a recovery code
-- is used up with the statement that lets the sign-in through, so that of two requests at once one gets in. The other's code
-- was used up: it is rejected as a wrong one, and does not count. Codes are rejected while 10 wrong ones came in 24 hours,
-- whatever network they came from; recovery codes are not.
-- Returns {"status": `opened`, `none` (no administrator), `code_required`, `wrong_code`, `too_many_codes`}; with a factor
-- also its "sealed" and "key_id", how many recovery codes are "left", and how many "wrong" codes came in 24 hours (absent for
-- a code that was used up).
create function public.open_admin_session(
  user_id uuid, session_id text, hours integer, idle_minutes integer, step bigint default null, recovery text default null
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  factor private.admin_factors;
  recent timestamptz[];
  status text := 'opened';
begin
  -- The lock makes an enrolment, a removal and a sign-in at once follow each other.
  perform from private.admins a where a.user_id = open_admin_session.user_id for update;
  if not found or coalesce(session_id, '') = '' then
    return jsonb_build_object('status', 'none');
  end if;
  select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
  if factor.user_id is not null then
    recent := array(select w from unnest(factor.wrong_at) as w where w > now() - interval '24 hours');
    if step is null and recovery is null then
      status := 'code_required';
    else
      update private.admin_factors f
      set last_step = coalesce(step, f.last_step), recovery_hashes = array_remove(f.recovery_hashes, recovery),
        used_hashes = array_remove(f.used_hashes || recovery, null)
      where f.user_id = factor.user_id
        and (f.last_step < step and cardinality(recent) < 10 or recovery = any(f.recovery_hashes))
      returning f.* into factor;
      if not found then
        status := case when cardinality(recent) < 10 then 'wrong_code' else 'too_many_codes' end;
        -- Nothing was returned into it.
        select f.* into factor from private.admin_factors f where f.user_id = open_admin_session.user_id;
      end if;
    end if;
    if status = 'wrong_code' and coalesce(step > 0, recovery = any(factor.used_hashes)) then
      -- It was used up: it does not count.
      recent := null;
    elsif status = 'wrong_code' then
      recent := recent || now();
      update private.admin_factors f set wrong_at = recent where f.user_id = factor.user_id;
    end if;
  end if;
  if status = 'opened' then
    insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
    values (open_admin_session.session_id, open_admin_session.user_id, now() + make_interval(hours => hours),
            open_admin_session.idle_minutes)
    on conflict do nothing;
    if not exists (
      select 1 from private.admin_sessions s
      where s.session_id = open_admin_session.session_id and s.user_id = open_admin_session.user_id
    ) then
      status := 'none';
    end if;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'status', status, 'sealed', factor.sealed, 'key_id', factor.key_id, 'left', cardinality(factor.recovery_hashes),
    'wrong', cardinality(recent)
  ));
end;
$$;
grant execute on function public.open_admin_session(uuid, text, integer, integer, bigint, text) to service_role;

-- Records a token refresh, so that the session is not idle, and returns whether the session is valid. A session that
-- has ended stays ended, even if auth still accepts its refresh token.
create function public.extend_admin_session() returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update private.admin_sessions s set refreshed_at = now()
  where s.session_id = (select auth.jwt() ->> 'session_id')
    and s.user_id = (select auth.uid())
    and (select private.is_admin());
  return found;
end;
$$;
grant execute on function public.extend_admin_session() to authenticated;

-- Ends the sessions of a user, after a change of the password; wrong codes count anew.
create function public.end_admin_sessions(user_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.admin_sessions s where s.user_id = end_admin_sessions.user_id;
  update private.admin_factors f set wrong_at = '{}' where f.user_id = end_admin_sessions.user_id;
$$;
grant execute on function public.end_admin_sessions(uuid) to service_role;

-- Stores the factor of an administrator, with the step of the code that confirmed it, and ends the sessions. Returns false,
-- with nothing changed, if the user is no administrator or has a factor.
create function public.set_factor(user_id uuid, sealed text, key_id text, step bigint, recovery_hashes text[]) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform from private.admins a where a.user_id = set_factor.user_id for update;
  if not found then
    return false;
  end if;
  insert into private.admin_factors (user_id, sealed, key_id, last_step, recovery_hashes)
  values (set_factor.user_id, set_factor.sealed, set_factor.key_id, step, set_factor.recovery_hashes)
  on conflict do nothing;
  if not found then
    return false;
  end if;
  delete from private.admin_sessions s where s.user_id = set_factor.user_id;
  return true;
end;
$$;
grant execute on function public.set_factor(uuid, text, text, bigint, text[]) to service_role;

-- Deletes the factor of an administrator, and ends the sessions. Returns whether there was one.
create function public.remove_factor(user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from private.admin_factors f where f.user_id = remove_factor.user_id;
  if not found then
    return false;
  end if;
  delete from private.admin_sessions s where s.user_id = remove_factor.user_id;
  return true;
end;
$$;
grant execute on function public.remove_factor(uuid) to service_role;

-- Every administrator, the first one first: [{"user_id", "email", "since", "has_factor"}].
create function public.read_administrators() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', a.user_id, 'email', u.email, 'since', a.created_at,
    'has_factor', exists (select from private.admin_factors f where f.user_id = a.user_id))
    order by a.created_at, a.user_id), '[]')
  from private.admins a join auth.users u on u.id = a.user_id;
$$;
grant execute on function public.read_administrators() to service_role;

-- Makes a user an administrator. One that is stays one, since the same time.
create function public.grant_administrator(user_id uuid) returns void
language sql security definer set search_path = ''
as $$ insert into private.admins (user_id) values (user_id) on conflict do nothing; $$;
grant execute on function public.grant_administrator(uuid) to service_role;

-- Revokes the role of an administrator and ends the user's sessions. Returns `revoked`, or with nothing changed `none` (no
-- administrator) or `last`.
create function public.revoke_administrator(user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two calls at once, the second one sees what the first one left.
  lock table private.admins in share row exclusive mode;
  if not exists (select from private.admins a where a.user_id = revoke_administrator.user_id) then
    return 'none';
  end if;
  if not exists (select from private.admins a where a.user_id <> revoke_administrator.user_id) then
    return 'last';
  end if;
  delete from private.admins a where a.user_id = revoke_administrator.user_id;
  delete from private.admin_sessions s where s.user_id = revoke_administrator.user_id;
  return 'revoked';
end;
$$;
grant execute on function public.revoke_administrator(uuid) to service_role;

-- Offers, the messages of visitors, and the history of statuses. A row of public.offers is one offer of a visitor for one
-- domain; a row of private.offer_messages is the message that the customer added, in a table of its own so that the columns of
-- offers stay as they are; a row of private.offer_status_changes is one change of a status. submit_offer inserts offers and
-- messages; administrators read them and change the status; a trigger writes the history, which holds no personal data of
-- customers and stays when one is erased. service_role may read offers. Texts are stored as entered; lengths count code points,
-- as the contract's OFFER_LIMITS do.
-- An offer is held where a limit was full, and low where it is below the owner's minimum for the domain. Neither is in the
-- lists, counts and alarms of the others; what is both is held in all of that.

create table public.offers (
  id uuid primary key default gen_random_uuid(),
  domain_name text not null check (char_length(domain_name) between 1 and 253),
  offer_amount text not null check (char_length(offer_amount) between 1 and 500),
  customer_name text not null check (char_length(customer_name) between 1 and 200),
  customer_email text not null check (char_length(customer_email) between 3 and 254),
  created_at timestamptz not null default now(),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'negotiating')),
  -- submit_offer writes both, and they never change, whatever the catalogue says later.
  held boolean not null default false,
  low boolean not null default false
);
create index offers_newest_first on public.offers (created_at desc, id desc);
create index offers_held on public.offers (created_at desc, id desc) where held;
create index offers_low on public.offers (created_at desc, id desc) where low and not held;
create index offers_by_customer on public.offers (lower(customer_email));
-- Both count without reading rows of the table, and list in the order of the pages.
create index offers_by_status on public.offers (status, held, low, created_at desc, id desc);
create index offers_by_domain on public.offers (domain_name, held, created_at desc, id desc);

-- For the dashboard's search.
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create index offers_by_text on public.offers using gin (
  lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) extensions.gin_trgm_ops
)
-- Kilobytes of new entries that wait to be merged: 0.125 of the usual, since a search reads them one by one, and the offer
-- that merges them waits.
with (gin_pending_list_limit = 512);

alter table public.offers enable row level security;
grant select on table public.offers to authenticated;
grant update (status) on table public.offers to authenticated;
-- For export with the secret key on a hosted project.
grant select on table public.offers to service_role;

create policy "administrators read every offer" on public.offers
  for select to authenticated using ((select private.is_admin()));
create policy "administrators change the status of any offer" on public.offers
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

-- The offers that are neither held nor low: those that lists, counts and alarms show unless they say otherwise.
create view private.regular_offers with (security_invoker = true) as
  select * from public.offers where not held and not low;

-- Rejects changes of other columns also where a backend has granted more than the migrations did.
create function private.reject_change_but_status() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if to_jsonb(new) - 'status' is distinct from to_jsonb(old) - 'status' then
    raise exception 'Only the status of an offer can be changed.' using errcode = '42501';
  end if;
  return new;
end;
$$;
create trigger only_the_status_changes before update on public.offers
  for each row execute function private.reject_change_but_status();

-- Rejects every delete except those of private.erase_offers, and every change of rows that are only added.
create function private.reject_removal() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if tg_op = 'DELETE' and current_setting('private.erasing', true) = 'yes' then
    return old;
  end if;
  raise exception 'Offers are kept. To erase one customer, use erase_customer.' using errcode = '42501';
end;
$$;
create trigger offers_are_not_deleted before delete on public.offers
  for each row execute function private.reject_removal();
create trigger offers_are_not_truncated before truncate on public.offers
  for each statement execute function private.reject_removal();

create table private.offer_messages (
  offer_id uuid primary key references public.offers (id) on delete cascade,
  message text not null check (char_length(message) between 1 and 1000)
);
-- For the dashboard's search, as offers_by_text.
create index offer_messages_by_text on private.offer_messages using gin (lower(message) extensions.gin_trgm_ops)
  with (gin_pending_list_limit = 512);
alter table private.offer_messages enable row level security;

create table private.offer_status_changes (
  id bigint generated always as identity primary key,
  offer_id uuid not null,
  old_status text not null,
  new_status text not null,
  -- Null if the change did not come through the data API.
  changed_by uuid,
  changed_at timestamptz not null default now()
);
create index offer_status_changes_by_offer on private.offer_status_changes (offer_id, changed_at);
alter table private.offer_status_changes enable row level security;

create function private.log_status_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.offer_status_changes (offer_id, old_status, new_status, changed_by)
  values (new.id, old.status, new.status, (select auth.uid()));
  return null;
end;
$$;
create trigger status_changes_are_logged after update of status on public.offers
  for each row when (old.status is distinct from new.status)
  execute function private.log_status_change();

-- The catalogue as the last build published it. A row of private.listings is one domain, with its state, its price and the
-- owner's minimum; the one row of private.published_catalogue, present once a catalogue was published, has the rest. The
-- owner's file is the only source: publish_listings replaces everything. The edge functions read it with the secret key,
-- administrators read prices and states through asking_prices; only submit_offer reads minimums, and no function returns them.
-- The tables are closed.

create table private.listings (
  name text primary key check (length(name) between 1 and 253),
  state text not null default 'for_sale' check (state in ('for_sale', 'sold', 'reserved')),
  -- The owner's text, such as $15,000.
  price text,
  -- Offers below it are low.
  minimum numeric check (minimum > 0),
  minimum_currency text,
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
  -- Settings of the catalogue that messages need: {"owner", "contact", "links", "languages", "replyWithin",
  -- "accent"}, each optional.
  settings jsonb not null default '{}'
    -- A time that is none would stop the alarm of every offer.
    check ((settings ->> 'replyWithin') ~ '^[1-9][0-9]{0,2} (hour|day)s?$')
);
alter table private.published_catalogue enable row level security;

-- Stores the minimums of a catalogue's entries: "minimum" {"amount", "currency"}, absent where there is none.
create function private.store_minimums(entries jsonb) returns void
language sql set search_path = ''
as $$
  update private.listings l set minimum = n.minimum, minimum_currency = n.currency
  from (
    select e ->> 'name' as name, (e #>> '{minimum,amount}')::numeric as minimum, e #>> '{minimum,currency}' as currency
    from jsonb_array_elements(entries) as e
  ) as n
  where l.name = n.name and (l.minimum, l.minimum_currency) is distinct from (n.minimum, n.currency);
$$;

-- Replaces the published catalogue in one transaction and returns the new version. `entries` is an array of
-- {"name", "state", "price", "minimum": {"amount", "currency"}}; all but the name may be missing. With `keep_previous`, names
-- and hosts of the catalogue before stay, names that took offers still take them, and build and settings are those of before:
-- for the time while the old pages and the new ones are both served.
-- Rejects a build that is older than the published one (PT409): several machines may have the right to publish, and one of
-- them may start again with an old build. Once a time is stored, a publication without one is older. A time in the future
-- counts as now, and a stored one in the future as none, so that a wrong clock, of a machine or of the database, does not
-- stop later builds.
create function public.publish_listings(
  entries jsonb, hosts text[], keep_previous boolean, language text default 'en', build text default null,
  built_at timestamptz default null, settings jsonb default '{}'
) returns bigint
language plpgsql security definer set search_path = ''
as $$
declare
  new_version bigint;
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

  insert into private.listings as l (name, state, price)
  select e ->> 'name', coalesce(e ->> 'state', 'for_sale'), e ->> 'price' from jsonb_array_elements(entries) as e
  on conflict (name) do update
    set state = case when keep_previous and l.state = 'for_sale' then l.state else excluded.state end,
        price = excluded.price
    where (l.state, l.price) is distinct from (excluded.state, excluded.price);
  if not keep_previous then
    delete from private.listings l
    where l.name not in (select e ->> 'name' from jsonb_array_elements(entries) as e);
  end if;

  perform private.store_minimums(entries);
  insert into private.published_catalogue as c (version, hosts, language, build)
  values (1, publish_listings.hosts, publish_listings.language, publish_listings.build)
  on conflict (only_row) do update
    set version = c.version + 1,
        hosts = case
          when keep_previous then excluded.hosts
            || array(select old from unnest(c.hosts) as old where old <> all (excluded.hosts))
          else excluded.hosts
        end,
        language = excluded.language,
        build = case when keep_previous then c.build else excluded.build end
  returning version into new_version;
  -- A build that is not served yet may still be given up.
  if not keep_previous then
    update private.published_catalogue as c
    set built_at = case when publish_listings.built_at > now() then now() else publish_listings.built_at end,
        settings = publish_listings.settings;
  end if;
  return new_version;
end;
$$;
grant execute on function public.publish_listings(jsonb, text[], boolean, text, text, timestamptz, jsonb) to service_role;

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

-- Rate limits. A row counts the hits of one key (a keyed hash: no IP and no email is stored) in one bucket and one time
-- window. SECURITY.md says against whom each limit holds. A sender meets its own limits first and is rejected; what many
-- senders use up together only makes offers held, so that an attacker cannot keep other people's offers away.
-- Only functions of the database read and write rows: those below, and remove_expired.
--
-- A limit is {"bucket": text, "key": hexadecimal text, "max": hits, "window": seconds}. A list of limits is counted in the
-- order of bucket and key, so that two transactions cannot deadlock. No two limits of a list have the same bucket and key.

create table private.rate_limits (
  bucket text not null,
  key_hash text not null,
  window_start timestamptz not null,
  window_end timestamptz not null,
  hits integer not null,
  primary key (bucket, key_hash, window_start)
);
create index rate_limits_by_end on private.rate_limits (window_end);
alter table private.rate_limits enable row level security;

-- Returns the start of the window of a moment. Windows are aligned to the epoch.
create function private.window_start(seconds integer, at timestamptz default now()) returns timestamptz
language sql stable set search_path = ''
as $$ select to_timestamp(floor(extract(epoch from at) / seconds) * seconds); $$;

-- Returns the seconds to wait, 0 unless a limit is full. Counts nothing.
create function private.seconds_until_free(limits jsonb) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(max(greatest(1, ceil(extract(epoch from r.window_end - now()))::integer)), 0)
  from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits >= l.max;
$$;

-- Counts one hit in every limit and returns the seconds to wait, 0 unless a limit is exceeded. Counts beyond `max` too,
-- so that release_hits subtracts exactly what was counted. The upsert is atomic: of two concurrent requests exactly one
-- gets the last free hit. One call in a hundred deletes expired rows.
create function private.count_hits(limits jsonb) returns integer
language plpgsql set search_path = ''
as $$
declare
  wait integer;
begin
  if random() < 0.01 then
    delete from private.rate_limits where (bucket, key_hash, window_start) in (
      select bucket, key_hash, window_start from private.rate_limits
      where window_end < now() limit 1000 for update skip locked
    );
  end if;
  with counted as (
    insert into private.rate_limits as r (bucket, key_hash, window_start, window_end, hits)
    select l.bucket, l.key, w.started, w.started + make_interval(secs => l."window"), 1
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer),
      private.window_start(l."window") as w (started)
    order by l.bucket, l.key
    on conflict (bucket, key_hash, window_start) do update set hits = r.hits + 1
    returning r.*
  )
  select coalesce(max(greatest(1, ceil(extract(epoch from c.window_end - now()))::integer)), 0) into wait
  from counted c
  join jsonb_to_recordset(limits) as l (bucket text, key text, max integer)
    on l.bucket = c.bucket and l.key = c.key_hash
  where c.hits > l.max;
  return wait;
end;
$$;

-- Counts one hit in every limit unless one is full, and returns the seconds to wait. Writes nothing for a request that is
-- rejected: otherwise each attempt to sign in would add rows for the email in it.
create function private.count_hits_unless_full(limits jsonb) returns integer
language plpgsql set search_path = ''
as $$
declare
  wait constant integer := private.seconds_until_free(limits);
begin
  return case when wait > 0 then wait else private.count_hits(limits) end;
end;
$$;

-- Subtracts the hit that was counted at a moment from every limit: of a completed sign-in, of a bot check that could not be
-- made, of an offer that was not stored. Rows are locked in the order of bucket and key.
create function public.release_hits(limits jsonb, counted_at timestamptz default now()) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  one record;
begin
  for one in
    select l.bucket, l.key, private.window_start(l."window", counted_at) as started
    from jsonb_to_recordset(limits) as l (bucket text, key text, "window" integer)
    order by l.bucket, l.key
  loop
    update private.rate_limits r set hits = greatest(r.hits - 1, 0)
    where r.bucket = one.bucket and r.key_hash = one.key and r.window_start = one.started;
  end loop;
end;
$$;
grant execute on function public.release_hits(jsonb, timestamptz) to service_role;

-- Counts an attempt to sign in, before it is queued. Returns {"wait": seconds, "counted_at": time, for release_hits}.
create function public.begin_sign_in(limits jsonb) returns jsonb
language sql security definer set search_path = ''
as $$ select jsonb_build_object('wait', private.count_hits_unless_full(limits), 'counted_at', now()); $$;
grant execute on function public.begin_sign_in(jsonb) to service_role;

-- Storing offers. A row of private.idempotency_keys maps the hash of a bot check's token to the offer that was stored for
-- it, so that a repeated request gets the first outcome and a token is good for one offer. submit_offer writes rows; it and
-- begin_bot_check read them. Both functions are for order-submit alone, with the service role; the table is closed.

create table private.idempotency_keys (
  token_hash text primary key,
  -- Hash of the offer's texts: distinguishes a repeated request from another offer with a used token.
  payload_hash text not null,
  offer_id uuid not null references public.offers (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now(),
  -- Language of the page that the offer was made on, as a BCP 47 code, for the mail to the owner; null where it is not known.
  -- Here, so that the columns of offers stay as they are.
  language text check (char_length(language) <= 40)
);
create index idempotency_keys_by_offer on private.idempotency_keys (offer_id);
alter table private.idempotency_keys enable row level security;

-- The language of the page that an offer was made on; null where it is not known.
create function private.offer_language(offer_id uuid) returns text
language sql stable set search_path = ''
as $$ select k.language from private.idempotency_keys k where k.offer_id = offer_language.offer_id limit 1; $$;

-- What the outcome of a stored or repeated offer has besides its id: {"low": true} of a low one.
create function private.low_mark(low boolean) returns jsonb
language sql immutable set search_path = ''
as $$ select case when low then jsonb_build_object('low', true) else '{}' end; $$;

-- Returns the outcome for a token that was used: {"outcome": "repeated", "id": …}, with {"low": true} of a low offer, or
-- {"outcome": "conflict"}; null for any other.
create function private.earlier_offer(token_hash text, payload_hash text) returns jsonb
language sql stable set search_path = ''
as $$
  select case when k.payload_hash = earlier_offer.payload_hash
    then jsonb_build_object('outcome', 'repeated', 'id', k.offer_id) || private.low_mark(o.low)
    else jsonb_build_object('outcome', 'conflict')
  end
  from private.idempotency_keys k join public.offers o on o.id = k.offer_id
  where k.token_hash = earlier_offer.token_hash;
$$;

-- Runs before a bot check that takes a request to a third party. Counts it in `checks`, which submit_offer releases after a
-- check that was passed. Returns {"outcome": "new"}, or what submit_offer returns for a token that was used or a limit that
-- is full.
create function public.begin_bot_check(token_hash text, payload_hash text, sender jsonb, checks jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  earlier constant jsonb := private.earlier_offer(token_hash, payload_hash);
  wait integer := private.seconds_until_free(sender);
begin
  if earlier is not null and wait = 0 then
    wait := private.count_hits(sender);
  end if;
  wait := greatest(wait, private.seconds_until_free(checks));
  if wait = 0 and earlier is null then
    wait := private.count_hits(checks);
  end if;
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', true);
  end if;
  return coalesce(earlier, '{"outcome": "new"}');
end;
$$;
grant execute on function public.begin_bot_check(text, text, jsonb, jsonb) to service_role;

-- Whether an amount is below the listing's minimum. False where there is no minimum, or the amount could not be read, or is in
-- another currency.
create function private.is_low(price jsonb, listed private.listings) returns boolean
language sql immutable set search_path = ''
as $$
  select (price ->> 'currency' = listed.minimum_currency and (price ->> 'amount')::numeric < listed.minimum) is true;
$$;

-- Counts an offer in the limits that senders share. Returns whether it is held, and the seconds to wait, 0 unless a limit of
-- held offers is full: then it is rejected, and counts in no limit of held offers.
create function private.count_offer(limits jsonb, out held boolean, out wait integer)
language plpgsql set search_path = ''
as $$
declare
  held_limits jsonb := limits -> 'held';
begin
  wait := 0;
  held := private.count_hits(limits -> 'sender_and_domain') > 0;
  if not held then
    held := private.count_hits(limits -> 'shared') > 0;
  end if;
  if not held then
    return;
  end if;
  -- Not the first of this network for this domain.
  if private.count_hits(limits -> 'held_first') > 0 then
    held_limits := held_limits || (limits -> 'held_again');
  end if;
  wait := private.count_hits(held_limits);
  if wait > 0 then
    perform public.release_hits(held_limits);
    perform public.release_hits(limits -> 'held_first');
  end if;
end;
$$;

-- Stores an offer with its message, and queues the messages about it. Of a low offer that is not held, the owner's has the kind
-- low, and is in a digest at the next midnight in UTC: a kind of its own, so that low offers neither mix with other digests nor
-- count among the messages after which others become digests.
create function private.store_offer(id uuid, offer jsonb, held boolean, low boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
begin
  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, held, low)
  values (id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email', held, low);
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(id, held, messages);
  end if;
  if low and not held then
    update private.messages m
    set kind = 'low', digest = true, due_at = date_bin('1 day', now(), 'epoch') + interval '1 day'
    where m.offer_id = store_offer.id and m.kind = 'offer';
  end if;
end;
$$;

-- Runs after the bot check and stores the offer once, however often the request comes. The idempotency key is written before
-- the offer, so that a second request with the same token waits for the first one's commit and then finds its outcome.
-- `limits` are those of order-submit/limits.ts, `checks` those of begin_bot_check. With `expired` the token is too old for
-- a new offer, and only finds one that it stored before. "price" of the offer is {"amount", "currency"}, absent where
-- order-submit could not read its amount: compared with the listing's minimum, it decides whether the offer is low.
-- Returns {"outcome": "stored", "id"}, {"outcome": "repeated", "id"}, both with {"low": true} of a low offer, {"outcome":
-- "conflict"}, {"outcome": "expired"}, {"outcome": "limited", "wait", "sender": whether each offer of the sender is rejected
-- until then}, and {"outcome": "not_for_sale", "state"} (null for a name that is not in the catalogue).
-- The row lock of the listing makes a publication wait for offers in flight, so that none is stored once it has been
-- acknowledged, and the minimum is the one in force. An offer that is already stored passes, so that its repetition gets the
-- same outcome. Before the first publication every name passes.
-- `messages` are queued with the offer: see private.queue_messages. The language stored is that of the page: "locale" of the
-- offer, else the catalogue's first language.
create function public.submit_offer(
  offer jsonb, token_hash text, payload_hash text, limits jsonb, checks jsonb default '[]', expired boolean default false,
  messages jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  new_id constant uuid := gen_random_uuid();
  listed private.listings;
  low boolean;
  wait integer := private.count_hits_unless_full(limits -> 'sender');
  held boolean;
begin
  if wait > 0 then
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', true);
  end if;

  select l.* into listed from private.listings l where l.name = offer ->> 'domain_name' for share;
  if listed.state is distinct from 'for_sale'
    and exists (select from private.published_catalogue)
    and not exists (select from private.idempotency_keys k where k.token_hash = submit_offer.token_hash) then
    return jsonb_build_object('outcome', 'not_for_sale', 'state', listed.state);
  end if;
  if expired then
    return coalesce(private.earlier_offer(token_hash, payload_hash), '{"outcome": "expired"}');
  end if;

  insert into private.idempotency_keys (token_hash, payload_hash, offer_id, language)
  values (token_hash, payload_hash, new_id, coalesce(
    offer ->> 'locale', (select c.language from private.published_catalogue c)
  ))
  on conflict do nothing;
  if not found then
    return private.earlier_offer(token_hash, payload_hash);
  end if;

  -- Held until the commit, because every offer counts in the row of `submit.all`. Others that waited for it inside "insert
  -- … on conflict" would all be woken by each commit, and one would go on: with 32 connections an offer took 1.4 to 2.3
  -- times the processor time. A lock has a queue, and wakes the first. What an offer waits for before it, no other offer
  -- holds while it waits for the lock with anything that this one has: none can be part of a deadlock.
  perform pg_advisory_xact_lock(hashtext('private.rate_limits'));

  select c.held, c.wait into held, wait from private.count_offer(limits) as c;
  if wait > 0 then
    delete from private.idempotency_keys k where k.offer_id = new_id;
    return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', false);
  end if;
  perform public.release_hits(checks);
  low := private.is_low(offer -> 'price', listed);
  perform private.store_offer(new_id, offer, held, low, messages);
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;

-- Negotiation of an offer. A row of private.offer_moves is one move of the owner or the buyer after the offer, which itself
-- is move 1 and has no row. A row of private.offer_links is a link of the buyer's: its number, and the SHA-256 of its token,
-- which the edge functions derive from offer, number and nonce under their secret. Only the functions below write both tables:
-- negotiate_as_owner for administrators, negotiate_as_buyer for the edge function `negotiation`, and the trigger that closes
-- an offer whose status was set by hand; besides them receive_rows. Moves are only added; they go with their offer when it is
-- erased. The tables are closed. The messages about moves are in outbox.sql.

create table private.offer_moves (
  id bigint generated always as identity primary key,
  offer_id uuid not null references public.offers (id) on delete cascade,
  -- In the order of the moves, without a gap.
  number integer not null check (number > 1),
  side text not null check (side in ('owner', 'buyer')),
  -- close: the owner set the status to accepted or rejected by hand.
  kind text not null check (kind in ('counter', 'offer', 'accept', 'decline', 'withdraw', 'take_back', 'close')),
  -- Of an acceptance the accepted one.
  amount text check (char_length(amount) between 1 and 500),
  note text check (char_length(note) between 1 and 1000),
  valid_until timestamptz,
  created_at timestamptz not null default now(),
  -- The administrator; null for the buyer.
  changed_by uuid,
  unique (offer_id, number)
);
-- For queue_deadlines.
create index offer_moves_by_end on private.offer_moves (valid_until) where valid_until is not null;
create index offer_moves_accepted on private.offer_moves (created_at) where kind = 'accept';
-- For the dashboard's search.
create index offer_moves_by_amount on private.offer_moves using gin (lower(amount) extensions.gin_trgm_ops)
  where amount is not null;
alter table private.offer_moves enable row level security;
create trigger moves_are_not_changed before update or delete on private.offer_moves
  for each row execute function private.reject_removal();

create table private.offer_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  offer_id uuid not null references public.offers (id) on delete cascade,
  number integer not null check (number > 0),
  created_at timestamptz not null default now(),
  -- 128 random bits, so that after a restore no new link has the token of one that was made after the backup. Null for links
  -- from before this column, which keep their tokens. Without the functions' secret key it opens nothing.
  nonce text check (nonce ~ '^[0-9a-f]{32}$'),
  unique (offer_id, number)
);
alter table private.offer_links enable row level security;

-- The last move of each offer that has any, and the amount that was named last: the one that counts, and that is agreed where the
-- last move is an acceptance.
create view private.standings with (security_invoker = true) as
  select last.offer_id, last.kind, last.created_at, last.valid_until, (
    select m.amount from private.offer_moves m
    where m.offer_id = last.offer_id and m.amount is not null order by m.number desc limit 1
  ) as amount
  from private.offer_moves last
  where not exists (
    select from private.offer_moves n where n.offer_id = last.offer_id and n.number = last.number + 1
  );

-- The moves after the first, as a side sees them: [{"number", "side", "kind", "amount"?, "note"?, "valid_until"?, "at",
-- "by"? (the administrator's email, for the owner)}]; null where there are none.
create function private.stored_moves(offer_id uuid, viewer text) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
    'number', m.number, 'side', m.side, 'kind', m.kind, 'amount', m.amount, 'note', m.note,
    'valid_until', m.valid_until, 'at', m.created_at, 'by', case when viewer = 'owner' then u.email end
  )) order by m.number)
  from private.offer_moves m left join auth.users u on u.id = m.changed_by
  where m.offer_id = stored_moves.offer_id;
$$;

-- What a side sees: {"domain", "language", "status", "seen", "moves", "can"}, as the contract's NegotiationSchema. Null where
-- there is no such offer.
create function private.negotiation(offer_id uuid, viewer text) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  offer public.offers;
  last private.offer_moves;
  -- The amount that was named last.
  standing private.offer_moves;
  state text;
begin
  select o.* into offer from public.offers o where o.id = negotiation.offer_id;
  if offer.id is null then
    return null;
  end if;
  select m.* into last from private.offer_moves m where m.offer_id = offer.id order by m.number desc limit 1;
  select m.* into standing from private.offer_moves m
  where m.offer_id = offer.id and m.kind in ('counter', 'offer') order by m.number desc limit 1;
  state := case
    when last.id is null then case when offer.status in ('accepted', 'rejected') then 'closed' else 'open' end
    when last.kind = 'accept' then 'accepted'
    when last.kind = 'decline' then 'declined'
    when last.kind = 'withdraw' then 'withdrawn'
    when last.kind = 'close' then 'closed'
    else 'open' end;
  return jsonb_build_object(
    'domain', offer.domain_name,
    'language', private.offer_language(offer.id),
    'status', state, 'seen', coalesce(last.number, 1),
    'moves', jsonb_build_array(jsonb_build_object(
      'number', 1, 'side', 'buyer', 'kind', 'offer', 'amount', offer.offer_amount, 'at', offer.created_at
    )) || coalesce(private.stored_moves(offer.id, viewer), '[]'),
    'can', to_jsonb(case
      when viewer = 'buyer' then case
        when state <> 'open' then '{}'
        when last.kind = 'counter' and now() < last.valid_until then '{accept,offer,withdraw}'
        else '{offer,withdraw}' end::text[]
      when state = 'accepted' then '{take_back}'
      when state = 'closed' then '{counter}'
      when state <> 'open' then '{}'
      when coalesce(standing.side, 'buyer') = 'buyer' then '{counter,accept,decline}'
      else '{counter,decline}' end::text[])
  );
end;
$$;

-- The end date of an owner's counter-offer: after its number of days, 7 where it names none.
create function private.valid_until(made_at timestamptz, move jsonb) returns timestamptz
language sql stable set search_path = ''
as $$ select made_at + make_interval(days => coalesce((move ->> 'days')::integer, 7)); $$;

-- Moves and new links of offers for one name are made one after the other.
create function private.lock_moves(name text) returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('private.offer_moves ' || name, 0)); $$;

-- Whether a move that was made is the same as one that is sent: with the same amount, note and number of days.
create function private.is_same_move(made private.offer_moves, side text, move jsonb) returns boolean
language sql stable set search_path = ''
as $$
  select made.side = is_same_move.side and made.kind = move ->> 'kind'
    and (made.kind not in ('counter', 'offer') or move ->> 'amount' is null or made.amount = move ->> 'amount')
    and made.note is not distinct from move ->> 'note'
    and (made.kind <> 'counter' or made.valid_until = private.valid_until(made.created_at, move));
$$;

-- Why a side cannot make a move, as private.make_move returns it; null where it can. Waits for a publication that changes the
-- name, and makes it wait.
create function private.move_problem(offer public.offers, side text, move jsonb, state jsonb) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  listed text;
begin
  if state is null or (move ->> 'seen')::integer is distinct from (state ->> 'seen')::integer then
    return 'moved';
  end if;
  if not state -> 'can' ? kind then
    return case when side = 'buyer' and kind = 'accept' and state ->> 'status' = 'open'
      and state #>> '{moves,-1,kind}' = 'counter' then 'ended' else 'not_possible' end;
  end if;
  if kind in ('counter', 'offer') and move ->> 'amount' is null then
    return 'not_possible';
  end if;
  if (select count(*) from private.offer_moves m where m.offer_id = offer.id and m.side = move_problem.side) >= 10 then
    return 'too_many';
  end if;
  if kind = 'accept' and exists (
    select from public.offers o
    where o.domain_name = offer.domain_name and o.status = 'accepted' and o.id <> offer.id
  ) then
    return 'taken';
  end if;
  select l.state into listed from private.listings l where l.name = offer.domain_name for share;
  if (side = 'buyer' or kind in ('counter', 'accept')) and listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue) then
    return 'not_possible';
  end if;
  return null;
end;
$$;

-- Makes a move for a side and queues its messages: of the owner's moves to the buyer with `mail`, of the buyer's to the owner's
-- `targets`, and of an acceptance to the buyer too. Of moves for one name one runs at a time. Returns `made`; `repeated` for the
-- move that was made last and is sent again, with the same amount, note and days; `moved` where the last move is another than
-- the caller saw; `ended` after the end date; `not_possible`; `too_many` after 10 moves of the side; `mails_full` where the
-- limits of mails are, to the owner alone: a buyer's acceptance is made without its mail; `taken` where another offer for the
-- name is accepted.
-- A status set by hand is outside of that lock: it waits for the offer's row, and may accept a second offer.
create function private.make_move(
  offer_id uuid, side text, move jsonb, mail boolean, targets text[], mail_limits jsonb
) returns text
language plpgsql set search_path = ''
as $$
declare
  kind constant text := move ->> 'kind';
  seen constant integer := (move ->> 'seen')::integer;
  -- To the buyer.
  mailed boolean := mail and (side = 'owner' or kind = 'accept');
  offer public.offers;
  next private.offer_moves;
  state jsonb;
  problem text;
begin
  -- Before any row: a second move waits here, and then sees what the first one did.
  perform private.lock_moves((select o.domain_name from public.offers o where o.id = make_move.offer_id));
  select o.* into offer from public.offers o where o.id = make_move.offer_id for update;
  select m.* into next from private.offer_moves m where m.offer_id = offer.id and m.number = seen + 1;
  if next.id is not null then
    return case when private.is_same_move(next, side, move) then 'repeated' else 'moved' end;
  end if;
  state := private.negotiation(offer.id, side);
  problem := private.move_problem(offer, side, move, state);
  if problem is not null then
    return problem;
  end if;
  if mailed and private.count_hits_unless_full(mail_limits) > 0 then
    if side = 'owner' then
      return 'mails_full';
    end if;
    mailed := false;
  end if;

  insert into private.offer_moves (offer_id, number, side, kind, amount, note, valid_until, changed_by)
  values (
    offer.id, seen + 1, side, kind,
    case
      when kind = 'accept' then (
        select m ->> 'amount' from jsonb_array_elements(state -> 'moves') as m
        where m ->> 'kind' in ('counter', 'offer') order by (m ->> 'number')::integer desc limit 1
      )
      when kind in ('counter', 'offer') then move ->> 'amount' end,
    move ->> 'note',
    case when kind = 'counter' then private.valid_until(now(), move) end,
    case when side = 'owner' then (select auth.uid()) end
  );
  perform set_config('private.moving', 'yes', true);
  update public.offers o
  set status = case
    when kind = 'accept' then 'accepted' when kind in ('decline', 'withdraw') then 'rejected' else 'negotiating' end
  where o.id = offer.id;
  perform set_config('private.moving', '', true);
  insert into private.messages (kind, offer_id, target, locale, move_number)
  select t.kind, offer.id, t.target, private.offer_language(offer.id), seen + 1
  from (
    select 'move' as kind, unnest(targets) as target where side = 'buyer'
    union all
    select 'reply', 'mailto:' || lower(offer.customer_email) where mailed
  ) as t;
  return 'made';
end;
$$;

-- The newest link of an offer, {"number", "hash", "nonce" (absent where it has none)}; null where there is none.
create function private.newest_link(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object('number', l.number, 'hash', l.token_hash, 'nonce', l.nonce))
  from private.offer_links l
  where l.offer_id = newest_link.offer_id order by l.number desc limit 1;
$$;

-- A call of the owner. Without `move` and `link` it only reads. `link` is {"number", "hash", "nonce"}: stored unless it or a
-- newer one is, and with {"replace": true} the only one then. Returns {"outcome", "state", "link": that of
-- private.newest_link, "taken_by": the customer whose offer is accepted instead}; {"outcome": "unknown"} where there is no such
-- offer.
create function public.negotiate_as_owner(
  offer_id uuid, move jsonb default null, link jsonb default null, mail boolean default false, mail_limits jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  outcome text := 'read';
begin
  perform private.require_admin();
  if not exists (select from public.offers o where o.id = negotiate_as_owner.offer_id) then
    return '{"outcome": "unknown"}';
  end if;
  if move is not null then
    outcome := private.make_move(offer_id, 'owner', move, mail, '{}', mail_limits);
  end if;
  if link is not null and outcome in ('read', 'made') then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = negotiate_as_owner.offer_id));
    if (link ->> 'replace')::boolean then
      delete from private.offer_links l
      where l.offer_id = negotiate_as_owner.offer_id and l.number < (link ->> 'number')::integer;
    end if;
    insert into private.offer_links (token_hash, offer_id, number, nonce)
    select link ->> 'hash', negotiate_as_owner.offer_id, (link ->> 'number')::integer, link ->> 'nonce'
    where not exists (
      select from private.offer_links l
      where l.offer_id = negotiate_as_owner.offer_id and l.number >= (link ->> 'number')::integer
    );
  end if;
  return jsonb_build_object(
    'outcome', outcome, 'state', private.negotiation(offer_id, 'owner'), 'link', private.newest_link(offer_id),
    'taken_by', case when outcome = 'taken' then (
      select o.customer_name from public.offers o
      where o.status = 'accepted' and o.id <> negotiate_as_owner.offer_id and o.domain_name = (
        select p.domain_name from public.offers p where p.id = negotiate_as_owner.offer_id
      )
      order by o.created_at limit 1
    ) end
  );
end;
$$;
grant execute on function public.negotiate_as_owner(uuid, jsonb, jsonb, boolean, jsonb) to authenticated;

-- Whether a buyer's link to the offer opens it: the name is for sale, or reserved for this offer, which is accepted; the last
-- move is less than 90 days old, and 14 where the negotiation is over without an agreement. Decided at each call, so that
-- a catalogue that is published again revives it. Before the first publication every name is for sale.
create function private.is_link_good(link private.offer_links) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select from public.offers o
    left join private.listings l on l.name = o.domain_name
    left join lateral (
      select m.kind, m.created_at from private.offer_moves m where m.offer_id = o.id order by m.number desc limit 1
    ) as last on true
    where o.id = (link).offer_id
      and exists (select from private.offer_links k where k.token_hash = (link).token_hash)
      and (l.state = 'for_sale' or l.state = 'reserved' and o.status = 'accepted'
        or not exists (select from private.published_catalogue))
      and greatest(last.created_at, (link).created_at) > now() - case
        when last.kind in ('decline', 'withdraw', 'close') then interval '14 days' else interval '90 days' end
  );
$$;

-- A call of the buyer with the hash of a link's token. Links are replaced under the lock of moves: a move checks the link once
-- it has the lock, and the link holds until the commit. Tokens that open nothing, or nothing any more, count in `limits`.
-- `targets` are the owner's; with `mail` the buyer gets one about an acceptance. Returns {"outcome", "state"}; {"outcome": "invalid"}, or in its place {"outcome": "limited",
-- "wait", "full": the buckets that are full}.
create function public.negotiate_as_buyer(
  token_hash text, limits jsonb, move jsonb default null, targets text[] default '{}', mail boolean default false,
  mail_limits jsonb default '[]'
) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  link private.offer_links;
  outcome text := 'read';
  wait integer;
begin
  select l.* into link from private.offer_links l where l.token_hash = negotiate_as_buyer.token_hash;
  if move is not null and link.token_hash is not null then
    perform private.lock_moves((select o.domain_name from public.offers o where o.id = link.offer_id));
  end if;
  if link.token_hash is null or not private.is_link_good(link) then
    wait := private.count_hits_unless_full(limits);
    return case when wait > 0 then jsonb_build_object('outcome', 'limited', 'wait', wait, 'full', (
      select jsonb_agg(l ->> 'bucket') from jsonb_array_elements(limits) as l
      where private.seconds_until_free(jsonb_build_array(l)) > 0
    )) else '{"outcome": "invalid"}' end;
  end if;
  if move is not null then
    outcome := private.make_move(link.offer_id, 'buyer', move, mail, targets, mail_limits);
  end if;
  -- Checked again: make_move may have waited for a publication, or for an erasure.
  if not private.is_link_good(link) then
    return '{"outcome": "invalid"}';
  end if;
  return jsonb_build_object('outcome', outcome, 'state', private.negotiation(link.offer_id, 'buyer'));
end;
$$;
grant execute on function public.negotiate_as_buyer(text, jsonb, jsonb, text[], boolean, jsonb) to service_role;

-- The first 8 digits of every link's hash: enough to leave out nearly all guesses. The edge function `negotiation` remembers
-- which IPs and networks are limited, and calls the database for them only with tokens that may open something.
create function public.read_link_hashes() returns jsonb
language sql stable security definer set search_path = ''
as $$ select coalesce(jsonb_agg(left(l.token_hash, 8)), '[]') from private.offer_links l; $$;
grant execute on function public.read_link_hashes() to service_role;

-- Closes what is open for the buyer when the owner sets the status to accepted or rejected by hand, and an acceptance when the
-- owner sets any other status.
create function private.close_negotiation() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.offer_moves (offer_id, number, side, kind, changed_by)
  select new.id, (state ->> 'seen')::integer + 1, 'owner', 'close', (select auth.uid())
  from private.negotiation(new.id, 'owner') as state
  where state ->> 'status' = 'open' and new.status in ('accepted', 'rejected')
    or state ->> 'status' = 'accepted' and new.status <> 'accepted';
  return null;
end;
$$;
create trigger statuses_close_negotiations after update of status on public.offers
  for each row when (
    old.status is distinct from new.status and coalesce(current_setting('private.moving', true), '') <> 'yes'
  )
  execute function private.close_negotiation();

-- The outbox: messages about offers and moves. A row of private.messages is one message to one target:
-- `mailto:ada@example.com` or the URL of a webhook. Rows are written in the transaction that stores the offer or the move, and
-- by queue_overdue; the edge function `deliver` acquires them, sends them and marks them. A message is queued until sent_at or
-- failed_at is set. The single row of private.message_state is about all messages: `deliver` and the owner's commands write it.
-- Administrators read both through message_status, the owner's commands through read_message_state; the tables are closed.

create table private.messages (
  id bigint generated always as identity primary key,
  -- To the owner's targets: `offer`, `low` (a low offer, in a digest once a day), `overdue` (a pending offer), `move` (one of
  -- the buyer's), `expired` (the end date of a move has passed), `silent` (nothing happened for 7 days after an acceptance). To
  -- the customer: `confirmation`, and `reply` about a move of the owner's or an acceptance of the buyer's own.
  kind text not null,
  offer_id uuid not null references public.offers (id) on delete cascade,
  target text not null,
  -- Language of a confirmation or a reply; null: the default.
  locale text,
  -- True: sent together with the other digest rows of this kind and target, as one delivery.
  digest boolean not null default false,
  -- The delivery of a digest row; it stays the same over retries, and so does the Message-ID that is made of it.
  batch uuid,
  due_at timestamptz not null default now(),
  -- How often the message was acquired.
  attempts integer not null default 0,
  -- Until when a message that was acquired is left alone; null where its last delivery ended.
  leased_until timestamptz,
  -- A message that was tried before fails at this time.
  give_up_at timestamptz not null default now() + interval '3 days',
  -- What the last failed try reported, and when.
  reason text check (char_length(reason) <= 300),
  reason_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  -- Whether the last try of a confirmation ended with a rejection of the customer's address: a mark at its offer and no
  -- fault, since the visitor mistyped it.
  address_rejected boolean not null default false,
  -- When an administrator dismissed a failed message: it is neither reported nor tried again.
  dismissed_at timestamptz,
  -- Each move has its own messages; others have move 0.
  move_number integer not null default 0,
  constraint messages_kind_check
    check (kind in ('offer', 'low', 'confirmation', 'overdue', 'reply', 'move', 'expired', 'silent')),
  constraint messages_once unique (offer_id, kind, target, move_number)
);
-- For the number of messages that a target got in the last minutes.
create index messages_by_target on private.messages (target, created_at);
create index messages_queued on private.messages (kind, target, due_at, id)
  where sent_at is null and failed_at is null;
create index messages_to_customers on private.messages (due_at, id)
  where sent_at is null and failed_at is null and kind = 'confirmation';
create index messages_not_delivered on private.messages (reason_at) include (failed_at)
  where sent_at is null and reason_at is not null and dismissed_at is null and not address_rejected;
create index confirmations_rejected on private.messages (failed_at) include (offer_id)
  where address_rejected and failed_at is not null;
create index confirmations_by_mailbox on private.messages (regexp_replace(target, '\+[^@]*@', '@'), created_at)
  where kind = 'confirmation';
alter table private.messages enable row level security;

create table private.message_state (
  single boolean primary key default true check (single),
  -- Number of targets that are configured.
  mail integer not null default 0,
  webhooks integer not null default 0,
  -- After a restore: messages and overdue offers from before this time wait for resume_messages.
  paused_before timestamptz,
  sent bigint not null default 0,
  last_sent_at timestamptz
);
insert into private.message_state default values;
alter table private.message_state enable row level security;

-- Queues the messages of a new offer, in the transaction that stores it. `messages` is [{"kind", "target", "locale"?,
-- "limits"?}]. Past 20 messages of one kind to one target in ten minutes, and for a held offer, they are digests: due at
-- the next whole multiple of ten minutes. A customer gets at most one confirmation in 24 hours, and none for a held offer or
-- while one of the confirmation's `limits` is full: anybody can enter anybody's email, so that a mailbox counts without its
-- `+…`, and the confirmations of a sender's network and of all are limited.
-- submit_offer holds a lock, so that two offers at once do not both find room for the last confirmation.
-- (A loop with a few statements for each message makes storing an offer 50 % slower.)
create function private.queue_messages(offer_id uuid, held boolean, messages jsonb) returns void
language plpgsql set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  confirmation constant jsonb := jsonb_path_query_first(messages, '$[*] ? (@.kind == "confirmation")');
  customer constant text := lower(confirmation ->> 'target');
  limits constant jsonb := coalesce(confirmation -> 'limits', '[]');
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select n.kind, queue_messages.offer_id, n.target, n.digest,
    case when n.digest then next_digest else now() end
  from (
    select m.kind, m.target, held or exists (
      select from private.messages r
      where r.kind = m.kind and r.target = m.target and r.created_at > now() - interval '10 minutes'
      offset 19
    ) as digest
    from jsonb_to_recordset(messages) as m (kind text, target text)
    where m.kind <> 'confirmation'
  ) as n
  on conflict do nothing;

  if confirmation is null or held then
    return;
  end if;
  perform from private.messages r
  where r.kind = 'confirmation' and r.created_at > now() - interval '24 hours'
    and regexp_replace(r.target, '\+[^@]*@', '@') = regexp_replace(customer, '\+[^@]*@', '@');
  -- Counted unless full: those that are not sent must not fill the limit of all.
  if found or private.count_hits_unless_full(limits) > 0 then
    return;
  end if;
  insert into private.messages (kind, offer_id, target, locale)
  values ('confirmation', queue_messages.offer_id, customer, confirmation ->> 'locale');
end;
$$;

-- Queues one message to each target where the end date of the last move has passed within a week, and where nothing happened
-- for 7 days after an acceptance; none for names that are sold.
create function private.queue_deadlines(targets text[]) returns void
language sql set search_path = ''
as $$
  insert into private.messages (kind, offer_id, target, move_number)
  select case m.kind when 'accept' then 'silent' else 'expired' end, m.offer_id, t.target, m.number
  from private.offer_moves m
  join public.offers o on o.id = m.offer_id
  left join private.listings l on l.name = o.domain_name,
    unnest(targets) as t (target)
  where l.state is distinct from 'sold'
    and (m.valid_until > now() - interval '7 days' and m.valid_until <= now()
      or m.kind = 'accept' and m.created_at > now() - interval '14 days' and m.created_at <= now() - interval '7 days')
    and not exists (select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number)
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s)
  on conflict do nothing;
$$;

-- Queues the alarm for pending offers older than 5/6 of the time within which the owner answers (20 of 24 hours), once for
-- each target, and returns how many were queued; held and low offers have none. Past 20 in ten minutes they are digests. Offers
-- that no message was queued for when they came (messages were not configured yet) are one digest, due at once. Queues the
-- messages of queue_deadlines too: it is the scheduler's call.
create function public.queue_overdue(targets text[]) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  next_digest constant timestamptz := date_bin('10 minutes', now(), 'epoch') + interval '10 minutes';
  urgent_before constant timestamptz := now() - private.reply_within() * 5 / 6;
  queued integer;
begin
  insert into private.messages (kind, offer_id, target, digest, due_at)
  select 'overdue', late.id, late.target, not late.announced or late.number > 20,
    case when late.announced and late.number > 20 then next_digest else now() end
  from (
    select o.id, o.created_at, o.announced, t.target,
      recent.count + row_number() over (partition by t.target, o.announced order by o.created_at) as number
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
          select n.id from private.regular_offers n
          where n.status = 'pending' and n.created_at < urgent_before
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
  perform private.queue_deadlines(targets);
  return queued;
end;
$$;
grant execute on function public.queue_overdue(text[]) to service_role;

-- The delay after so many tries: 10 seconds, 20, 40 … at most 6 hours.
create function private.retry_delay(attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '10 seconds' * 2 ^ least(attempts - 1, 20), interval '6 hours'); $$;

-- Fails those of the messages that were tried before and whose time is over.
create function private.give_up(ids bigint[]) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set failed_at = now(), leased_until = null, reason = coalesce(m.reason, 'The delivery did not end.'),
    reason_at = coalesce(m.reason_at, now())
  where m.id = any(ids) and m.attempts > 0 and m.give_up_at <= now();
$$;

-- Acquires the messages as one delivery. The next one is due after the lease, or the delay of a failed one.
create function private.lease(ids bigint[], batch uuid, lease_seconds integer) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set attempts = m.attempts + 1, batch = lease.batch,
    leased_until = now() + make_interval(secs => lease_seconds),
    due_at = now() + greatest(make_interval(secs => lease_seconds), private.retry_delay(m.attempts + 1))
  where m.id = any(ids) and m.failed_at is null;
$$;

-- Acquires the oldest delivery of one kind to one target that is due: a single message, or the rows of one digest. Returns
-- the messages' ids, or null. Messages created before `after` are left out; the ones to give up become failed.
create function private.acquire_delivery(kind text, target text, after timestamptz, lease_seconds integer)
returns bigint[]
language plpgsql set search_path = ''
as $$
declare
  first private.messages;
  ids bigint[];
  batch uuid;
begin
  loop
    select m.* into first from private.messages m
    where m.kind = acquire_delivery.kind and m.target = acquire_delivery.target
      and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
    order by m.due_at, m.id limit 1
    for update skip locked;
    if first.id is null then
      return null;
    end if;
    exit when first.attempts = 0 or first.give_up_at > now();
    perform private.give_up(array[first.id]);
  end loop;

  ids := array[first.id];
  if first.digest then
    batch := coalesce(first.batch, gen_random_uuid());
    ids := array(
      select m.id from private.messages m
      where m.kind = acquire_delivery.kind and m.target = acquire_delivery.target
        and m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.created_at >= after
        and m.digest and m.batch is not distinct from first.batch
      order by m.due_at, m.id limit case when first.kind in ('overdue', 'low') then null else 200 end
      for update skip locked
    );
  end if;
  perform private.lease(ids, batch, lease_seconds);
  return ids;
end;
$$;

-- One delivery as acquire_messages returns it, each offer with its message, asking price and language where they are known;
-- of a message about a move with the move, for the owner with the amount that was named last up to it (`current_amount`), and for
-- the buyer with the newest link. A confirmation of a low offer says what the
-- page says, and promises no answer: its offer has "low".
create function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts, 'offers', (
      select jsonb_agg(jsonb_strip_nulls(to_jsonb(named)) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held,
          case when m.kind = 'confirmation' and o.low then true end as low, t.message,
          l.price as asking_price, private.offer_language(o.id) as language,
          (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) as move,
          case when m.kind <> 'reply' then (
            select v.amount from private.offer_moves v
            where v.offer_id = o.id and v.number <= m.move_number and v.amount is not null order by v.number desc limit 1
          ) end as current_amount,
          case when m.kind = 'reply' then private.newest_link(o.id) end as link
        from private.messages d join public.offers o on o.id = d.offer_id
        left join private.offer_messages t on t.offer_id = o.id
        left join private.listings l on l.name = o.domain_name
        where d.id = any(ids)
        order by o.created_at, o.id limit 200
      ) as named
    )
  )
  from private.messages m where m.id = ids[1];
$$;

create function public.mark_messages_sent(ids bigint[]) returns void
language sql security definer set search_path = ''
as $$
  with marked as (
    update private.messages m
    set sent_at = now(), failed_at = null, leased_until = null, reason = null, reason_at = null
    where m.id = any(ids) and m.sent_at is null
    returning m.id
  )
  update private.message_state s set sent = s.sent + (select count(*) from marked), last_sent_at = now()
  where exists (select from marked);
$$;
grant execute on function public.mark_messages_sent(bigint[]) to service_role;

-- Stores why the messages were not sent, and when they are tried again: not at all where `permanent` is true or three
-- days are over. `address_rejected`: the server rejected the recipient's address.
create function public.mark_messages_failed(
  ids bigint[], reason text, permanent boolean, address_rejected boolean default false
) returns void
language sql security definer set search_path = ''
as $$
  update private.messages m
  set reason = left(coalesce(mark_messages_failed.reason, ''), 300), reason_at = now(), leased_until = null,
    due_at = now() + private.retry_delay(m.attempts),
    failed_at = case when permanent or m.give_up_at <= now() then now() end,
    address_rejected = m.kind = 'confirmation' and mark_messages_failed.address_rejected
  where m.id = any(ids) and m.sent_at is null and m.failed_at is null;
$$;
grant execute on function public.mark_messages_failed(bigint[], text, boolean, boolean) to service_role;

-- Marks `sent`, which saves a call for each message, then acquires the messages that are due, for `lease_seconds`: at most
-- `max` deliveries, first at most 5 for each kind and target of the owner, those that wait longest first, then
-- confirmations, the oldest first, all of them with a few statements, since an offer has one each. A message whose lease
-- ends without mark_messages_failed and without being marked as sent is acquired again, with the delays of failed ones.
-- Returns [{"ids", "kind", "target", "locale", "batch", "attempts", "offers"}]; `batch` is null for a single message.
-- A digest has at most 200 offers, oldest first. A digest of overdue or low offers has the ids of all of them and the 200
-- oldest offers.
create function public.acquire_messages(max integer, lease_seconds integer, sent bigint[] default '{}') returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
  waiting record;
  ids bigint[];
  deliveries jsonb := '[]';
begin
  -- One call at a time, so that the rows of a digest stay together.
  select coalesce(s.paused_before, '-infinity') into after from private.message_state s for update;
  if sent <> '{}' then
    perform public.mark_messages_sent(sent);
  end if;
  for waiting in
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
      ids := private.acquire_delivery(waiting.kind, waiting.target, after, lease_seconds);
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
  perform private.give_up(ids);
  perform private.lease(ids, null, lease_seconds);
  return deliveries || coalesce((
    select jsonb_agg(private.describe_delivery(array[m.id]) order by m.id)
    from private.messages m where m.id = any(ids) and m.failed_at is null
  ), '[]');
end;
$$;
grant execute on function public.acquire_messages(integer, integer, bigint[]) to service_role;

-- Makes everything that is queued due once more, whatever its age and its lease; digests that were never acquired keep
-- their time. For the start, when no delivery is under way.
create function public.make_messages_due() returns void
language sql security definer set search_path = ''
as $$
  update private.messages m
  set due_at = now(), leased_until = null, give_up_at = greatest(m.give_up_at, now() + interval '10 minutes')
  where m.sent_at is null and m.failed_at is null and m.attempts > 0;
$$;
grant execute on function public.make_messages_due() to service_role;

-- Stores how many targets are configured, for message_status.
create function public.report_delivery(mail integer, webhooks integer) returns void
language sql security definer set search_path = ''
as $$
  update private.message_state s set mail = report_delivery.mail, webhooks = report_delivery.webhooks
  where (s.mail, s.webhooks) is distinct from (report_delivery.mail, report_delivery.webhooks);
$$;
grant execute on function public.report_delivery(integer, integer) to service_role;

-- Holds back what is older than now. The owner calls it after a restore: what the backup has as queued may have been
-- sent since the backup was made. Granted to no role.
create function public.pause_messages() returns void
language sql security definer set search_path = ''
as $$ update private.message_state set paused_before = now(); $$;

-- Ends that, and returns how many messages waited.
create function public.resume_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  after timestamptz;
begin
  select s.paused_before into after from private.message_state s for update;
  update private.message_state set paused_before = null;
  return (
    select count(*)::integer from private.messages m
    where m.sent_at is null and m.failed_at is null and m.created_at < after
  );
end;
$$;
grant execute on function public.resume_messages() to service_role;

-- How messages stand, without any target: {"queued", "paused", "failed", "sent", "wait_seconds": how long the oldest one that
-- is not held back has been waiting, without digests and confirmations whose address was rejected, "reason": the last one of
-- the latest failed try}. Without what is no fault: see message_status.
create function public.read_message_state() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'queued', count(m.id) filter (where m.queued and not m.paused),
    'paused', count(m.id) filter (where m.queued and m.paused),
    'failed', count(m.id) filter (where not m.queued and not m.address_rejected),
    'sent', s.sent,
    'wait_seconds', coalesce(extract(epoch from now() - min(m.created_at)
      filter (where m.queued and not m.paused and not m.digest and not m.address_rejected))::integer, 0),
    'reason', (array_agg(m.reason order by m.reason_at desc)
      filter (where m.reason is not null and not m.address_rejected))[1]
  )
  from private.message_state s
  left join lateral (
    select u.*, u.failed_at is null as queued, (u.created_at < s.paused_before) is true as paused
    from private.messages u where u.sent_at is null and u.dismissed_at is null
  ) as m on true
  group by s.single;
$$;
grant execute on function public.read_message_state() to service_role;

-- The dashboard's calls, for administrators: lists, searches and counts of offers, their history, and the state of their
-- messages. The functions run as their owner and call private.require_admin first: under row level security PostgreSQL uses
-- no index for LIKE. Each returns one JSON value, because the data API returns at most 1,000 rows. None extends the session.
--
-- A filter is {"term"?: text of three characters or more, in any of the offer's texts, in its message or in the amount that was
-- named last, "status"?: text, "domain"?: text, "held"?: boolean, "low"?: boolean, "overdue"?: boolean (pending offers whose
-- promised time is over), "message"?: boolean (offers with a message), "sort"?: "urgent"}. Held offers are listed with "held"
-- alone, low ones that are not held with "low" alone, so that a flood of them neither moves nor hides the others.

-- The conditions of a filter as SQL: its offers are those that meet any of them. A term has one for each
-- table, because PostgreSQL uses no index for an OR of several tables. Every value is a literal: only so the planner knows whether
-- a term or a domain is rare, and which index to use.
create function private.offer_conditions(filter jsonb) returns text[]
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  pattern constant text := '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%';
  condition text := case
    when (filter ->> 'held')::boolean then 'held'
    when (filter ->> 'low')::boolean then 'low and not held'
    -- As private.regular_offers.
    else 'not held and not low' end;
begin
  if char_length(term) < 3 then
    raise exception 'Type at least three characters to search for.' using errcode = '22023';
  end if;
  if filter ? 'status' then
    condition := condition || format(' and status = %L', filter ->> 'status');
  end if;
  if filter ? 'domain' then
    condition := condition || format(' and domain_name = %L', filter ->> 'domain');
  end if;
  if (filter ->> 'overdue')::boolean then
    condition := condition || format(' and status = ''pending'' and created_at < %L', now() - private.reply_within());
  end if;
  if (filter ->> 'message')::boolean then
    condition := condition || ' and exists (select from private.offer_messages t where t.offer_id = offers.id)';
  end if;
  if term is null then
    return array[condition];
  end if;
  return array[
    format(
      $sql$%s and lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) like %L$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_messages t where t.offer_id = offers.id and lower(t.message) like %L
      )$sql$,
      condition, pattern
    ),
    format(
      $sql$%s and exists (
        select from private.offer_moves m where m.offer_id = offers.id and lower(m.amount) like %L and not exists (
          select from private.offer_moves n where n.offer_id = m.offer_id and n.number > m.number and n.amount is not null
        )
      )$sql$,
      condition, pattern
    )
  ];
end;
$$;

-- The time that a filter's list is sorted by, latest first, as SQL. With {"sort": "urgent"} the time of a pending offer is
-- mirrored at the year 3000, so that pending offers come first, the oldest of them at the top, and a key is still a time.
create function private.offer_order(filter jsonb) returns text
language sql immutable set search_path = ''
as $$
  select case when filter ->> 'sort' = 'urgent'
    then $sql$case when status = 'pending'
      then (timestamp '3000-01-01' + (timestamp '3000-01-01' - (created_at at time zone 'UTC'))) at time zone 'UTC'
      else created_at end$sql$
    else 'created_at' end;
$$;

-- The statement of find_offers: $1 and $2 are the key of the first offer to list, $3 the number of offers. Each condition reads
-- no more than that.
create function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select case when count(*) = 1 then min(part)
    else format('select * from (%s) as offers order by %s desc, id desc limit $3',
      string_agg(format('(%s)', part), ' union '), private.offer_order(filter)) end
  from (
    select format(
      'select * from public.offers where %1$s%2$s order by %3$s desc, id desc limit $3',
      condition,
      case when from_newest then '' else format(' and (%s, id) <= ($1, $2)', private.offer_order(filter)) end,
      private.offer_order(filter)
    ) as part
    from unnest(private.offer_conditions(filter)) as condition
  ) as parts;
$$;

-- Returns {"offers"}: at most `page_size` (up to 100) of the filter's offers in its order, from a key of offer_pages on.
create function public.find_offers(
  filter jsonb default '{}', from_created_at timestamptz default null, from_id uuid default null,
  page_size integer default 50
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  offers jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$select coalesce(jsonb_agg(to_jsonb(o) order by %2$s desc, o.id desc), '[]') from (%1$s) as o$sql$,
    private.find_statement(coalesce(filter, '{}'), from_created_at is null), private.offer_order(filter)
  ) into offers using from_created_at, from_id, least(greatest(page_size, 1), 100);
  return jsonb_build_object('offers', offers);
end;
$$;
grant execute on function public.find_offers(jsonb, timestamptz, uuid, integer) to authenticated;

-- Returns the key of the first offer of each page of a filter's offers, in its order, so that a page is read by key and not
-- by OFFSET: [{"page", "first_created_at" (the time of private.offer_order), "first_id", "total"}].
create function public.offer_pages(page_size integer, filter jsonb default '{}') returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  pages jsonb;
begin
  perform private.require_admin();
  execute format(
    $sql$
    select coalesce(jsonb_agg(jsonb_build_object(
      'page', (number - 1) / $1, 'first_created_at', sorted_at, 'first_id', id, 'total', total
    ) order by number), '[]')
    from (
      select sorted_at, id, count(*) over () as total,
        row_number() over (order by sorted_at desc, id desc) as number
      from (%s) as found
    ) as numbered
    where (number - 1) %% $1 = 0
    $sql$,
    (
      select string_agg(
        format('select %s as sorted_at, id from public.offers where %s', private.offer_order(filter), condition), ' union ')
      from unnest(private.offer_conditions(coalesce(filter, '{}'))) as condition
    )
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;
grant execute on function public.offer_pages(integer, jsonb) to authenticated;

-- Returns {"status": {"pending": number, …}, "held": number, "low": number, "overdue": number, "messages": number of
-- offers with a message, "domains": [names that have offers]}. Held offers count in "held" alone, low ones that are not held in "low" alone.
create function public.offer_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'status', (
      select jsonb_object_agg(name, (select count(*) from private.regular_offers o where o.status = name))
      from unnest(array['pending', 'accepted', 'rejected', 'negotiating']) as name
    ),
    'held', (select count(*) from public.offers o where o.held),
    'low', (select count(*) from public.offers o where o.low and not o.held),
    'overdue', (
      select count(*) from private.regular_offers o
      where o.status = 'pending' and o.created_at < now() - private.reply_within()
    ),
    'messages', (
      select count(*) from private.offer_messages t join private.regular_offers o on o.id = t.offer_id
    ),
    -- One step in the index for each domain, however many offers it has.
    'domains', (
      with recursive domains as (
        select min(o.domain_name) as name from public.offers o
        union all
        select (select min(o.domain_name) from public.offers o where o.domain_name > d.name) from domains d
        where d.name is not null
      )
      select coalesce(jsonb_agg(d.name order by d.name), '[]') from domains d where d.name is not null
    )
  );
end;
$$;
grant execute on function public.offer_counts() to authenticated;

-- For polling: {"offers": at most 100 that were created after `since` or in the minute before it, newest first,
-- "pending", "held": numbers, "moved": the newest move of a buyer, once there is one: the dashboard reads its list again where
-- this is another}. Held and low offers are not among the others, so that a flood of them hides none. The minute is an
-- overlap, for offers whose transaction ended late.
create function public.new_offers(since timestamptz) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_strip_nulls(jsonb_build_object('moved', (
    select max(m.id) from private.offer_moves m where m.side = 'buyer'
  ))) || jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.created_at desc, o.id desc), '[]') from (
        select * from private.regular_offers n
        where n.created_at > since - interval '1 minute'
        order by n.created_at desc, n.id desc limit 100
      ) as o
    ),
    'pending', (select count(*) from private.regular_offers o where o.status = 'pending'),
    'held', (select count(*) from public.offers o where o.held)
  );
end;
$$;
grant execute on function public.new_offers(timestamptz) to authenticated;

-- Returns [{"old_status", "new_status", "changed_at", "changed_by_email"}], oldest first. The email is null where the
-- change did not come through the data API or the user is deleted.
create function public.offer_history(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'old_status', c.old_status, 'new_status', c.new_status, 'changed_at', c.changed_at,
      'changed_by_email', u.email
    ) order by c.id), '[]')
    from private.offer_status_changes c
    left join auth.users u on u.id = c.changed_by
    where c.offer_id = offer_history.offer_id
  );
end;
$$;
grant execute on function public.offer_history(uuid) to authenticated;

-- Returns {"message": text, null for an offer without one, "confirmation_rejected": what the mail server said when it
-- rejected the customer's address for good, or null}.
create function public.offer_message(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object('message', (
    select t.message from private.offer_messages t where t.offer_id = offer_message.offer_id
  ), 'confirmation_rejected', (
    select m.reason from private.messages m
    where m.offer_id = offer_message.offer_id and m.address_rejected and m.failed_at is not null
  ));
end;
$$;
grant execute on function public.offer_message(uuid) to authenticated;

-- What a message begins with before it says anything, as a regular expression: `Hello Ada,`, `Dear Mr. Smith:`, `Guten Tag!`,
-- alone in its line or not, in English, German and what other buyers often write.
create function private.salutation() returns text
language sql immutable set search_path = ''
as $$
  select '^\s*(?:hi|hello|hey|dear|good (?:day|morning|afternoon|evening)|greetings|to whom it may concern'
    || '|hallo|guten (?:tag|morgen|abend)|sehr geehrte[rs]?|liebe[rs]?|moin|servus|grüezi|grüß gott'
    || '|bonjour|salut|hola|buenos d[ií]as|ciao|buongiorno|ol[aá])\M'
    -- A name of a few words without a figure, which may be an amount, then a mark before white space, or the end of the line.
    || '(?![ \t]+(?:i|we|my|our|is|are|ich|wir|meine?|unsere?|ist)\M)'
    || '(?:[ \t]+(?:(?:mr|mrs|ms|dr|prof)\.|[^\s\d,.!:;?]+)){0,4}[ \t]*(?:[,.!:;–-]+\s|[\n\r])\s*(?=\S)';
$$;

-- Returns {offer id: text} of each of at most 1,000 offers that has a message: its first line that is not blank, without a
-- salutation before other text, at most 200 characters.
create function public.message_lines(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(
      m.offer_id,
      left(substring(regexp_replace(m.message, private.salutation(), '', 'i') from '\S[^\n\r]*'), 200)
    ), '{}')
    from private.offer_messages m where m.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.message_lines(uuid[]) to authenticated;

-- Returns {offer id: {"kind", "at", "valid_until"?: of the last move, "amount"?: the one that was named last in a move}} of each
-- of at most 1,000 offers that has moves.
create function public.standings(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(s.offer_id, jsonb_strip_nulls(jsonb_build_object(
      'kind', s.kind, 'at', s.created_at, 'valid_until', s.valid_until, 'amount', s.amount
    ))), '{}')
    from private.standings s where s.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.standings(uuid[]) to authenticated;

-- {"name", "price", "state"} of each of at most 1,000 names that is in the catalogue.
create function public.asking_prices(names text[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('name', l.name, 'state', l.state, 'price', l.price)), '[]')
    from private.listings l where l.name = any (names[1:1000])
  );
end;
$$;
grant execute on function public.asking_prices(text[]) to authenticated;

-- How messages stand, without any target. `queued`, and `oldest_queued_at` of the oldest of them, leave out what is paused and
-- what waits for the time of its digest. `last_failure` is that of a message that is
-- tried again; `failures` are the 20 latest deliveries that are not, as [{"id" (of its first message), "kind", "domain" (of
-- one of its offers), "offers" (how many), "reason", "at", "target_kind"}], and `failed` counts all such messages.
-- `rejected_confirmations` are the offers of the 100 latest confirmations whose address was rejected for good.
create function public.message_status() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  state private.message_state;
  after timestamptz;
begin
  perform private.require_admin();
  select s.* into state from private.message_state s;
  after := coalesce(state.paused_before, '-infinity');
  return jsonb_build_object('mail', state.mail, 'webhooks', state.webhooks,
    'sent', state.sent, 'last_sent_at', state.last_sent_at) || (
      select jsonb_build_object(
        'queued', count(*) filter (where m.created_at >= after and (m.attempts > 0 or m.due_at <= now())),
        'paused', count(*) filter (where m.created_at < after),
        'oldest_queued_at', min(m.created_at)
          filter (where m.created_at >= after and (m.attempts > 0 or m.due_at <= now())))
      from private.messages m where m.sent_at is null and m.failed_at is null
    ) || (
      select jsonb_build_object('failed', count(*)) from private.messages m
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is not null
    ) || jsonb_build_object('last_failure', (
      select jsonb_build_object(
        'reason', m.reason, 'at', m.reason_at,
        'target_kind', case when m.target like 'mailto:%' then 'mail' else 'webhook' end,
        'retry_at', m.due_at)
      from private.messages m
      where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
        and m.failed_at is null
      order by m.reason_at desc limit 1
    ), 'failures', (
      select coalesce(jsonb_agg(to_jsonb(f) order by f.at desc, f.id desc), '[]') from (
        select min(m.id) as id, min(m.kind) as kind, min(o.domain_name) as domain, count(*) as offers,
          min(m.reason) as reason, max(m.reason_at) as at,
          case when min(m.target) like 'mailto:%' then 'mail' else 'webhook' end as target_kind
        from private.messages m join public.offers o on o.id = m.offer_id
        where m.sent_at is null and m.reason_at is not null and m.dismissed_at is null and not m.address_rejected
          and m.failed_at is not null
        group by coalesce(m.batch::text, m.id::text)
        order by at desc, id desc limit 20
      ) as f
    ), 'rejected_confirmations', (
      select coalesce(jsonb_agg(r.offer_id), '[]') from (
        select m.offer_id from private.messages m
        where m.address_rejected and m.failed_at is not null
        order by m.failed_at desc limit 100
      ) as r
    ));
end;
$$;
grant execute on function public.message_status() to authenticated;

-- Makes queued and failed messages due now, for three more days, and returns how many. Leaves out deliveries under way,
-- digests that wait for their time, and what is paused, was dismissed, or whose address was rejected. Without their old
-- reasons, which nothing reports as failed until the next try has.
create function public.retry_messages() returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  retried integer;
begin
  perform private.require_admin();
  update private.messages m
  set due_at = now(), failed_at = null, give_up_at = now() + interval '3 days', reason = null, reason_at = null
  where m.sent_at is null and m.dismissed_at is null and not m.address_rejected
    and (m.leased_until is null or m.leased_until <= now())
    and (m.attempts > 0 or m.due_at <= now())
    and m.created_at >= (select coalesce(s.paused_before, '-infinity') from private.message_state s);
  get diagnostics retried = row_count;
  return retried;
end;
$$;
grant execute on function public.retry_messages() to authenticated;

-- Takes a failed delivery, named by one of its messages, from the report, and returns the number of its messages.
create function public.dismiss_message(id bigint) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  dismissed integer;
begin
  perform private.require_admin();
  update private.messages m set dismissed_at = now()
  where (m.id = dismiss_message.id
      or m.batch = (select b.batch from private.messages b where b.id = dismiss_message.id))
    and m.failed_at is not null and m.sent_at is null and m.dismissed_at is null;
  get diagnostics dismissed = row_count;
  return dismissed;
end;
$$;
grant execute on function public.dismiss_message(bigint) to authenticated;

-- Calls of the owner's commands (npm run erase, purge, export, transfer, doctor, deploy:backend) and of the scheduler, for
-- service_role alone, and remove_offer for administrators. They open nothing that the secret key did not open before: with it,
-- GoTrue's admin API sets the password of any administrator.
-- Erasure: a row of private.erasures holds the time of one erasure and the number of its offers, a row of
-- private.erased_offers the id of one erased offer, so that `npm run transfer` neither brings it back to a hosted project nor
-- leaves it there: ids are random and name no person. What refers to the offers is deleted with them; the history of statuses
-- stays, because it holds no personal data. Written by erase_customer, remove_offer, purge_offers and receive_rows; read by the
-- calls of npm run transfer. The tables are closed.

create table private.erasures (
  id bigint generated always as identity primary key,
  offers integer not null,
  erased_at timestamptz not null default now()
);
alter table private.erasures enable row level security;

create table private.erased_offers (offer_id uuid primary key);
alter table private.erased_offers enable row level security;

-- Deletes the offers, stores their ids, and returns how many there were.
create function private.erase_offers(ids uuid[]) returns integer
language plpgsql set search_path = ''
as $$
declare
  erased integer;
begin
  insert into private.erased_offers select unnest(ids) on conflict do nothing;
  perform set_config('private.erasing', 'yes', true);
  delete from public.offers o where o.id = any(ids);
  get diagnostics erased = row_count;
  perform set_config('private.erasing', '', true);
  return erased;
end;
$$;

-- Deletes the offers of an email, in any letter case, and any other confirmation to it; returns the number of offers.
create function public.erase_customer(email text) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  erased constant integer := private.erase_offers(
    array(select o.id from public.offers o where lower(o.customer_email) = lower(email))
  );
begin
  delete from private.messages m where m.kind = 'confirmation' and m.target = 'mailto:' || lower(email);
  if erased > 0 then
    insert into private.erasures (offers) values (erased);
  end if;
  return erased;
end;
$$;
grant execute on function public.erase_customer(text) to service_role;

-- Deletes one offer, such as one of a program, with what goes with it, and returns whether it was there. Nothing about the
-- customer is noted: backups made earlier still hold the offer, and a restored one brings it back.
create function public.remove_offer(offer_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  removed integer;
begin
  perform private.require_admin();
  removed := private.erase_offers(array(select o.id from public.offers o where o.id = remove_offer.offer_id));
  if removed > 0 then
    insert into private.erasures (offers) values (removed);
  end if;
  return removed > 0;
end;
$$;
grant execute on function public.remove_offer(uuid) to authenticated;

-- Counts the rejected offers, and with `accepted` the accepted ones, that came before that time and whose status has not
-- changed since; with `purge` deletes them with what belongs to them, their history too. Erased offers are stored by id alone
-- (private.erase_offers), so that npm run transfer does not bring them back.
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

-- Everything stored about an email, in any letter case: {"offers": each with its message, its language, its moves and the
-- changes of its status, oldest first, "mails": those queued for or sent to the email}. Without the administrators, the owner's
-- own targets, and hashes, which say nothing about a person.
create function public.read_customer(email text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
          'message', (select t.message from private.offer_messages t where t.offer_id = o.id),
          'language', private.offer_language(o.id),
          'moves', private.stored_moves(o.id, 'buyer')
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
      from private.messages m where m.kind in ('confirmation', 'reply') and m.target = 'mailto:' || lower(email)
    )
  );
$$;
grant execute on function public.read_customer(text) to service_role;

-- Returns {"offers": […], "has_messages"}: offers that are older than a given one, newest first, each with its message and
-- its moves if it has any, "current_amount" (the offer's, or that of the last move that named one), "agreed_amount" if the last
-- move is an acceptance, and "low" if it is low, and whether any offer has a message.
create function public.export_offers(
  page_size integer, before_created_at timestamptz default null, before_id uuid default null
) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'has_messages', exists (select from private.offer_messages),
    'offers', (
      select coalesce(jsonb_agg(page.line order by page.created_at desc, page.id desc), '[]') from (
        select o.created_at, o.id,
          jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
            'message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'low', nullif(o.low, false),
            'current_amount', coalesce(s.amount, o.offer_amount),
            'agreed_amount', case when s.kind = 'accept' then s.amount end
          )) as line
        from public.offers o
        left join private.offer_messages m on m.offer_id = o.id
        left join private.standings s on s.offer_id = o.id
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

-- Counts the offers that are no newer than a given one, or all.
create function public.count_offers(newest_created_at timestamptz default null, newest_id uuid default null)
returns bigint
language sql stable security definer set search_path = ''
as $$
  select count(*) from public.offers o
  where newest_id is null or (o.created_at, o.id) <= (newest_created_at, newest_id);
$$;
grant execute on function public.count_offers(timestamptz, uuid) to service_role;

-- The offers that are still new after some hours, without those that are held or low: {"count", "oldest"}, null where there is
-- none.
create function public.read_unanswered(hours integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('count', count(*), 'oldest', min(o.created_at)) from private.regular_offers o
  where o.status = 'pending' and o.created_at < now() - hours * interval '1 hour';
$$;
grant execute on function public.read_unanswered(integer) to service_role;

-- The table of a kind of rows that npm run transfer takes to another database of this product, and its key.
create function private.moved_table(kind text, out name text, out key text)
language plpgsql stable set search_path = ''
as $$
begin
  key := case
    when kind in ('erased_offers', 'offer_messages') then 'offer_id'
    when kind in ('idempotency_keys', 'offer_links') then 'token_hash'
    when kind in ('offers', 'offer_status_changes', 'erasures', 'messages', 'offer_moves') then 'id' end;
  if key is null then
    raise exception 'There are no rows of the kind %.', kind using errcode = '22023';
  end if;
  name := case kind when 'offers' then 'public.offers' else format('private.%I', kind) end;
end;
$$;

-- Rows of a kind in the order of their key: {"rows": at most 500 after the key `after`, "next": the key of the last one,
-- null at the end, "total": rows of the table}.
create function public.read_rows(kind text, after text default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  source constant record := private.moved_table(kind);
  result jsonb;
begin
  -- The table and its key are parameters.
  execute format(
    $sql$
    with page as (
      select t.%2$I as key, to_jsonb(t) as line from %1$s t
      where $1 is null or t.%2$I > (jsonb_populate_record(null::%1$s, jsonb_build_object(%2$L, $1))).%2$I
      order by t.%2$I limit 500
    )
    select jsonb_build_object(
      'rows', coalesce(jsonb_agg(line order by key), '[]'),
      'next', case when count(*) = 500 then (array_agg(key::text order by key desc))[1] end,
      'total', (select count(*) from %1$s)
    ) from page
    $sql$,
    source.name, source.key
  ) into result using after;
  return result;
end;
$$;
grant execute on function public.read_rows(text, text) to service_role;

-- Inserts rows that read_rows returned in another database; rows that are there stay as they are, and rows of erased offers
-- are left out. Kinds: erased_offers (erases offers that an earlier run transferred) and offers first, because rows of the others
-- refer to them, then offer_messages, idempotency_keys, offer_status_changes, erasures, messages, offer_moves, offer_links. Ids
-- are kept, but for numbered rows, whose numbers may be in use here: those are found by their content. Messages, whose state
-- changes once they are here, are found by what is unique of them. Rows of a database that has no column `low` or
-- `move_number` yet get its default.
-- Returns {"present": how many of the rows are here with the same content, "erased": how many were left out, "total": rows
-- of the table}.
create function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links') then 'offer_id' end;
  -- Columns that rows of an earlier version lack, with their values.
  missing constant jsonb := case kind
    when 'offers' then '{"low": false}' when 'messages' then '{"move_number": 0}' else '{}' end;
  received jsonb := rows;
  columns text;
  is_same text;
  present bigint;
  total bigint;
begin
  -- The call of a run that was killed may still be at work: rows without a unique key would be inserted twice.
  perform pg_advisory_xact_lock(hashtextextended('receive_rows', 0));
  if offer_column is not null then
    select coalesce(jsonb_agg(missing || r.value order by r.ordinality), '[]') into received
    from jsonb_array_elements(rows) with ordinality as r
    where not exists (select from private.erased_offers e where e.offer_id = (r.value ->> offer_column)::uuid);
  end if;
  if kind = 'erased_offers' then
    perform private.erase_offers(array(select (r ->> 'offer_id')::uuid from jsonb_array_elements(rows) as r));
  end if;
  select string_agg(quote_ident(a.attname), ', '),
    -- An index serves only "=".
    string_agg(format('t.%1$I ' || case when a.attnotnull then '=' else 'is not distinct from' end || ' r.%1$I', a.attname),
      ' and ') filter (where kind <> 'messages' or a.attname in ('offer_id', 'kind', 'target', 'move_number'))
  into columns, is_same
  from pg_attribute a
  where a.attrelid = target.name::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = '';
  -- The table and its columns are parameters.
  execute format(
    $sql$
    insert into %1$s (%2$s) select %2$s from jsonb_populate_recordset(null::%1$s, $1) as r
    where not exists (select from %1$s t where %3$s) order by r.%4$I on conflict do nothing
    $sql$,
    target.name, columns, is_same, target.key
  ) using received;
  execute format(
    $sql$
    select count(*) filter (where exists (select from %1$s t where %2$s)), (select count(*) from %1$s)
    from jsonb_populate_recordset(null::%1$s, $1) as r
    $sql$,
    target.name, is_same
  ) into present, total using received;
  return jsonb_build_object(
    'present', present, 'erased', jsonb_array_length(rows) - jsonb_array_length(received), 'total', total
  );
end;
$$;
grant execute on function public.receive_rows(text, jsonb) to service_role;

-- Deletes rate limits whose window is over, sessions that have ended, and messages 30 days after they were sent. Messages of
-- pending offers stay: without them, the alarm and the confirmation would be queued again. The embedded backend calls it at
-- start and every hour. On a hosted project call it from pg_cron, or not at all: expired rows have no effect.
create function public.remove_expired() returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Skips rows that a running transaction has locked, so that neither waits for the other.
  delete from private.rate_limits where (bucket, key_hash, window_start) in (
    select bucket, key_hash, window_start from private.rate_limits
    where window_end < now() for update skip locked
  );
  delete from private.admin_sessions s
  where s.ends_at <= now()
    or s.refreshed_at + make_interval(mins => s.idle_minutes) <= now()
    or not private.has_auth_session(s.session_id, s.user_id);
  delete from private.messages m using public.offers o
  where o.id = m.offer_id and o.status <> 'pending' and m.sent_at < now() - interval '30 days';
end;
$$;
grant execute on function public.remove_expired() to service_role;

-- What the roles of the data API may do, and what guards the rows, as sorted lines of text. `npm run deploy:backend --
-- --check` compares it with commands/hosted/outside-check/expected-access.ts, because from outside a table without row level security
-- looks like an empty one.
create function public.read_access() returns jsonb
language sql stable security definer set search_path = ''
as $$
  with tables as (
    select c.oid, c.relname, c.relrowsecurity, c.relacl, regexp_replace(c.oid::regclass::text, '^public\.', '') as name
    from pg_class c where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), functions as (
    select regexp_replace(p.oid::regproc::text, '^public\.', '') as name,
      coalesce(p.proacl, acldefault('f', p.proowner)) as acl
    from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
  ), rights as (
    select a.grantee, a.privilege_type as privilege, t.name from tables t, aclexplode(t.relacl) a
    union all
    select a.grantee, a.privilege_type, format('%s(%s)', t.name, c.attname)
    from tables t join pg_attribute c on c.attrelid = t.oid, aclexplode(c.attacl) a
    union all
    select a.grantee, a.privilege_type, f.name from functions f, aclexplode(f.acl) a
    union all
    select a.grantee, a.privilege_type, n.nspname from pg_namespace n, aclexplode(n.nspacl) a
    where n.nspname = 'private'
  ), named as (
    select case r.grantee when 0 then 'public' else r.grantee::regrole::text end as role, r.privilege, r.name from rights r
  ), lines as (
    select format('%s: %s on %s', role, privilege, name) as line from named
    where role in ('public', 'anon', 'authenticated', 'service_role')
    union all
    select format('row level security on %s', name) from tables where relrowsecurity
    union all
    select format('policy on %s for %s to %s using %s', p.tablename, p.cmd, array_to_string(p.roles, ', '),
      concat_ws(' with check ', p.qual, p.with_check))
    from pg_policies p where p.schemaname in ('public', 'private')
    union all
    select format('trigger %s on %s', g.tgname, t.name) from pg_trigger g join tables t on t.oid = g.tgrelid
    where not g.tgisinternal and g.tgenabled in ('O', 'A')
  )
  select coalesce(jsonb_agg(line order by line collate "C"), '[]') from lines;
$$;
grant execute on function public.read_access() to service_role;
