/** The published catalogue, as the functions read it from the database. */
import type { CallDatabase } from './call-database.ts';
import type { SiteHosts } from './contract/hosts.ts';
import type { ListingState, PublishedSettings } from './contract/publication.ts';
import { DatabaseUnavailable } from './rejection.ts';

/** Maximum age of the cached catalogue, in milliseconds, before the database is queried for a new version. */
const MAX_AGE_MS = 1_000;

export interface PublishedCatalogue {
  readonly version: number;
  /** Identifies the build; null where the publisher gave none. */
  readonly build: string | null;
  /** Every name of the catalogue, also those that take no offers: their pages are the site's too. */
  readonly site: SiteHosts;
  /** The site's first language, as a BCP 47 code. */
  readonly language: string;
  readonly settings: PublishedSettings;
  readonly states: ReadonlyMap<string, ListingState>;
}

export interface Listings {
  /**
   * The catalogue as it was at most MAX_AGE_MS ago; older only while the database does not respond.
   * @throws DatabaseUnavailable if nothing was read yet, and nothing can be
   */
  read(): Promise<PublishedCatalogue>;
  /** The state of a name. Not `for_sale` only if the database says so now. @throws DatabaseUnavailable */
  stateOf(name: string): Promise<ListingState | undefined>;
  /** Whether a rule about the site's hosts holds. False only if it does not hold now. @throws DatabaseUnavailable */
  allows(rule: (site: SiteHosts) => boolean): Promise<boolean>;
}

/** @param adminHost ADMIN_HOST, undefined if it is not set */
export function createListings(callDatabase: CallDatabase, adminHost: string | undefined): Listings {
  let cached: PublishedCatalogue | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let inFlight: Promise<PublishedCatalogue> | undefined;
  let next: Promise<PublishedCatalogue> | undefined;

  async function load(): Promise<PublishedCatalogue> {
    const startedAt = performance.now();
    const known = { known: cached?.version ?? null, known_build: cached?.build ?? null };
    const found = await callDatabase('read_listings', known);
    if (found === null) throw new DatabaseUnavailable('no catalogue is published: run npm run build');
    if (found.states !== undefined || cached === undefined) {
      const { version, hosts = [], language = 'en', build = null, settings = {}, states = {} } = found;
      const byName = new Map(Object.entries(states));
      cached = {
        version,
        build,
        language,
        settings,
        states: byName,
        site: { names: new Set(byName.keys()), hosts, adminHost },
      };
    }
    checkedAt = startedAt;
    return cached;
  }

  /** Reads what the database has at the moment of the call or later. Simultaneous calls share one request. */
  function refresh(): Promise<PublishedCatalogue> {
    if (inFlight === undefined) {
      inFlight = load().finally(() => {
        inFlight = undefined;
      });
      return inFlight;
    }
    // The database may have responded to the request in flight before this call.
    next ??= inFlight
      .catch(() => {})
      .then(() => {
        next = undefined;
        return refresh();
      });
    return next;
  }

  async function read(): Promise<PublishedCatalogue> {
    if (cached === undefined) return await refresh();
    if (performance.now() - checkedAt < MAX_AGE_MS) return cached;
    // An error is no reason to reject: the database checks the listing again when it stores an offer.
    const old = cached;
    return await (inFlight ?? refresh()).catch(() => old);
  }

  return {
    read,
    stateOf: async (name) => {
      const state = (await read()).states.get(name);
      return state === 'for_sale' ? state : (await refresh()).states.get(name);
    },
    allows: async (rule) => rule((await read()).site) || rule((await refresh()).site),
  };
}
