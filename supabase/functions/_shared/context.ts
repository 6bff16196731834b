import { type CallDatabase, createCallDatabase } from './call-database.ts';
import { type CallDeliver, deliverByRequest } from './call-deliver.ts';
import { createListings, type Listings } from './listings.ts';
import { createLog, type Log } from './log.ts';
import type { Settings } from './settings.ts';

/** What the functions work with. None of it stands at module level, so that one process can run several projects. */
export interface FunctionContext {
  readonly settings: Settings;
  readonly listings: Listings;
  readonly callDatabase: CallDatabase;
  readonly log: Log;
  /** Sends a request to the project itself: to its data API, to auth or to another function. */
  readonly fetch: typeof fetch;
  readonly deliver: CallDeliver;
  /** Keeps the function alive until the promise is settled, after its response. */
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

/** The runtime of hosted functions, a global there. */
interface EdgeRuntime {
  waitUntil(promise: Promise<unknown>): void;
}

/** The functions of one process share a context. Without options it is that of a hosted project. */
export function createContext(
  settings: Settings,
  {
    fetch = globalThis.fetch,
    log = createLog(console),
    waitUntil = (promise: Promise<unknown>) =>
      (globalThis as { EdgeRuntime?: EdgeRuntime }).EdgeRuntime?.waitUntil(promise),
    callDatabase = createCallDatabase(settings, fetch),
  }: Partial<Pick<FunctionContext, 'fetch' | 'log' | 'waitUntil' | 'callDatabase'>> = {},
): FunctionContext {
  const listings = createListings(callDatabase, settings.adminHost);
  const deliver = deliverByRequest(settings, fetch);
  return { settings, listings, callDatabase, log, fetch, deliver, waitUntil };
}
