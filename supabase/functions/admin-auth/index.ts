/** `admin-auth`: signs the administrator in. Wiring only; what happens stands in handler.ts. */
import catalogueFile from '../_shared/catalogue.json' with { type: 'json' };
import { siteHostsOf } from '../_shared/catalogue.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { callDatabase } from '../_shared/service.ts';
import { readSettings } from '../_shared/settings.ts';
import { authServer } from './auth-server.ts';
import { signIn } from './handler.ts';

const settings = readSettings();
const auth = authServer(settings);

export default serveFunction(
  { name: 'admin-auth', method: 'POST', site: siteHostsOf(catalogueFile, settings.adminHost), settings },
  (request) => signIn(request, { settings, auth, callDatabase }),
);
