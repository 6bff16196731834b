/** `admin-auth`: signs the administrator in. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { authServer } from './auth-server.ts';
import { createSignIn } from './handler.ts';
import { createQueue } from './queue.ts';

export default serveFunction(
  { name: 'admin-auth', method: 'POST', adminOnly: true, listings, settings },
  createSignIn({ settings, auth: authServer(settings), queue: createQueue(), callDatabase }),
);
