-- A session of auth whose refresh tokens are all revoked has ended at once: a refresh revokes one and stores the next in one
-- transaction, on the embedded backend too.

create or replace function private.has_auth_session(session_id text, user_id uuid) returns boolean
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
          where t.session_id = s.id and not coalesce(t.revoked, false)
        )
      )
  );
$$;

create or replace function public.schema_version() returns integer
language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_admin();
  return 4;
end;
$$;
grant execute on function public.schema_version() to authenticated;
