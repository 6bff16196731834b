/** `negotiation`: takes the moves of owner and buyer. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { deliverSoonOf, type SendToDeliver, sendToDeliver } from '../_shared/deliver-soon.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { createNegotiation } from './handler.ts';

/** @param send the embedded backend calls `deliver` in the same process, which may not call its own URL */
export function negotiationWith(send: SendToDeliver) {
  return serveFunction(
    { name: 'negotiation', method: 'POST', listings, settings },
    createNegotiation({
      settings,
      listings,
      callDatabase,
      afterMove: deliverSoonOf('negotiation', settings, send),
    }),
  );
}

export default negotiationWith(sendToDeliver);
