/**
 * In place of the clients of Realtime and Storage, which no page uses (astro.config.mjs): supabase-js makes one of each, and
 * their scripts are 21 KB. Needed until one can be made without them (supabase/supabase-js#151).
 */
export class RealtimeClient {
  setAuth(): void {}
}

export class StorageClient {}

export class StorageApiError extends Error {}
