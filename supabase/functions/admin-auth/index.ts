/** `admin-auth`: signs the administrator in, and enrols a second factor. Wiring only; see handler.ts and factor.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { type SendToDeliver, sendToDeliver } from '../_shared/deliver-soon.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { authServer } from './auth-server.ts';
import { createFactorHandler } from './factor.ts';
import { createSignIn } from './handler.ts';
import { createNotify } from './notify.ts';
import { createQueue } from './queue.ts';

const common = { name: 'admin-auth', listings, settings };
/** With the secret key, which no client of the gateway may send. */
const factor = serveFunction(
  { ...common, method: 'PUT', key: 'secret' },
  createFactorHandler({ secretKey: settings.secretKey, callDatabase }),
);

/** @param send the embedded backend calls `deliver` in the same process, which may not call its own URL */
export function adminAuthWith(send: SendToDeliver) {
  const auth = authServer(settings);
  const notify = createNotify(settings, send);
  const signIn = serveFunction(
    { ...common, method: 'POST', adminOnly: true },
    createSignIn({ settings, auth, queue: createQueue(), callDatabase, notify }),
  );
  return { fetch: (request: Request) => (request.method === 'PUT' ? factor : signIn).fetch(request) };
}

export default adminAuthWith(sendToDeliver);
