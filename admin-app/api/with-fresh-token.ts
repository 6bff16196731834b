import type { AuthError, SupabaseClient } from '@supabase/supabase-js';

/** Statuses by which the auth server rejects a refresh token. Others, such as 429, are about the request. */
const TOKEN_REJECTED: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

/** The server has ended the session. */
export class SessionEnded extends Error {
  override name = 'SessionEnded';
  override message = 'Your session has ended. Please sign in again.';
}

/** Renewals after a 401. Of several requests that are rejected with one token, the first alone renews it. */
let renewals = 0;

/**
 * Sends a request, and after a 401 once more with a renewed access token. supabase-js renews a token by the browser's clock,
 * which may have been set back, so the server may reject one that still looks valid here.
 * @throws SessionEnded, or Error without a message where the token could not be refreshed for the moment
 */
export async function withFreshToken<Result extends { status: number }>(
  auth: Pick<SupabaseClient['auth'], 'refreshSession'>,
  request: () => PromiseLike<Result>,
): Promise<Result> {
  const before = renewals;
  const response = await request();
  if (response.status !== 401) return response;
  if (renewals === before) {
    const { error } = await auth.refreshSession();
    // Discarded: another tab has refreshed the session, and its token is in use here as well.
    if (error && error.name !== 'AuthRefreshDiscardedError') {
      throw isSessionEnded(error) ? new SessionEnded() : new Error('', { cause: error });
    }
    renewals += 1;
  }
  const second = await request();
  if (second.status === 401) throw new SessionEnded();
  return second;
}

/** By names, since supabase-js may not be loaded yet. */
function isSessionEnded({ name, status }: AuthError): boolean {
  return name === 'AuthSessionMissingError' || (name === 'AuthApiError' && TOKEN_REJECTED.has(status));
}
