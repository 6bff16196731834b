/**
 * The admin pages' only Supabase client. It stores the session in localStorage, refreshes it and synchronises it between
 * tabs, so a page must never have two clients. Loaded by supabase.ts.
 */
import { createClient } from '@supabase/supabase-js';
import type { Credentials } from '#contract/sign-in.ts';
import { signInAsAdmin } from './admin-auth.ts';
import { readDeviceToken, storeDeviceToken } from './device-token.ts';
import { fetchForClient } from './session-lifetime.ts';

/** @param key the publishable one */
export function createSupabase(url: string, key: string, storageKey: string) {
  const client = createClient(url, key, {
    global: { fetch: fetchForClient },
    // Otherwise a link with an attacker's tokens in its fragment would sign the admin in as the attacker.
    auth: { detectSessionInUrl: false, storageKey },
  });
  return {
    client,
    /** Signs in through the function `admin-auth`. */
    authenticate: (credentials: Credentials) =>
      signInAsAdmin(client, key, credentials, { readDeviceToken, storeDeviceToken }),
  };
}
