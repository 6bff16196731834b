/**
 * The way to the backend, as an allow-list. A route that is not here does not exist for visitors. The calls of administrators
 * follow from the contract's table (calls.ts); add any other with its method, host rule, role, query grammar and body.
 */
import * as z from 'zod/mini';
import { callsOf, DOMAIN_PATTERN, StatusChangeSchema } from '#contract/calls.ts';
import { CATALOGUE_PATH } from '#contract/catalogue-path.ts';
import type { Role } from '../backend-requests/access-token.ts';
import {
  CHANGE_OFFER,
  matching,
  NO_QUERY,
  oneOf,
  type QueryGrammar,
  READ_OFFERS,
} from '../backend-requests/rest-query.ts';

interface Route {
  readonly query: QueryGrammar;
  /** Parameters that must be there. */
  readonly required?: readonly string[];
  /** On the hosts of the administrator's area only; 404 elsewhere. */
  readonly adminOnly: boolean;
}

export interface DatabaseRoute extends Route {
  readonly to: 'database';
  /** `authenticated`: needs the token of a session. `anon`: the public key is enough. */
  readonly role: Role;
  /** Body of the request; undefined where it has none. What is sent on is the parsed value. */
  readonly body?: z.ZodMiniType;
}

interface FunctionRoute extends Route {
  readonly to: 'admin-auth' | 'bot-check' | 'negotiation' | 'order-submit';
}

/** The catalogue's file, beside the backend (server/names). */
interface CatalogueRoute extends Route {
  readonly to: 'catalogue';
}

export type BackendRoute = DatabaseRoute | FunctionRoute | CatalogueRoute;
type Method = 'GET' | 'OPTIONS' | 'PATCH' | 'POST';

const FUNCTION = { query: NO_QUERY, adminOnly: false };
const CATALOGUE = { to: 'catalogue', query: NO_QUERY, adminOnly: true } as const;

/** Which domain the check is for, or which provider it expects. */
const BOT_CHECK: QueryGrammar = { domain: matching(DOMAIN_PATTERN), show: oneOf('provider') };

/** Path → method → route. */
export const BACKEND_ROUTES: Readonly<Record<string, Partial<Record<Method, BackendRoute>>>> = {
  '/rest/v1/offers': {
    GET: offers({ query: READ_OFFERS }),
    PATCH: offers({
      query: CHANGE_OFFER,
      required: ['id'],
      body: StatusChangeSchema,
    }),
  },
  ...Object.fromEntries(
    callsOf('administrator').flatMap(({ name, body, byFunction }) =>
      byFunction ? [] : [[`/rest/v1/rpc/${name}`, { POST: offers({ body }) }]],
    ),
  ),
  '/auth/v1/token': {
    POST: session({
      role: 'anon',
      query: { grant_type: oneOf('refresh_token') },
      required: ['grant_type'],
      body: z.strictObject({ refresh_token: z.uuid() }),
    }),
  },
  '/auth/v1/user': { GET: session({}) },
  // Another session could otherwise end the owner's.
  '/auth/v1/logout': { POST: session({ query: { scope: oneOf('local') }, required: ['scope'] }) },
  '/functions/v1/order-submit': {
    POST: { ...FUNCTION, to: 'order-submit' },
    OPTIONS: { ...FUNCTION, to: 'order-submit' },
  },
  '/functions/v1/bot-check': {
    GET: { ...FUNCTION, to: 'bot-check', query: BOT_CHECK },
    OPTIONS: { ...FUNCTION, to: 'bot-check', query: BOT_CHECK },
  },
  '/functions/v1/negotiation': {
    POST: { ...FUNCTION, to: 'negotiation' },
    OPTIONS: { ...FUNCTION, to: 'negotiation' },
  },
  '/functions/v1/admin-auth': {
    POST: { ...FUNCTION, to: 'admin-auth', adminOnly: true },
    OPTIONS: { ...FUNCTION, to: 'admin-auth', adminOnly: true },
  },
  [CATALOGUE_PATH]: { GET: CATALOGUE, POST: CATALOGUE },
};

/** The data API: for administrators. A visitor gets 401 on every host. */
function offers(route: Partial<DatabaseRoute>): DatabaseRoute {
  return { to: 'database', role: 'authenticated', query: NO_QUERY, adminOnly: false, ...route };
}

/** Calls that keep or end a session. */
function session(route: Partial<DatabaseRoute>): DatabaseRoute {
  return offers({ ...route, adminOnly: true });
}
