-- The schema with which the migrations begin. Read it in supabase/schemas, which has comments and what came since.
-- supabase/take-over.sql takes over databases that the migrations before it made.

alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;

create schema private;
grant usage on schema private to authenticated;

create table private.admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
alter table private.admins enable row level security;

create table private.admin_sessions (
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
  sealed text not null,
  key_id text not null,
  last_step bigint not null,
  recovery_hashes text[] not null,
  wrong_at timestamptz[] not null default '{}',
  used_hashes text[] not null default '{}'
);
alter table private.admin_factors enable row level security;

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

create function private.require_admin() returns void
language plpgsql stable set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
end;
$$;

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
      set last_step = coalesce(step, f.last_step), recovery_hashes = array_remove(f.recovery_hashes, recovery), used_hashes = array_remove(f.used_hashes || recovery, null)
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

create function public.end_admin_sessions(user_id uuid) returns void
language sql security definer set search_path = ''
as $$
  delete from private.admin_sessions s where s.user_id = end_admin_sessions.user_id;
  update private.admin_factors f set wrong_at = '{}' where f.user_id = end_admin_sessions.user_id;
$$;
grant execute on function public.end_admin_sessions(uuid) to service_role;

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

create function public.read_administrators() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('user_id', a.user_id, 'email', u.email, 'since', a.created_at,
    'has_factor', exists (select from private.admin_factors f where f.user_id = a.user_id))
    order by a.created_at, a.user_id), '[]')
  from private.admins a join auth.users u on u.id = a.user_id;
$$;
grant execute on function public.read_administrators() to service_role;

create function public.grant_administrator(user_id uuid) returns void
language sql security definer set search_path = ''
as $$ insert into private.admins (user_id) values (user_id) on conflict do nothing; $$;
grant execute on function public.grant_administrator(uuid) to service_role;

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

create table public.offers (
  id uuid primary key default gen_random_uuid(),
  domain_name text not null check (char_length(domain_name) between 1 and 253),
  offer_amount text not null check (char_length(offer_amount) between 1 and 500),
  customer_name text not null check (char_length(customer_name) between 1 and 200),
  customer_email text not null check (char_length(customer_email) between 3 and 254),
  created_at timestamptz not null default now(),
  status text not null default 'pending' check (status in ('pending', 'accepted', 'rejected', 'negotiating')),
  held boolean not null default false,
  low boolean not null default false
);
create index offers_newest_first on public.offers (created_at desc, id desc);
create index offers_held on public.offers (created_at desc, id desc) where held;
create index offers_low on public.offers (created_at desc, id desc) where low and not held;
create index offers_by_customer on public.offers (lower(customer_email));
create index offers_by_status on public.offers (status, held, low, created_at desc, id desc);
create index offers_by_domain on public.offers (domain_name, held, created_at desc, id desc);

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create index offers_by_text on public.offers using gin (
  lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) extensions.gin_trgm_ops
)
with (gin_pending_list_limit = 512);

alter table public.offers enable row level security;
grant select on table public.offers to authenticated;
grant update (status) on table public.offers to authenticated;
grant select on table public.offers to service_role;

create policy "administrators read every offer" on public.offers
  for select to authenticated using ((select private.is_admin()));
create policy "administrators change the status of any offer" on public.offers
  for update to authenticated using ((select private.is_admin())) with check ((select private.is_admin()));

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
alter table private.offer_messages enable row level security;

create table private.offer_status_changes (
  id bigint generated always as identity primary key,
  offer_id uuid not null,
  old_status text not null,
  new_status text not null,
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

create table private.listings (
  name text primary key check (length(name) between 1 and 253),
  state text not null default 'for_sale' check (state in ('for_sale', 'sold', 'reserved')),
  price text,
  minimum numeric check (minimum > 0),
  minimum_currency text,
  constraint minimum_has_currency check ((minimum is null) = (minimum_currency is null))
);
alter table private.listings enable row level security;

create table private.published_catalogue (
  only_row boolean primary key default true check (only_row),
  version bigint not null,
  hosts text[] not null,
  language text not null,
  build text,
  built_at timestamptz,
  settings jsonb not null default '{}'
    check ((settings ->> 'replyWithin') ~ '^[1-9][0-9]{0,2} (hour|day)s?$')
);
alter table private.published_catalogue enable row level security;

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

create function private.reply_within() returns interval
language sql stable set search_path = ''
as $$
  select coalesce(
    (select (c.settings ->> 'replyWithin')::interval from private.published_catalogue c), interval '24 hours'
  );
$$;

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

create function private.window_start(seconds integer, at timestamptz default now()) returns timestamptz
language sql stable set search_path = ''
as $$ select to_timestamp(floor(extract(epoch from at) / seconds) * seconds); $$;

create function private.seconds_until_free(limits jsonb) returns integer
language sql stable set search_path = ''
as $$
  select coalesce(max(greatest(1, ceil(extract(epoch from r.window_end - now()))::integer)), 0)
  from jsonb_to_recordset(limits) as l (bucket text, key text, max integer, "window" integer)
  join private.rate_limits r
    on r.bucket = l.bucket and r.key_hash = l.key and r.window_start = private.window_start(l."window")
  where r.hits >= l.max;
$$;

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

create function private.count_hits_unless_full(limits jsonb) returns integer
language plpgsql set search_path = ''
as $$
declare
  wait constant integer := private.seconds_until_free(limits);
begin
  return case when wait > 0 then wait else private.count_hits(limits) end;
end;
$$;

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

create function public.begin_sign_in(limits jsonb) returns jsonb
language sql security definer set search_path = ''
as $$ select jsonb_build_object('wait', private.count_hits_unless_full(limits), 'counted_at', now()); $$;
grant execute on function public.begin_sign_in(jsonb) to service_role;

create table private.idempotency_keys (
  token_hash text primary key,
  payload_hash text not null,
  offer_id uuid not null references public.offers (id) on delete cascade deferrable initially deferred,
  created_at timestamptz not null default now(),
  language text check (char_length(language) <= 40)
);
create index idempotency_keys_by_offer on private.idempotency_keys (offer_id);
alter table private.idempotency_keys enable row level security;

create function private.low_mark(low boolean) returns jsonb
language sql immutable set search_path = ''
as $$ select case when low then jsonb_build_object('low', true) else '{}' end; $$;

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
  held_limits jsonb;
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

  held := private.count_hits(limits -> 'sender_and_domain') > 0;
  if not held then
    held := private.count_hits(limits -> 'shared') > 0;
  end if;
  if held then
    held_limits := limits -> 'held';
    -- Not the first of this network for this domain.
    if private.count_hits(limits -> 'held_first') > 0 then
      held_limits := held_limits || (limits -> 'held_again');
    end if;
    wait := private.count_hits(held_limits);
    if wait > 0 then
      perform public.release_hits(held_limits);
      perform public.release_hits(limits -> 'held_first');
      delete from private.idempotency_keys k where k.offer_id = new_id;
      return jsonb_build_object('outcome', 'limited', 'wait', wait, 'sender', false);
    end if;
  end if;
  perform public.release_hits(checks);

  -- False where there is no minimum, or the amount could not be read, or is in another currency.
  low := (offer #>> '{price,currency}' = listed.minimum_currency
    and (offer #>> '{price,amount}')::numeric < listed.minimum) is true;

  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, held, low)
  values (new_id, offer ->> 'domain_name', offer ->> 'offer_amount',
          offer ->> 'customer_name', offer ->> 'customer_email', held, low);
  if offer ->> 'message' is not null then
    insert into private.offer_messages (offer_id, message) values (new_id, offer ->> 'message');
  end if;
  if jsonb_array_length(messages) > 0 then
    perform private.queue_messages(new_id, held, messages);
    if low and not held then
      update private.messages m
      set kind = 'low', digest = true, due_at = date_bin('1 day', now(), 'epoch') + interval '1 day'
      where m.offer_id = new_id and m.kind = 'offer';
    end if;
  end if;
  return jsonb_build_object('outcome', 'stored', 'id', new_id) || private.low_mark(low);
end;
$$;
grant execute on function public.submit_offer(jsonb, text, text, jsonb, jsonb, boolean, jsonb) to service_role;

create table private.offer_moves (
  id bigint generated always as identity primary key,
  offer_id uuid not null references public.offers (id) on delete cascade,
  number integer not null check (number > 1),
  side text not null check (side in ('owner', 'buyer')),
  kind text not null check (kind in ('counter', 'offer', 'accept', 'decline', 'withdraw', 'take_back', 'close')),
  amount text check (char_length(amount) between 1 and 500),
  note text check (char_length(note) between 1 and 1000),
  valid_until timestamptz,
  created_at timestamptz not null default now(),
  changed_by uuid,
  unique (offer_id, number)
);
create index offer_moves_by_end on private.offer_moves (valid_until) where valid_until is not null;
create index offer_moves_accepted on private.offer_moves (created_at) where kind = 'accept';
alter table private.offer_moves enable row level security;
create trigger moves_are_not_changed before update or delete on private.offer_moves
  for each row execute function private.reject_removal();

create table private.offer_links (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  offer_id uuid not null references public.offers (id) on delete cascade,
  number integer not null check (number > 0),
  created_at timestamptz not null default now(),
  nonce text check (nonce ~ '^[0-9a-f]{32}$'),
  unique (offer_id, number)
);
alter table private.offer_links enable row level security;

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
    'language', (select k.language from private.idempotency_keys k where k.offer_id = offer.id limit 1),
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

create function private.lock_moves(name text) returns void
language sql set search_path = ''
as $$ select pg_advisory_xact_lock(hashtextextended('private.offer_moves ' || name, 0)); $$;

create function private.make_move(
  offer_id uuid, side text, move jsonb, mail boolean, targets text[], mail_limits jsonb
) returns text
language plpgsql set search_path = ''
as $$
declare
  name constant text := (select o.domain_name from public.offers o where o.id = make_move.offer_id);
  kind constant text := move ->> 'kind';
  seen constant integer := (move ->> 'seen')::integer;
  named constant text := case when kind in ('counter', 'offer') then move ->> 'amount' end;
  offer public.offers;
  next private.offer_moves;
  state jsonb;
  listed text;
begin
  -- Before any row: a second move waits here, and then sees what the first one did.
  perform private.lock_moves(name);
  select o.* into offer from public.offers o where o.id = make_move.offer_id for update;
  select m.* into next from private.offer_moves m where m.offer_id = offer.id and m.number = seen + 1;
  if next.id is not null then
    return case when next.side = make_move.side and next.kind = kind
        and (named is null or next.amount = named) and next.note is not distinct from move ->> 'note'
        and (kind <> 'counter'
          or next.valid_until = next.created_at + make_interval(days => coalesce((move ->> 'days')::integer, 7))) then 'repeated' else 'moved' end;
  end if;
  state := private.negotiation(offer.id, side);
  if state is null or seen is distinct from (state ->> 'seen')::integer then
    return 'moved';
  end if;
  if not state -> 'can' ? kind then
    return case when side = 'buyer' and kind = 'accept' and state ->> 'status' = 'open'
      and state #>> '{moves,-1,kind}' = 'counter' then 'ended' else 'not_possible' end;
  end if;
  if named is null and kind in ('counter', 'offer') then
    return 'not_possible';
  end if;
  if (select count(*) from private.offer_moves m where m.offer_id = offer.id and m.side = make_move.side) >= 10 then
    return 'too_many';
  end if;
  if kind = 'accept' and exists (
    select from public.offers o where o.domain_name = name and o.status = 'accepted' and o.id <> offer.id
  ) then
    return 'taken';
  end if;
  -- Waits for a publication that changes the name, and makes it wait.
  select l.state into listed from private.listings l where l.name = offer.domain_name for share;
  if (side = 'buyer' or kind in ('counter', 'accept')) and listed is distinct from 'for_sale'
    and exists (select from private.published_catalogue) then
    return 'not_possible';
  end if;
  if mail and private.count_hits_unless_full(mail_limits) > 0 then
    return 'mails_full';
  end if;

  insert into private.offer_moves (offer_id, number, side, kind, amount, note, valid_until, changed_by)
  values (
    offer.id, seen + 1, side, kind,
    case kind when 'accept' then (
      select m ->> 'amount' from jsonb_array_elements(state -> 'moves') as m
      where m ->> 'kind' in ('counter', 'offer') order by (m ->> 'number')::integer desc limit 1
    ) else named end,
    move ->> 'note',
    case when kind = 'counter' then now() + make_interval(days => coalesce((move ->> 'days')::integer, 7)) end,
    case when side = 'owner' then (select auth.uid()) end
  );
  perform set_config('private.moving', 'yes', true);
  update public.offers o
  set status = case
    when kind = 'accept' then 'accepted' when kind in ('decline', 'withdraw') then 'rejected' else 'negotiating' end
  where o.id = offer.id;
  perform set_config('private.moving', '', true);
  insert into private.messages (kind, offer_id, target, locale, move_number)
  select case when side = 'owner' then 'reply' else 'move' end, offer.id, t.target,
    (select k.language from private.idempotency_keys k where k.offer_id = offer.id limit 1), seen + 1
  from unnest(case when side = 'buyer' then targets when mail then array['mailto:' || lower(offer.customer_email)] end)
    as t (target);
  return 'made';
end;
$$;

create function private.newest_link(offer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object('number', l.number, 'hash', l.token_hash, 'nonce', l.nonce))
  from private.offer_links l
  where l.offer_id = newest_link.offer_id order by l.number desc limit 1;
$$;

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

create function public.negotiate_as_buyer(
  token_hash text, limits jsonb, move jsonb default null, targets text[] default '{}'
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
    outcome := private.make_move(link.offer_id, 'buyer', move, false, targets, '[]');
  end if;
  -- Checked again: make_move may have waited for a publication, or for an erasure.
  if not private.is_link_good(link) then
    return '{"outcome": "invalid"}';
  end if;
  return jsonb_build_object('outcome', outcome, 'state', private.negotiation(link.offer_id, 'buyer'));
end;
$$;
grant execute on function public.negotiate_as_buyer(text, jsonb, jsonb, text[]) to service_role;

create function public.read_link_hashes() returns jsonb
language sql stable security definer set search_path = ''
as $$ select coalesce(jsonb_agg(left(l.token_hash, 8)), '[]') from private.offer_links l; $$;
grant execute on function public.read_link_hashes() to service_role;

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

create table private.messages (
  id bigint generated always as identity primary key,
  kind text not null,
  offer_id uuid not null references public.offers (id) on delete cascade,
  target text not null,
  locale text,
  digest boolean not null default false,
  batch uuid,
  due_at timestamptz not null default now(),
  attempts integer not null default 0,
  leased_until timestamptz,
  give_up_at timestamptz not null default now() + interval '3 days',
  reason text check (char_length(reason) <= 300),
  reason_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  failed_at timestamptz,
  address_rejected boolean not null default false,
  dismissed_at timestamptz,
  move_number integer not null default 0,
  constraint messages_kind_check
    check (kind in ('offer', 'low', 'confirmation', 'overdue', 'reply', 'move', 'expired', 'silent')),
  constraint messages_once unique (offer_id, kind, target, move_number)
);
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
  mail integer not null default 0,
  webhooks integer not null default 0,
  paused_before timestamptz,
  sent bigint not null default 0,
  last_sent_at timestamptz
);
insert into private.message_state default values;
alter table private.message_state enable row level security;

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
          select n.id from public.offers n
          where n.status = 'pending' and not n.held and not n.low and n.created_at < urgent_before
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

create function private.retry_delay(attempts integer) returns interval
language sql immutable set search_path = ''
as $$ select least(interval '10 seconds' * 2 ^ least(attempts - 1, 20), interval '6 hours'); $$;

create function private.give_up(ids bigint[]) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set failed_at = now(), leased_until = null, reason = coalesce(m.reason, 'The delivery did not end.'),
    reason_at = coalesce(m.reason_at, now())
  where m.id = any(ids) and m.attempts > 0 and m.give_up_at <= now();
$$;

create function private.lease(ids bigint[], batch uuid, lease_seconds integer) returns void
language sql set search_path = ''
as $$
  update private.messages m
  set attempts = m.attempts + 1, batch = lease.batch,
    leased_until = now() + make_interval(secs => lease_seconds),
    due_at = now() + greatest(make_interval(secs => lease_seconds), private.retry_delay(m.attempts + 1))
  where m.id = any(ids) and m.failed_at is null;
$$;

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

create function private.describe_delivery(ids bigint[]) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'ids', to_jsonb(ids), 'kind', m.kind, 'target', m.target, 'locale', m.locale, 'batch', m.batch,
    'attempts', m.attempts, 'offers', (
      select jsonb_agg(jsonb_strip_nulls(to_jsonb(named)) order by named.created_at, named.id) from (
        select o.id, o.domain_name, o.offer_amount, o.customer_name, o.customer_email, o.created_at, o.held, case when m.kind = 'confirmation' and o.low then true end as low, t.message,
          l.price as asking_price,
          (select k.language from private.idempotency_keys k where k.offer_id = o.id limit 1) as language,
          (
            select v.move from jsonb_array_elements(private.stored_moves(o.id, 'buyer')) as v (move)
            where v.move ->> 'number' = m.move_number::text
          ) as move,
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

create function public.make_messages_due() returns void
language sql security definer set search_path = ''
as $$
  update private.messages m
  set due_at = now(), leased_until = null, give_up_at = greatest(m.give_up_at, now() + interval '10 minutes')
  where m.sent_at is null and m.failed_at is null and m.attempts > 0;
$$;
grant execute on function public.make_messages_due() to service_role;

create function public.report_delivery(mail integer, webhooks integer) returns void
language sql security definer set search_path = ''
as $$
  update private.message_state s set mail = report_delivery.mail, webhooks = report_delivery.webhooks
  where (s.mail, s.webhooks) is distinct from (report_delivery.mail, report_delivery.webhooks);
$$;
grant execute on function public.report_delivery(integer, integer) to service_role;

create function public.pause_messages() returns void
language sql security definer set search_path = ''
as $$ update private.message_state set paused_before = now(); $$;

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

create function private.offer_condition(filter jsonb) returns text
language plpgsql stable set search_path = ''
as $$
declare
  term text := lower(trim(filter ->> 'term'));
  condition text := case when (filter ->> 'held')::boolean then 'held' when (filter ->> 'low')::boolean then 'low and not held' else 'not held and not low' end;
begin
  if char_length(term) < 3 then
    raise exception 'Type at least three characters to search for.' using errcode = '22023';
  end if;
  if term is not null then
    condition := condition || format(
      $sql$ and lower(domain_name || ' ' || offer_amount || ' ' || customer_name || ' ' || customer_email) like %L$sql$,
      '%' || regexp_replace(term, '([\\%_])', '\\\1', 'g') || '%'
    );
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
  return condition;
end;
$$;

create function private.offer_order(filter jsonb) returns text
language sql immutable set search_path = ''
as $$
  select case when filter ->> 'sort' = 'urgent'
    then $sql$case when status = 'pending' then (timestamp '3000-01-01' + (timestamp '3000-01-01' - (created_at at time zone 'UTC')))
      at time zone 'UTC' else created_at end$sql$
    else 'created_at' end;
$$;

create function private.find_statement(filter jsonb, from_newest boolean) returns text
language sql stable set search_path = ''
as $$
  select format(
    'select * from public.offers where %1$s%2$s order by %3$s desc, id desc limit $3',
    private.offer_condition(filter),
    case when from_newest then '' else format(' and (%s, id) <= ($1, $2)', private.offer_order(filter)) end,
    private.offer_order(filter)
  );
$$;

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
      select %2$s as sorted_at, id, count(*) over () as total,
        row_number() over (order by %2$s desc, id desc) as number
      from public.offers
      where %1$s
    ) as numbered
    where (number - 1) %% $1 = 0
    $sql$,
    private.offer_condition(coalesce(filter, '{}')), private.offer_order(filter)
  ) into pages using greatest(page_size, 1);
  return pages;
end;
$$;
grant execute on function public.offer_pages(integer, jsonb) to authenticated;

create function public.offer_counts() returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return jsonb_build_object(
    'status', (
      select jsonb_object_agg(name, (select count(*) from public.offers o where o.status = name and not o.held and not o.low))
      from unnest(array['pending', 'accepted', 'rejected', 'negotiating']) as name
    ),
    'held', (select count(*) from public.offers o where o.held),
    'low', (select count(*) from public.offers o where o.low and not o.held), 'overdue', (
      select count(*) from public.offers o
      where o.status = 'pending' and not o.held and not o.low and o.created_at < now() - private.reply_within()
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
        select * from public.offers n
        where not n.held and not n.low and n.created_at > since - interval '1 minute'
        order by n.created_at desc, n.id desc limit 100
      ) as o
    ),
    'pending', (select count(*) from public.offers o where o.status = 'pending' and not o.held and not o.low),
    'held', (select count(*) from public.offers o where o.held)
  );
end;
$$;
grant execute on function public.new_offers(timestamptz) to authenticated;

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

create function public.message_lines(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_object_agg(m.offer_id, left(substring(m.message from '\S[^\n\r]*'), 200)), '{}')
    from private.offer_messages m where m.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
grant execute on function public.message_lines(uuid[]) to authenticated;

create function public.asking_prices(names text[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('name', l.name, 'state', l.state, 'price', l.price)), '[]') from private.listings l where l.name = any (names[1:1000])
  );
end;
$$;
grant execute on function public.asking_prices(text[]) to authenticated;

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
        'queued', count(*) filter (where m.created_at >= after),
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

create table private.erasures (
  id bigint generated always as identity primary key,
  offers integer not null,
  erased_at timestamptz not null default now()
);
alter table private.erasures enable row level security;

create table private.erased_offers (offer_id uuid primary key);
alter table private.erased_offers enable row level security;

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

create function public.read_customer(email text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(
        jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object(
          'message', (select t.message from private.offer_messages t where t.offer_id = o.id),
          'language', (select k.language from private.idempotency_keys k where k.offer_id = o.id limit 1),
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
          jsonb_strip_nulls(to_jsonb(o) || jsonb_build_object('message', m.message, 'moves', private.stored_moves(o.id, 'owner'), 'low', nullif(o.low, false))) as line
        from public.offers o left join private.offer_messages m on m.offer_id = o.id
        where before_id is null or (o.created_at, o.id) < (before_created_at, before_id)
        order by o.created_at desc, o.id desc limit page_size
      ) as page
    )
  );
$$;
grant execute on function public.export_offers(integer, timestamptz, uuid) to service_role;

create function public.count_offers(newest_created_at timestamptz default null, newest_id uuid default null)
returns bigint
language sql stable security definer set search_path = ''
as $$
  select count(*) from public.offers o
  where newest_id is null or (o.created_at, o.id) <= (newest_created_at, newest_id);
$$;
grant execute on function public.count_offers(timestamptz, uuid) to service_role;

create function public.read_unanswered(hours integer) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('count', count(*), 'oldest', min(o.created_at)) from public.offers o
  where o.status = 'pending' and not o.held and not o.low and o.created_at < now() - hours * interval '1 hour';
$$;
grant execute on function public.read_unanswered(integer) to service_role;

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

create function public.read_rows(kind text, after text default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  source constant record := private.moved_table(kind);
  result jsonb;
begin
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

create function public.receive_rows(kind text, rows jsonb) returns jsonb
language plpgsql security definer set search_path = ''
as $$
declare
  target constant record := private.moved_table(kind);
  -- The column that names the offer, in rows that go with it. The history of statuses stays.
  offer_column constant text := case when kind = 'offers' then 'id'
    when kind in ('offer_messages', 'idempotency_keys', 'messages', 'offer_moves', 'offer_links') then 'offer_id' end;
  received jsonb := rows;
  columns text;
  is_same text;
  present bigint;
  total bigint;
begin
  -- The call of a run that was killed may still be at work: rows without a unique key would be inserted twice.
  perform pg_advisory_xact_lock(hashtextextended('receive_rows', 0));
  if offer_column is not null then
    select coalesce(jsonb_agg(case kind when 'offers' then '{"low": false}'::jsonb else '{}' end || case when kind = 'messages' then '{"move_number": 0}'::jsonb else '{}' end || r.value order by r.ordinality), '[]') into received
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
