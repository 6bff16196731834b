/** Has `deliver` send the owner a message about a sign-in. */

import { edgeRuntime, type SendToDeliver } from '../_shared/deliver-soon.ts';
import { logError } from '../_shared/log.ts';

/** The third wrong code of 24 hours was entered after the right password, or a recovery code was used. */
export type Notice = 'wrong_codes' | 'recovery_code';

/** Creates the call: it returns at once and never throws. What cannot be sent is logged. */
export function createNotify(
  { url, secretKey }: { url: string; secretKey: string },
  send: SendToDeliver,
): (notice: Notice) => void {
  const deliver = async (notice: Notice) => {
    try {
      const response = await send(
        new Request(`${url}/functions/v1/deliver`, {
          method: 'POST',
          headers: { apikey: secretKey, 'content-type': 'application/json' },
          body: JSON.stringify({ notice }),
        }),
      );
      await response.body?.cancel();
      if (!response.ok) logError('admin-auth', 'deliver_failed', `status ${response.status}`);
    } catch (error) {
      logError('admin-auth', 'deliver_failed', error instanceof Error ? error.name : typeof error);
    }
  };
  return (notice) => {
    const delivered = deliver(notice);
    edgeRuntime()?.waitUntil(delivered);
  };
}
