/** `bot-check`: issues the challenges of the proof of work. Wiring only; see handler.ts. */
import catalogueFile from '../_shared/catalogue.json' with { type: 'json' };
import { siteHostsOf } from '../_shared/catalogue.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { respondWithChallenge } from './handler.ts';

const settings = readSettings();
const site = siteHostsOf(catalogueFile, settings.adminHost);

export default serveFunction({ name: 'bot-check', method: 'GET', site, settings }, (request) =>
  respondWithChallenge(request, { settings, site }),
);
