/**
 * Reads the session that supabase-js has stored, and renews it, before supabase-js is loaded: the dashboard's first rows need its
 * token alone, and supabase-js is 27 KB. Writes what supabase-js would write. Where a refresh fails, supabase-js repeats it and
 * decides whether the session has ended.
 */
import type { Session } from '@supabase/supabase-js';
import * as z from 'zod/mini';
import { fetchForClient } from './session-lifetime.ts';

/** Shortest rest of a token's lifetime, in milliseconds, with which supabase-js uses it: one with less is renewed first. */
const MARGIN_MS = 90_000;

const TokensSchema = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  user: z.looseObject({}),
});
const StoredSchema = z.looseObject({ ...TokensSchema.shape, expires_at: z.number() });

/**
 * @param url of the project
 * @param key the publishable one
 */
export function createStoredSession(url: string, key: string) {
  /** As supabase-js names it. */
  const storageKey = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`;

  /** Null where there is none, undefined where it cannot be read. */
  function read(): Session | null | undefined {
    try {
      const text = localStorage.getItem(storageKey);
      return text === null ? null : (z.parse(StoredSchema, JSON.parse(text)) as unknown as Session);
    } catch {
      return undefined;
    }
  }

  /** Undefined where it has ended, or cannot be read. */
  function readUsable(): Session | undefined {
    const session = read();
    return session && (session.expires_at ?? 0) * 1000 - Date.now() >= MARGIN_MS ? session : undefined;
  }

  /** Undefined where the server does not renew it, or another tab has changed it meanwhile. */
  async function refresh({ refresh_token }: Session): Promise<Session | undefined> {
    const response = await fetchForClient(`${url}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    });
    const tokens = z.parse(TokensSchema, await response.json());
    if (read()?.refresh_token !== refresh_token) return readUsable();
    const expires_at = Math.round(Date.now() / 1000) + tokens.expires_in;
    localStorage.setItem(storageKey, JSON.stringify({ ...tokens, expires_at }));
    return readUsable();
  }

  return {
    storageKey,
    readUsable,

    /** Renewed where it has ended; null where there is none, undefined where supabase-js has to find out more. */
    async open(): Promise<Session | null | undefined> {
      const session = read();
      return session ? (readUsable() ?? refresh(session).catch(() => undefined)) : session;
    },

    remove: () => localStorage.removeItem(storageKey),
  };
}
