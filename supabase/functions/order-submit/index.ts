/** `order-submit`: accepts an offer. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { createListings } from '../_shared/listings.ts';
import { logError } from '../_shared/log.ts';
import { ownerTargets } from '../_shared/message-targets.ts';
import { offerArrivals } from '../_shared/offer-arrivals.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { createDeliverSoon, edgeRuntime } from './deliver-soon.ts';
import { createSubmitOffer } from './handler.ts';
import { proofOfWork } from './proof-of-work.ts';
import { turnstile } from './turnstile.ts';

const settings = readSettings();
const listings = createListings(callDatabase, settings.adminHost);
const botCheck = settings.turnstile
  ? turnstile(settings.turnstile, listings, settings)
  : proofOfWork(settings);
const hasMessages = ownerTargets(settings.messages).length > 0 || settings.messages.mail !== undefined;
const deliverSoon = hasMessages ? createDeliverSoon({ ...settings, runtime: edgeRuntime() }) : undefined;
const afterStored = () => {
  offerArrivals.add();
  deliverSoon?.();
};
if (settings.messagesProblem) logError('order-submit', 'not_configured', settings.messagesProblem);

export default serveFunction(
  { name: 'order-submit', method: 'POST', listings, settings },
  createSubmitOffer({ settings, listings, botCheck, callDatabase, afterStored }),
);
