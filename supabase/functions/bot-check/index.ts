/** `bot-check`: hands out the challenges of the proof of work. Wiring only; see handler.ts. */
import catalogueFile from '../_shared/catalogue.json' with { type: 'json' };
import { siteHostsOf } from '../_shared/catalogue.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { giveChallenge } from './handler.ts';

const settings = readSettings();

export default serveFunction(
  { name: 'bot-check', method: 'GET', site: siteHostsOf(catalogueFile, settings.adminHost), settings },
  (request) => giveChallenge(request, settings),
);
