import { deliverSoonOf } from '../_shared/call-deliver.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { createNegotiation } from './handler.ts';

export function serveNegotiation(context: FunctionContext) {
  const afterMove = deliverSoonOf(context, 'negotiation');
  return serveFunction(
    context,
    { name: 'negotiation', method: 'POST' },
    createNegotiation({ ...context, afterMove }),
  );
}
