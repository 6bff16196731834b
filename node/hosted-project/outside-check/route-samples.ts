/** A request for each route of the data API and of auth, by method and path; it names no row that exists. */
import { BACKEND_ROUTES, type BackendRoute, type DatabaseRoute } from '../../http/backend-routes.ts';

export const NO_OFFER = '00000000-0000-4000-8000-000000000000';

interface Sample {
  readonly query?: string;
  readonly body?: unknown;
  /** Changes something where it is accepted, so that it is not sent with a session. */
  readonly hasEffect?: boolean;
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  'GET /rest/v1/offers': { query: '?select=id&limit=1' },
  'HEAD /rest/v1/offers': { query: '?select=id&limit=1' },
  'PATCH /rest/v1/offers': { query: `?id=eq.${NO_OFFER}`, body: { status: 'pending' } },
  'POST /rest/v1/rpc/offer_pages': { body: { page_size: 1 } },
  'POST /rest/v1/rpc/find_offers': { body: { filter: {}, page_size: 1 } },
  'POST /rest/v1/rpc/offer_counts': { body: {} },
  'POST /rest/v1/rpc/asking_prices': { body: { names: [] } },
  'POST /rest/v1/rpc/offer_history': { body: { offer_id: NO_OFFER } },
  'POST /rest/v1/rpc/offer_message': { body: { offer_id: NO_OFFER } },
  'POST /rest/v1/rpc/new_offers': { body: { since: '2020-01-01T00:00:00Z' } },
  'POST /rest/v1/rpc/message_status': { body: {} },
  'POST /rest/v1/rpc/retry_messages': { body: {}, hasEffect: true },
  'POST /rest/v1/rpc/dismiss_message': { body: { id: 1 }, hasEffect: true },
  'POST /rest/v1/rpc/extend_admin_session': { body: {} },
  'POST /auth/v1/token': {
    query: '?grant_type=refresh_token',
    body: { refresh_token: NO_OFFER },
    hasEffect: true,
  },
  'GET /auth/v1/user': {},
  'POST /auth/v1/logout': { query: '?scope=local', hasEffect: true },
};

/** Method, path and route. */
export function databaseRoutes(): [string, string, DatabaseRoute][] {
  return Object.entries(BACKEND_ROUTES).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, route]: [string, BackendRoute]) =>
      route.to === 'database' ? [[method, path, route] as [string, string, DatabaseRoute]] : [],
    ),
  );
}
