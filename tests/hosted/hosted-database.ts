/**
 * What a hosted project has before the first migration: `postgres` is no superuser and owns the database, auth belongs to
 * another role, extensions have a schema, and (on older projects) everything new is granted to every role of the data API.
 */
export const HOSTED_DATABASE = `
  create role postgres login createdb createrole bypassrls;
  alter database postgres owner to postgres;
  create role anon nologin;
  create role authenticated nologin;
  create role service_role nologin bypassrls;
  create role authenticator login noinherit;
  grant anon, authenticated, service_role to authenticator, postgres;
  create role supabase_auth_admin nologin createrole;
  create schema extensions authorization postgres;
  create schema auth authorization supabase_auth_admin;
  create extension pgcrypto with schema extensions;
  create extension "uuid-ossp" with schema extensions;
  create extension pg_stat_statements with schema extensions;
  set role supabase_auth_admin;
  create table auth.users (
    id uuid primary key, email varchar(255), encrypted_password varchar(255), last_sign_in_at timestamptz,
    raw_app_meta_data jsonb, created_at timestamptz, updated_at timestamptz
  );
  create table auth.sessions (
    id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade,
    created_at timestamptz, updated_at timestamptz, not_after timestamptz
  );
  create table auth.refresh_tokens (
    id bigserial primary key, token varchar(255), user_id varchar(255), revoked boolean, parent varchar(255),
    session_id uuid references auth.sessions (id) on delete cascade, created_at timestamptz, updated_at timestamptz
  );
  create function auth.uid() returns uuid language sql stable as $$
    select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
  $$;
  create function auth.jwt() returns jsonb language sql stable as $$
    select nullif(current_setting('request.jwt.claims', true), '')::jsonb
  $$;
  grant usage on schema auth to anon, authenticated, service_role, postgres;
  grant select, references on all tables in schema auth to postgres;
  reset role;
  grant usage on schema public, extensions to anon, authenticated, service_role;
  alter database postgres set search_path to "$user", public, extensions;
  alter default privileges for role postgres in schema public
    grant all on tables to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    grant all on functions to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    grant all on sequences to anon, authenticated, service_role;
`;
