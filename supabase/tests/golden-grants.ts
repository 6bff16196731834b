/** Every right that a role of the data API has on our objects; any other is a defect. */

/** Reads tables, columns, functions and schemas alike; rights of the tables' owner are left out. */
export const READ_GRANTS = `
  select format('%s: %s on %s', role, privilege, object) as grant from (
    select a.grantee::regrole::text as role, a.privilege_type as privilege, c.oid::regclass::text as object
    from pg_class c, aclexplode(c.relacl) a
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all
    select case a.grantee when 0 then 'public' else a.grantee::regrole::text end, a.privilege_type,
      format('%s(%s)', t.attrelid::regclass, t.attname)
    from pg_attribute t, aclexplode(t.attacl) a
    where t.attrelid in (select oid from pg_class
      where relnamespace in ('public'::regnamespace, 'private'::regnamespace))
    union all
    select case a.grantee when 0 then 'public' else a.grantee::regrole::text end, a.privilege_type,
      p.oid::regproc::text
    from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
    union all
    select a.grantee::regrole::text, a.privilege_type, n.nspname
    from pg_namespace n, aclexplode(n.nspacl) a where n.nspname = 'private'
  ) as every
  where role in ('public', 'anon', 'authenticated', 'service_role')
  order by 1`;

export const GOLDEN_GRANTS = [
  'authenticated: EXECUTE on asking_prices',
  'authenticated: EXECUTE on extend_admin_session',
  'authenticated: EXECUTE on find_offers',
  'authenticated: EXECUTE on message_status',
  'authenticated: EXECUTE on new_offers',
  'authenticated: EXECUTE on offer_counts',
  'authenticated: EXECUTE on offer_history',
  'authenticated: EXECUTE on offer_message',
  'authenticated: EXECUTE on offer_pages',
  'authenticated: EXECUTE on private.is_admin',
  'authenticated: EXECUTE on retry_messages',
  'authenticated: SELECT on offers',
  'authenticated: UPDATE on offers(status)',
  'authenticated: USAGE on private',
  'service_role: EXECUTE on announce_offer',
  'service_role: EXECUTE on appoint_administrator',
  'service_role: EXECUTE on begin_sign_in',
  'service_role: EXECUTE on begin_sign_in_by_proof',
  'service_role: EXECUTE on count_failed_check',
  'service_role: EXECUTE on count_offers',
  'service_role: EXECUTE on dismiss_administrator',
  'service_role: EXECUTE on end_admin_sessions',
  'service_role: EXECUTE on erase_customer',
  'service_role: EXECUTE on export_offers',
  'service_role: EXECUTE on forgive_sign_in',
  'service_role: EXECUTE on make_messages_due',
  'service_role: EXECUTE on mark_messages_failed',
  'service_role: EXECUTE on mark_messages_sent',
  'service_role: EXECUTE on open_admin_session',
  'service_role: EXECUTE on publish_listings',
  'service_role: EXECUTE on queue_overdue',
  'service_role: EXECUTE on read_administrators',
  'service_role: EXECUTE on read_listings',
  'service_role: EXECUTE on read_message_state',
  'service_role: EXECUTE on receive_rows',
  'service_role: EXECUTE on remove_expired',
  'service_role: EXECUTE on report_delivery',
  'service_role: EXECUTE on resume_messages',
  'service_role: EXECUTE on submit_offer',
  'service_role: EXECUTE on take_messages',
  'service_role: EXECUTE on use_once',
  'service_role: SELECT on offers',
];
