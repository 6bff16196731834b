// Not imported through @supabase/server, so that deno.json decides the version of both.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { DatabaseUnavailable, Rejection } from './rejection.ts';
import { readSettings } from './settings.ts';

export type CallDatabase = (
  name: string,
  args: Record<string, unknown>,
  /** The header of a user, who calls in place of the service role. */
  authorization?: string,
) => Promise<unknown>;

const TIMEOUT_MS = 8_000;

/** One for all requests: it has no session, only the key. */
let client: SupabaseClient | undefined;

/**
 * Calls a function of the database as the service role, or as a user.
 * @throws Rejection `session_ended` where the user has no right to call it
 * @throws DatabaseUnavailable without any detail of the call, because the details are personal data
 */
export const callDatabase: CallDatabase = async (name, args, authorization) => {
  client ??= createServiceClient();
  const call = client.rpc(name, args).abortSignal(AbortSignal.timeout(TIMEOUT_MS));
  if (authorization !== undefined) call.setHeader('authorization', authorization);
  const { data, error, status } = await call;
  if (authorization !== undefined && (status === 401 || status === 403)) throw new Rejection('session_ended');
  if (error) throw new DatabaseUnavailable(`${name}: ${error.code || 'no response'}`);
  return data;
};

function createServiceClient(): SupabaseClient {
  const { url, secretKey } = readSettings();
  return createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
}
