/**
 * The desk's one connection to the backend: sign-in, the data API and the functions all go through it.
 * It keeps the session in localStorage, refreshes it on its own and tells other tabs about it,
 * so a page must never hold two of them.
 */

import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL } from 'astro:env/client';
import { createClient } from '@supabase/supabase-js';
import type { Credentials } from '#contract/sign-in.ts';
import { signInAsAdmin } from './admin-auth.ts';

export const supabase = createClient(SUPABASE_URL || location.origin, SUPABASE_PUBLISHABLE_KEY, {
  global: { fetch: fetchInTime },
});

/** Signs in through the function `admin-auth`. */
export const authenticate = (credentials: Credentials) =>
  signInAsAdmin(supabase, SUPABASE_PUBLISHABLE_KEY, credentials);

/** `fetch` itself waits for ever; a person does not. In milliseconds. */
const PATIENCE = 20_000;

function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const signals = [AbortSignal.timeout(PATIENCE), init?.signal].filter((signal) => signal != null);
  return fetch(input, { ...init, signal: AbortSignal.any(signals) });
}
