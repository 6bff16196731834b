/** `bot-check`: issues the challenges of the proof of work. Wiring only; see handler.ts. */
import { callDatabase } from '../_shared/call-database.ts';
import { createListings } from '../_shared/listings.ts';
import { serveFunction } from '../_shared/serve-function.ts';
import { readSettings } from '../_shared/settings.ts';
import { respondWithChallenge } from './handler.ts';

const settings = readSettings();
const listings = createListings(callDatabase, settings.adminHost);

export default serveFunction({ name: 'bot-check', method: 'GET', listings, settings }, (request) =>
  respondWithChallenge(request, { settings, listings }),
);
