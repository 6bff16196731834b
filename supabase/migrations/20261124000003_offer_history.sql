-- The changes of one offer's status, from the audit.

-- Returns [{"old_status", "new_status", "changed_at", "changed_by_email"}], oldest first. The email is null where the
-- change did not come through the data API or the user is deleted.
create function public.offer_history(offer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
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
revoke all on function public.offer_history(uuid) from public, anon, authenticated, service_role;
grant execute on function public.offer_history(uuid) to authenticated;
