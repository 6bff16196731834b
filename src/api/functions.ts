import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL } from 'astro:env/client';
import { FunctionsClient } from '@supabase/functions-js';

/** URL of the functions. `location` is missing while pages are prerendered, where no function is called. */
const FUNCTIONS_URL = `${SUPABASE_URL ?? globalThis.location?.origin}/functions/v1`;

/** Client for functions only: all of supabase-js would be five times the size, and these pages have no sign-in. */
export const functions = new FunctionsClient(FUNCTIONS_URL, {
  headers: { apikey: SUPABASE_PUBLISHABLE_KEY },
});

/**
 * Timeout of a response, its body included.
 * Passed as a signal, because the client's own `timeout` stops at the headers.
 */
export const RESPONSE_TIMEOUT_MS = 15_000;
