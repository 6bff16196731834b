import { FunctionsClient } from '@supabase/functions-js';
import { FUNCTIONS_URL, PUBLISHABLE_KEY } from './settings.ts';

/** The functions alone: all of supabase-js would be five times the bytes on a page that signs nobody in. */
export const functions = new FunctionsClient(FUNCTIONS_URL, { headers: { apikey: PUBLISHABLE_KEY } });

/**
 * How long an answer may take, its body included; milliseconds.
 * Passed as a signal, because the client's own `timeout` ends when the headers arrive.
 */
export const ANSWER_TIMEOUT = 15_000;
