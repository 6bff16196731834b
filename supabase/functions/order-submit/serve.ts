import { deliverSoonOf } from '../_shared/call-deliver.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { createSubmitOffer } from './handler.ts';
import { proofOfWork } from './proof-of-work.ts';
import { turnstile } from './turnstile.ts';

export function serveOrderSubmit(context: FunctionContext) {
  const { settings, listings, log } = context;
  if (settings.messagesProblem) log.error('order-submit', 'not_configured', settings.messagesProblem);
  const botCheck = settings.turnstile
    ? turnstile(settings.turnstile, listings, settings, log)
    : proofOfWork(settings);
  const afterStored = deliverSoonOf(context, 'order-submit');
  return serveFunction(
    context,
    { name: 'order-submit', method: 'POST' },
    createSubmitOffer({ ...context, botCheck, afterStored }),
  );
}
