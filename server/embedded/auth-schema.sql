-- What a hosted project has before the first migration, as far as the migrations and sign-in (auth-server.ts) rest on it: the
-- roles of the data API, of `auth` the tables, columns and functions that are used, with Supabase's names, types and texts, and
-- the Supabase CLI's history of migrations. Run at each start, in one transaction: it changes nothing where it ran before.
-- auth.sessions has a row for each sign-in, and auth.refresh_tokens one for each token of a session: `revoked` once it was
-- used, which was at `updated_at`, and `parent` is the token that it came from.

do $$ begin
  if to_regrole('anon') is null then create role anon nologin; end if;
  if to_regrole('authenticated') is null then create role authenticated nologin; end if;
  if to_regrole('service_role') is null then create role service_role nologin bypassrls; end if;
end $$;

create schema if not exists auth;
create schema if not exists supabase_migrations;

-- What commit b911ff25 made by another auth server, which had more of GoTrue's tables. Goes with the first tag.
do $$
declare
  unused record;
begin
  if to_regclass('auth.flow_state') is null then
    return;
  end if;
  drop table auth.audit_log_entries, auth.flow_state, auth.identities, supabase_migrations.seed_files;
  drop function auth.email(), auth.role();
  drop index auth.refresh_tokens_token_idx;
  for unused in
    select c.oid::regclass as name, a.attname as attribute from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.attnum > 0 and not a.attisdropped and (
      c.oid = 'auth.users'::regclass
        and a.attname <> all ('{id, email, encrypted_password, last_sign_in_at, created_at}')
      or c.oid = 'auth.sessions'::regclass and a.attname <> all ('{id, user_id, created_at}')
      or c.oid = 'auth.refresh_tokens'::regclass
        and a.attname <> all ('{token, session_id, revoked, parent, created_at, updated_at}')
      or c.oid = 'supabase_migrations.schema_migrations'::regclass
        and a.attname <> all ('{version, statements, name, created_by}')
    )
    -- A generated column needs others.
    order by a.attgenerated desc
  loop
    execute format('alter table %s drop column %I', unused.name, unused.attribute);
  end loop;
  alter table auth.users add unique (email);
  alter table auth.refresh_tokens add primary key (token);
end $$;

create table if not exists auth.users (
  id uuid primary key,
  email varchar(255) unique,
  encrypted_password varchar(255),
  last_sign_in_at timestamptz,
  created_at timestamptz default now()
);

create table if not exists auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz default now()
);
create index if not exists sessions_user_id_idx on auth.sessions (user_id);

create table if not exists auth.refresh_tokens (
  token varchar(255) primary key,
  session_id uuid references auth.sessions (id) on delete cascade,
  revoked boolean default false,
  parent varchar(255),
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);
create index if not exists refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);

create or replace function auth.uid() returns uuid language sql stable as $$
  select
  coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select
    coalesce(
        nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')
    )::jsonb
$$;

create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text,
  created_by text
);
