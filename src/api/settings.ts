import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL, TURNSTILE_SITE_KEY } from 'astro:env/client';

/** Where the functions answer. Pages are prerendered where there is no `location`; nothing is called there. */
export const FUNCTIONS_URL = `${SUPABASE_URL ?? globalThis.location?.origin}/functions/v1`;

export const PUBLISHABLE_KEY = SUPABASE_PUBLISHABLE_KEY;

/** Set at build: Turnstile checks the visitors; otherwise a proof of work does. */
export const TURNSTILE_KEY = TURNSTILE_SITE_KEY;
