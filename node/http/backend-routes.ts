/**
 * The way to the backend, as an allow-list. A route that is not here does not exist for visitors. Add one with its
 * method, host rule, role, query grammar and body; see docs/recipes.md for an example.
 */
import * as z from 'zod/mini';
import { OFFER_STATUSES } from '#contract/offer.ts';
import type { Role } from './access-token.ts';
import {
  CHANGE_OFFER,
  ID_PATTERN,
  matching,
  NO_QUERY,
  oneOf,
  type QueryGrammar,
  READ_OFFERS,
  TIME_PATTERN,
} from './rest-query.ts';

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

export type BackendRoute = DatabaseRoute | FunctionRoute;
type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST';

const DOMAIN_PATTERN = /^[a-z0-9.-]{1,253}$/;

const FUNCTION = { query: NO_QUERY, adminOnly: false };

/** Which domain the check is for, or which provider it expects. */
const BOT_CHECK: QueryGrammar = { domain: matching(DOMAIN_PATTERN), show: oneOf('provider') };

/** Which offers to list, as `private.offer_condition` reads it; without `held` and `low` those that are neither. */
const OFFER_FILTER = z.strictObject({
  term: z.optional(
    z.string().check(
      z.minLength(3),
      z.maxLength(100),
      // Neither fits into a text of the database.
      z.refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text)),
    ),
  ),
  status: z.optional(z.enum(OFFER_STATUSES)),
  domain: z.optional(domainName()),
  held: z.optional(z.boolean()),
  low: z.optional(z.boolean()),
  overdue: z.optional(z.boolean()),
  sort: z.optional(z.enum(['date', 'urgent'])),
});

/** Path → method → route. */
export const BACKEND_ROUTES: Readonly<Record<string, Partial<Record<Method, BackendRoute>>>> = {
  '/rest/v1/offers': {
    GET: offers({ query: READ_OFFERS }),
    HEAD: offers({ query: READ_OFFERS }),
    PATCH: offers({
      query: CHANGE_OFFER,
      required: ['id'],
      body: z.strictObject({ status: z.enum(OFFER_STATUSES) }),
    }),
  },
  '/rest/v1/rpc/offer_pages': {
    POST: offers({ body: z.strictObject({ page_size: upTo(1_000), filter: z.optional(OFFER_FILTER) }) }),
  },
  '/rest/v1/rpc/find_offers': {
    POST: offers({
      body: z.strictObject({
        filter: z.optional(OFFER_FILTER),
        from_created_at: z.optional(z.string().check(z.regex(TIME_PATTERN))),
        from_id: z.optional(z.string().check(z.regex(ID_PATTERN))),
        page_size: z.optional(upTo(100)),
      }),
    }),
  },
  '/rest/v1/rpc/offer_counts': { POST: offers({ body: z.strictObject({}) }) },
  '/rest/v1/rpc/asking_prices': {
    // Of 1,000 names only short ones fit into the longest body, 64 KiB.
    POST: offers({ body: z.strictObject({ names: z.array(domainName()).check(z.maxLength(1_000)) }) }),
  },
  '/rest/v1/rpc/offer_history': { POST: offers({ body: ofOffer() }) },
  '/rest/v1/rpc/offer_message': { POST: offers({ body: ofOffer() }) },
  '/rest/v1/rpc/message_lines': {
    POST: offers({
      body: z.strictObject({
        offer_ids: z.array(z.string().check(z.regex(ID_PATTERN))).check(z.maxLength(1_000)),
      }),
    }),
  },
  '/rest/v1/rpc/remove_offer': { POST: offers({ body: ofOffer() }) },
  '/rest/v1/rpc/new_offers': {
    POST: offers({ body: z.strictObject({ since: z.string().check(z.regex(TIME_PATTERN)) }) }),
  },
  '/rest/v1/rpc/message_status': { POST: offers({ body: z.strictObject({}) }) },
  '/rest/v1/rpc/retry_messages': { POST: offers({ body: z.strictObject({}) }) },
  '/rest/v1/rpc/dismiss_message': {
    POST: offers({ body: z.strictObject({ id: z.int().check(z.positive()) }) }),
  },
  '/rest/v1/rpc/extend_admin_session': { POST: offers({ body: z.strictObject({}) }) },
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
};

/** The data API: for administrators. A visitor gets 401 on every host. */
function offers(route: Partial<DatabaseRoute>): DatabaseRoute {
  return { to: 'database', role: 'authenticated', query: NO_QUERY, adminOnly: false, ...route };
}

/** Calls that keep or end a session. */
function session(route: Partial<DatabaseRoute>): DatabaseRoute {
  return offers({ ...route, adminOnly: true });
}

function ofOffer() {
  return z.strictObject({ offer_id: z.string().check(z.regex(ID_PATTERN)) });
}

function domainName() {
  return z.string().check(z.regex(DOMAIN_PATTERN));
}

/** A number of rows. */
function upTo(rows: number) {
  return z.int().check(z.minimum(1), z.maximum(rows));
}
