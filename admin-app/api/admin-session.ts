/** The administrator's session in the database, which ends when it is not extended. */
import { type CallingClient, createCall } from './call.ts';
import { SessionEnded } from './with-fresh-token.ts';

/**
 * Reports to the server that the session is in use. False where the server has ended it; undefined where that is not
 * known, because there was no response or another error.
 */
export async function extendSession(client: CallingClient): Promise<boolean | undefined> {
  try {
    return await createCall(client)('extend_admin_session', {});
  } catch (error) {
    return error instanceof SessionEnded ? false : undefined;
  }
}
