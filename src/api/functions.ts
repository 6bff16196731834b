import { FunctionsClient } from '@supabase/functions-js';
import { FUNCTIONS_URL, PUBLISHABLE_KEY } from './settings.ts';

/** Client for functions only: all of supabase-js would be five times the size, and these pages have no sign-in. */
export const functions = new FunctionsClient(FUNCTIONS_URL, { headers: { apikey: PUBLISHABLE_KEY } });

/**
 * Timeout of a response, its body included.
 * Passed as a signal, because the client's own `timeout` stops at the headers.
 */
export const RESPONSE_TIMEOUT_MS = 15_000;
