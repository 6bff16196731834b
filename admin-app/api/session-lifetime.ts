/**
 * The lifetime of a session by the browser's clock, which may be wrong by minutes or years. The server's `expires_at` would
 * mean nothing there: supabase-js would renew the session at each request, or never.
 */
import type { Session } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { claimsOf } from '#contract/token-claims.ts';
import { fetchInTime } from './fetch-in-time.ts';

/**
 * Shortest lifetime, in seconds: supabase-js renews two minutes before the end, so that a minute is between two renewals. A
 * token that has ended before is rejected with 401, and then renewed.
 */
const MIN_LIFETIME_S = 180;

const TOKEN_PATH = '/auth/v1/token';

const SessionSchema = z.looseObject({ expires_in: z.number() });

/** `fetch` of supabase-js: without the server's time in a new session, its lifetime counts from its arrival. */
export async function fetchForClient(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchInTime(input, init);
  if (!response.ok || !String(input).includes(TOKEN_PATH)) return response;
  const text = await response.text();
  return new Response(withoutServerTime(text), response);
}

/** The same text where it is no session. */
function withoutServerTime(text: string): string {
  try {
    const { expires_at: _, expires_in, ...session } = z.parse(SessionSchema, JSON.parse(text));
    return JSON.stringify({ ...session, expires_in: Math.max(expires_in, MIN_LIFETIME_S) });
  } catch {
    return text;
  }
}

const ClaimsSchema = z.object({ iat: z.number() });

/** How far the server's clock was ahead of the browser's when a session arrived, in milliseconds. Undefined where its token has no time. */
export function serverAhead({ access_token, expires_at = 0, expires_in }: Session): number | undefined {
  const claims = ClaimsSchema.safeParse(claimsOf(access_token));
  return claims.success ? (claims.data.iat - (expires_at - expires_in)) * 1000 : undefined;
}
