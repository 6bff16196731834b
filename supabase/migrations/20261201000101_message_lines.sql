-- What a row of the dashboard shows of an offer's message: its first line.

-- Returns {offer id: text} of each of at most 1,000 offers that has a message: its first line that is not blank, at most 200
-- characters. Does not extend the session.
create function public.message_lines(offer_ids uuid[]) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if not private.is_admin() then
    raise exception 'Your session has ended. Please sign in again.' using errcode = 'PT401';
  end if;
  return (
    select coalesce(jsonb_object_agg(m.offer_id, left(substring(m.message from '\S[^\n\r]*'), 200)), '{}')
    from private.offer_messages m where m.offer_id = any (offer_ids[1:1000])
  );
end;
$$;
revoke all on function public.message_lines(uuid[]) from public, anon, authenticated, service_role;
grant execute on function public.message_lines(uuid[]) to authenticated;
