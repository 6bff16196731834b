/** The administrator's session in the database, which ends when it is not extended. */
import type { SupabaseClient } from '@supabase/supabase-js';

/**
 * Tells the server that the session is in use. False where the server has ended it; undefined where that is not known,
 * because there was no response or another error.
 */
export async function extendSession(client: Pick<SupabaseClient, 'rpc'>): Promise<boolean | undefined> {
  const { data, error, status } = await client.rpc('extend_admin_session');
  if (error) return status === 401 ? false : undefined;
  return typeof data === 'boolean' ? data : undefined;
}
