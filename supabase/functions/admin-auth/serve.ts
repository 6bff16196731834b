import { callDeliver } from '../_shared/call-deliver.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { authServer } from './auth-server.ts';
import { createFactorHandler } from './factor.ts';
import { createSignIn } from './handler.ts';
import { createQueue } from './queue.ts';

export function serveAdminAuth(context: FunctionContext) {
  const { settings, callDatabase, waitUntil } = context;
  // With the secret key, which no client of the gateway may send.
  const factor = serveFunction(
    context,
    { name: 'admin-auth', method: 'PUT', key: 'secret' },
    createFactorHandler({ secretKey: settings.secretKey, callDatabase }),
  );
  const signIn = serveFunction(
    context,
    { name: 'admin-auth', method: 'POST', adminOnly: true },
    createSignIn({
      ...context,
      auth: authServer(context),
      queue: createQueue(),
      notify: (notice) => waitUntil(callDeliver(context, 'admin-auth', { notice })),
    }),
  );
  return { fetch: (request: Request) => (request.method === 'PUT' ? factor : signIn).fetch(request) };
}
