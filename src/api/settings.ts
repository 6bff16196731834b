import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL, TURNSTILE_SITE_KEY } from 'astro:env/client';

/** URL of the functions. `location` is missing while pages are prerendered, where no function is called. */
export const FUNCTIONS_URL = `${SUPABASE_URL ?? globalThis.location?.origin}/functions/v1`;

export const PUBLISHABLE_KEY = SUPABASE_PUBLISHABLE_KEY;

/** With a key, set at build time, Turnstile is the bot check; otherwise the proof of work is. */
export const TURNSTILE_KEY = TURNSTILE_SITE_KEY;
