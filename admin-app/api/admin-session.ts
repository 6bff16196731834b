/** The administrator's session in the database, which ends when it is not extended. */
import type { CallingClient } from './call.ts';
import { SessionEnded, withFreshToken } from './with-fresh-token.ts';

/**
 * Reports to the server that the session is in use. False where the server has ended it; undefined where that is not
 * known, because there was no response or another error.
 */
export async function extendSession(client: CallingClient): Promise<boolean | undefined> {
  try {
    const { data } = await withFreshToken(client.auth, () => client.rpc('extend_admin_session'));
    return typeof data === 'boolean' ? data : undefined;
  } catch (error) {
    return error instanceof SessionEnded ? false : undefined;
  }
}
