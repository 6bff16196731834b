-- Audit log of status changes. A row holds the offer, its old and its new status, the time and the administrator. It
-- holds no personal data of customers, so it stays when one is erased. Only a trigger writes it; the owner reads it in
-- the SQL editor.

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
revoke all on table private.offer_status_changes from public, anon, authenticated, service_role;

create function private.note_status_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.offer_status_changes (offer_id, old_status, new_status, changed_by)
  values (new.id, old.status, new.status, (select auth.uid()));
  return null;
end;
$$;
revoke all on function private.note_status_change() from public, anon, authenticated, service_role;
create trigger status_changes_are_noted after update of status on public.offers
  for each row when (old.status is distinct from new.status)
  execute function private.note_status_change();
