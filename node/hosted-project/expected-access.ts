import { SERVICE_CALLS } from './service-calls.ts';

/**
 * Every right that a role of the data API has on our objects, and what guards the rows, as `public.read_access()` returns
 * them; any other right is a defect.
 */
export const EXPECTED_ACCESS: readonly string[] = [
  'authenticated: EXECUTE on asking_prices',
  'authenticated: EXECUTE on dismiss_message',
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
  'policy on offers for SELECT to authenticated using ( SELECT private.is_admin() AS is_admin)',
  'policy on offers for UPDATE to authenticated using ( SELECT private.is_admin() AS is_admin) with check ( SELECT private.is_admin() AS is_admin)',
  'row level security on offers',
  'row level security on private.erased_offers',
  'row level security on private.listings',
  'row level security on private.offer_messages',
  'row level security on private.published_catalogue',
  ...Object.keys(SERVICE_CALLS).map((name) => `service_role: EXECUTE on ${name}`),
  'service_role: SELECT on offers',
  'trigger offers_are_kept on offers',
  'trigger offers_are_not_truncated on offers',
  'trigger only_the_status_changes on offers',
  'trigger status_changes_are_noted on offers',
];
