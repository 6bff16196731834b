/** `bot-check`: issues the challenges of the proof of work. Wiring only; see handler.ts. */
import { serveFunction } from '../_shared/serve-function.ts';
import { listings, settings } from '../_shared/site.ts';
import { respondWithChallenge } from './handler.ts';

export default serveFunction({ name: 'bot-check', method: 'GET', listings, settings }, (request) =>
  respondWithChallenge(request, { settings, listings }),
);
