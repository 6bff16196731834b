/**
 * The admin pages' only Supabase client. It stores the session in localStorage, refreshes it and synchronises it between
 * tabs, so a page must never have two clients.
 */

import { SUPABASE_PUBLISHABLE_KEY, SUPABASE_URL } from 'astro:env/client';
import { createClient } from '@supabase/supabase-js';
import type { Credentials } from '#contract/sign-in.ts';
import { signInAsAdmin } from './admin-auth.ts';
import { readDeviceToken, storeDeviceToken } from './device-token.ts';
import { fetchForClient } from './session-lifetime.ts';

export const supabase = createClient(SUPABASE_URL || location.origin, SUPABASE_PUBLISHABLE_KEY, {
  global: { fetch: fetchForClient },
  // Otherwise a link with an attacker's tokens in its fragment would sign the admin in as the attacker.
  auth: { detectSessionInUrl: false },
});

/** Signs in through the function `admin-auth`. */
export const authenticate = (credentials: Credentials) =>
  signInAsAdmin(supabase, SUPABASE_PUBLISHABLE_KEY, credentials, {
    readDeviceToken,
    storeDeviceToken,
  });
