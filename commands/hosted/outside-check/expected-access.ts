/**
 * Who may do what with the data API: `npm run deploy:backend` compares a hosted project with it from outside, and the access
 * tests compare both engines. Calls follow from the contract's table.
 */
import { callsOf, NOBODY } from '#contract/calls.ts';

export interface SampleRequest {
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Changes something where it is accepted, so that the check from outside does not send it with a session. */
  readonly hasEffect?: boolean | undefined;
}

const RPC = 'POST /rest/v1/rpc/';
const OF_ADMINISTRATORS = callsOf('administrator');
const OF_SERVICE = callsOf('service');

/** A request for each route of the data API and of auth, for administrators alone; it names no row that exists. */
export const ADMINISTRATOR_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  'GET /rest/v1/offers': { query: '?select=id&limit=1' },
  'PATCH /rest/v1/offers': { query: `?id=eq.${NOBODY}`, body: { status: 'pending' } },
  ...Object.fromEntries(
    OF_ADMINISTRATORS.flatMap(({ name, sample, hasEffect, byFunction }) =>
      byFunction ? [] : [[RPC + name, { body: sample, hasEffect }]],
    ),
  ),
  'POST /auth/v1/token': {
    query: '?grant_type=refresh_token',
    body: { refresh_token: NOBODY },
    hasEffect: true,
  },
  'GET /auth/v1/user': {},
  'POST /auth/v1/logout': { query: '?scope=local', hasEffect: true },
};

/** Requests that are rejected from visitors; a hosted project serves them to administrators, and nothing here sends them. */
export const VISITORS_REJECTED: Readonly<Record<string, SampleRequest>> = {
  'HEAD /rest/v1/offers': { query: '?select=id&limit=1' },
};

/** Requests that are rejected from visitors and administrators. */
export const REJECTED_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  'POST /rest/v1/offers': { body: { domain_name: 'x' } },
  'PATCH /rest/v1/offers': { query: `?id=eq.${NOBODY}`, body: { customer_name: 'x' } },
  'DELETE /rest/v1/offers': { query: `?id=eq.${NOBODY}` },
  ...Object.fromEntries(OF_SERVICE.map(({ name, sample }) => [RPC + name, { body: sample }])),
};

/** The functions of the database for administrators, and those for the service role, with arguments. */
export const ADMINISTRATOR_CALLS = samplesOf(OF_ADMINISTRATORS);
export const SERVICE_CALLS = samplesOf(OF_SERVICE);

/** Tables that no role of the data API reads. */
export const PRIVATE_TABLES = [
  'admin_factors',
  'admin_sessions',
  'admins',
  'counting',
  'deals',
  'erased_offers',
  'erased_references',
  'erasures',
  'failing_servers',
  'idempotency_keys',
  'listings',
  'message_state',
  'messages',
  'name_changes',
  'name_numbers',
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
  ...OF_ADMINISTRATORS.map(({ name }) => `authenticated: EXECUTE on ${name}`),
  'authenticated: EXECUTE on private.is_admin',
  'authenticated: SELECT on offers',
  'authenticated: UPDATE on offers(status)',
  'authenticated: USAGE on private',
  'policy on offers for SELECT to authenticated using ( SELECT private.is_admin() AS is_admin)',
  'policy on offers for UPDATE to authenticated using ( SELECT private.is_admin() AS is_admin) with check ( SELECT private.is_admin() AS is_admin)',
  'row level security on offers',
  ...PRIVATE_TABLES.map((name) => `row level security on private.${name}`),
  ...OF_SERVICE.map(({ name }) => `service_role: EXECUTE on ${name}`),
  'service_role: SELECT on offers',
  'trigger deals_are_not_deleted on private.deals',
  'trigger deals_leave_references on private.deals',
  'trigger ended_deals_are_not_changed on private.deals',
  'trigger moves_are_not_changed on private.offer_moves',
  'trigger moves_are_not_deleted on private.offer_moves',
  'trigger offers_are_not_deleted on offers',
  'trigger offers_are_not_truncated on offers',
  'trigger only_the_status_changes on offers',
  'trigger status_changes_are_logged on offers',
  'trigger statuses_close_negotiations on offers',
  'trigger statuses_make_deals on offers',
].sort();

function samplesOf(calls: ReturnType<typeof callsOf>): Record<string, Readonly<Record<string, unknown>>> {
  return Object.fromEntries(calls.map(({ name, sample }) => [name, sample]));
}
