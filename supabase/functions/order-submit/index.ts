/** `order-submit`: accepts an offer. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { deliverSoonOf, type SendToDeliver, sendToDeliver } from '../_shared/deliver-soon.ts';
import { logError } from '../_shared/log.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { createSubmitOffer } from './handler.ts';
import { proofOfWork } from './proof-of-work.ts';
import { turnstile } from './turnstile.ts';

const botCheck = settings.turnstile
  ? turnstile(settings.turnstile, listings, settings)
  : proofOfWork(settings);
if (settings.messagesProblem) logError('order-submit', 'not_configured', settings.messagesProblem);

/** @param send the embedded backend calls `deliver` in the same process, which may not call its own URL */
export function orderSubmitWith(send: SendToDeliver) {
  const afterStored = deliverSoonOf('order-submit', settings, send);
  return serveFunction(
    { name: 'order-submit', method: 'POST', listings, settings },
    createSubmitOffer({ settings, listings, botCheck, callDatabase, afterStored }),
  );
}

export default orderSubmitWith(sendToDeliver);
