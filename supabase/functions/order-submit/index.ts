/** `order-submit`: accepts an offer. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { logError } from '../_shared/log.ts';
import { offerArrivals } from '../_shared/offer-arrivals.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { createDeliverSoon, edgeRuntime } from './deliver-soon.ts';
import { createSubmitOffer } from './handler.ts';
import { proofOfWork } from './proof-of-work.ts';
import { turnstile } from './turnstile.ts';

const botCheck = settings.turnstile
  ? turnstile(settings.turnstile, listings, settings)
  : proofOfWork(settings);
const { mail, webhooks } = settings.messages;
const hasMessages = mail !== undefined || webhooks.urls.length > 0;
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
