// Not imported through @supabase/server, so that deno.json decides the version of both.
import { createClient } from '@supabase/supabase-js';
import { type Arguments, CALLS, type CallOf, type Returned } from './contract/calls.ts';
import { DatabaseUnavailable, Rejection } from './rejection.ts';
import type { Settings } from './settings.ts';

/**
 * Calls a function of the database as the service role, or as a user.
 * @param authorization the header of a user, who calls in place of the service role
 * @throws Rejection `session_ended` where the user has no right to call it
 * @throws DatabaseUnavailable without any detail of the call, because the details are personal data
 * @throws an error of Zod where the result is something else than the table says
 */
export type CallDatabase = <Name extends FunctionsCall>(
  name: Name,
  args: Arguments<Name>,
  authorization?: string,
) => Promise<Returned<Name>>;
type FunctionsCall = CallOf<'service'> | 'negotiate_as_owner';

/** Checks the results of calls by the contract's table. */
export function checkResults<Args>(
  call: (name: FunctionsCall, args: Args, authorization?: string) => Promise<unknown>,
): CallDatabase {
  return async (name, args, authorization) =>
    CALLS[name].result.parse(await call(name, args as Args, authorization)) as Returned<typeof name>;
}

const TIMEOUT_MS = 8_000;

/** @param fetch reaches the project */
export function createCallDatabase(
  { url, secretKey }: Pick<Settings, 'url' | 'secretKey'>,
  fetch: typeof globalThis.fetch,
): CallDatabase {
  // supabase-js throws without them; serveFunction rejects every request then.
  if (!url || !secretKey) return () => Promise.reject(new DatabaseUnavailable('not configured'));
  // One for all requests: it has no session, only the key.
  const client = createClient(url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch },
  });
  return checkResults(async (name, args: Record<string, unknown>, authorization) => {
    const call = client.rpc(name, args).abortSignal(AbortSignal.timeout(TIMEOUT_MS));
    if (authorization !== undefined) call.setHeader('authorization', authorization);
    const { data, error, status } = await call;
    if (authorization !== undefined && (status === 401 || status === 403))
      throw new Rejection('session_ended');
    if (error) throw new DatabaseUnavailable(`${name}: ${error.code || 'no response'}`);
    return data;
  });
}
