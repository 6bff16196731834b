/** `admin-auth`: signs the administrator in. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { createListings } from '../_shared/listings.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { authServer } from './auth-server.ts';
import { createSignIn } from './handler.ts';
import { createLanes } from './lanes.ts';

const settings = readSettings();

export default serveFunction(
  {
    name: 'admin-auth',
    method: 'POST',
    adminOnly: true,
    listings: createListings(callDatabase, settings.adminHost),
    settings,
  },
  createSignIn({ settings, auth: authServer(settings), lanes: createLanes(), callDatabase }),
);
