import type { FunctionContext } from '../_shared/context.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { respondWithChallenge } from './handler.ts';

export function serveBotCheck(context: FunctionContext) {
  return serveFunction(context, { name: 'bot-check', method: 'GET' }, (request) =>
    respondWithChallenge(request, context),
  );
}
