/**
 * Who may do what with the data API, as one table: `npm run deploy:backend` compares a hosted project with it from outside,
 * and the access tests compare both engines.
 */
import { SERVICE_CALLS } from './service-calls.ts';

export interface SampleRequest {
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Changes something where it is accepted, so that the check from outside does not send it with a session. */
  readonly hasEffect?: boolean;
}

const NO_OFFER = '00000000-0000-4000-8000-000000000000';
const RPC = 'POST /rest/v1/rpc/';

/** A request for each route of the data API and of auth, for administrators alone; it names no row that exists. */
export const ADMINISTRATOR_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  'GET /rest/v1/offers': { query: '?select=id&limit=1' },
  'HEAD /rest/v1/offers': { query: '?select=id&limit=1' },
  'PATCH /rest/v1/offers': { query: `?id=eq.${NO_OFFER}`, body: { status: 'pending' } },
  [`${RPC}offer_pages`]: { body: { page_size: 1 } },
  [`${RPC}find_offers`]: { body: { filter: {}, page_size: 1 } },
  [`${RPC}offer_counts`]: { body: {} },
  [`${RPC}asking_prices`]: { body: { names: [] } },
  [`${RPC}offer_history`]: { body: { offer_id: NO_OFFER } },
  [`${RPC}offer_message`]: { body: { offer_id: NO_OFFER } },
  [`${RPC}message_lines`]: { body: { offer_ids: [] } },
  [`${RPC}remove_offer`]: { body: { offer_id: NO_OFFER }, hasEffect: true },
  [`${RPC}new_offers`]: { body: { since: '2020-01-01T00:00:00Z' } },
  [`${RPC}message_status`]: { body: {} },
  [`${RPC}retry_messages`]: { body: {}, hasEffect: true },
  [`${RPC}dismiss_message`]: { body: { id: 1 }, hasEffect: true },
  [`${RPC}extend_admin_session`]: { body: {} },
  'POST /auth/v1/token': {
    query: '?grant_type=refresh_token',
    body: { refresh_token: NO_OFFER },
    hasEffect: true,
  },
  'GET /auth/v1/user': {},
  'POST /auth/v1/logout': { query: '?scope=local', hasEffect: true },
};

/** Requests that are rejected from visitors and administrators. */
export const REJECTED_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  'POST /rest/v1/offers': { body: { domain_name: 'x' } },
  'PATCH /rest/v1/offers': { query: `?id=eq.${NO_OFFER}`, body: { customer_name: 'x' } },
  'DELETE /rest/v1/offers': { query: `?id=eq.${NO_OFFER}` },
  ...Object.fromEntries(Object.entries(SERVICE_CALLS).map(([name, body]) => [RPC + name, { body }])),
};

/** The functions of the database for administrators, with arguments. */
export const ADMINISTRATOR_CALLS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...Object.fromEntries(
    Object.entries(ADMINISTRATOR_REQUESTS).flatMap(([request, { body = {} }]) =>
      request.startsWith(RPC) ? [[request.slice(RPC.length), body] as const] : [],
    ),
  ),
  // By the edge function `negotiation` alone, with the session of the administrator: no route leads to it.
  negotiate_as_owner: { offer_id: NO_OFFER },
};

/** Tables that no role of the data API reads. */
export const PRIVATE_TABLES = [
  'admin_factors',
  'admin_sessions',
  'admins',
  'erased_offers',
  'erasures',
  'idempotency_keys',
  'listings',
  'message_state',
  'messages',
  'offer_links',
  'offer_messages',
  'offer_moves',
  'offer_status_changes',
  'published_catalogue',
  'rate_limits',
] as const;

/**
 * Every right that a role of the data API has on our objects, and what guards the rows, as `public.read_access()` returns
 * them; any other right is a defect.
 */
export const EXPECTED_ACCESS: readonly string[] = [
  ...Object.keys(ADMINISTRATOR_CALLS).map((name) => `authenticated: EXECUTE on ${name}`),
  'authenticated: EXECUTE on private.is_admin',
  'authenticated: SELECT on offers',
  'authenticated: UPDATE on offers(status)',
  'authenticated: USAGE on private',
  'policy on offers for SELECT to authenticated using ( SELECT private.is_admin() AS is_admin)',
  'policy on offers for UPDATE to authenticated using ( SELECT private.is_admin() AS is_admin) with check ( SELECT private.is_admin() AS is_admin)',
  'row level security on offers',
  ...PRIVATE_TABLES.map((name) => `row level security on private.${name}`),
  ...Object.keys(SERVICE_CALLS).map((name) => `service_role: EXECUTE on ${name}`),
  'service_role: SELECT on offers',
  'trigger moves_are_not_changed on private.offer_moves',
  'trigger offers_are_not_deleted on offers',
  'trigger offers_are_not_truncated on offers',
  'trigger only_the_status_changes on offers',
  'trigger status_changes_are_logged on offers',
  'trigger statuses_close_negotiations on offers',
].sort();
