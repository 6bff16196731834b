import {
  isAuthRefreshDiscardedError,
  isAuthRetryableFetchError,
  type SupabaseClient,
} from '@supabase/supabase-js';

/** The server has ended the session. */
export class SessionEnded extends Error {
  override name = 'SessionEnded';
  override message = 'Your session has ended. Please sign in again.';
}

/**
 * Sends a request, and after a 401 once more with a refreshed access token. supabase-js refreshes a token by the
 * browser's clock, so the server may reject one that still looks valid here.
 * @throws SessionEnded, or Error without a message where the token could not be refreshed for the moment
 */
export async function withFreshToken<Result extends { status: number }>(
  auth: Pick<SupabaseClient['auth'], 'refreshSession'>,
  request: () => PromiseLike<Result>,
): Promise<Result> {
  const response = await request();
  if (response.status !== 401) return response;
  const { error } = await auth.refreshSession();
  if (isAuthRetryableFetchError(error)) throw new Error('', { cause: error });
  // Discarded: another tab has refreshed the session, and its token is in use here as well.
  if (error && !isAuthRefreshDiscardedError(error)) throw new SessionEnded();
  const second = await request();
  if (second.status === 401) throw new SessionEnded();
  return second;
}
