/** `order-submit`: accepts an offer. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import catalogueFile from '../_shared/catalogue.json' with { type: 'json' };
import { siteHostsOf } from '../_shared/catalogue.ts';
import { logError } from '../_shared/log.ts';
import { ownerTargets } from '../_shared/message-targets.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { createDeliverSoon, edgeRuntime } from './deliver-soon.ts';
import { createSubmitOffer } from './handler.ts';
import { proofOfWork } from './proof-of-work.ts';
import { turnstile } from './turnstile.ts';

const settings = readSettings();
const site = siteHostsOf(catalogueFile, settings.adminHost);
const botCheck = settings.turnstile ? turnstile(settings.turnstile, site, settings) : proofOfWork(settings);
const hasMessages = ownerTargets(settings.messages).length > 0 || settings.messages.mail !== undefined;
const afterStored = hasMessages ? createDeliverSoon({ ...settings, runtime: edgeRuntime() }) : undefined;
if (settings.messagesProblem) logError('order-submit', 'not_configured', settings.messagesProblem);

export default serveFunction(
  { name: 'order-submit', method: 'POST', site, settings },
  createSubmitOffer({ settings, site, botCheck, callDatabase, afterStored }),
);
