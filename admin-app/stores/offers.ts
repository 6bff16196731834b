/** The list of the chosen filter, its pages, and the number of offers by status. */
import { queryOptions } from '@tanstack/react-query';
import { SCHEMA_VERSION } from '#contract/calls.ts';
import { isEmptyFilter, type OfferFilter, type OffersApi, type PageKey } from '../api/offers.ts';
import { listOfFirstPage, type OfferList, pagesToRead } from './offer-list.ts';
import { messageOf, type SessionCache } from './session-cache.ts';

export type { OfferCounts } from '../api/offers.ts';

export const OLDER_DATABASE =
  'The database is older than these pages, so search and filters are off: run npm run deploy:backend.';
export const OLDER_PAGES =
  'These pages are older than the database, so search and filters are off: reload, or build and deploy the pages again.';

export const FETCH_FAILURE = 'Failed to fetch offers';

/** Time until what could not be loaded is loaded again by itself, in milliseconds. */
export const RETRY_INTERVAL_MS = 20_000;

const hasFailed = ({ state }: { state: { status: string } }) => state.status === 'error';
/** Loads what could not be loaded again by itself, and at once where the network is back. */
const RETRY = {
  refetchInterval: (query: { state: { status: string } }) => hasFailed(query) && RETRY_INTERVAL_MS,
  refetchOnReconnect: hasFailed,
};

/** How long a page that has left the screen stays in memory, in milliseconds. */
const PAGE_GC_MS = 30_000;

export function createOffers(api: OffersApi, { client, sessionAtom }: SessionCache) {
  const $filter = sessionAtom<OfferFilter>({});
  /** The rows of a long list that are on the screen or near it. */
  const $inView = sessionAtom<readonly [first: number, last: number]>([0, 0]);
  /** The last error of loading; cleared by a success and by the user's next attempt, or dismissed. */
  const $loadError = sessionAtom<string | undefined>(undefined);
  const $isRefreshing = sessionAtom(false);
  /** Time of the newest offer when the dashboard was opened; empty where there was none, undefined until it is known. */
  const $openedAt = sessionAtom<string | undefined>(undefined);
  /** Offers that were on the screen since. */
  const $seen = sessionAtom<ReadonlySet<string>>(new Set());

  /** Why there are no filters; null where the database has the schema of these pages. Read once, and by Refresh. */
  const schemaQuery = queryOptions({
    ...RETRY,
    queryKey: ['site', 'schema'],
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'Failed to read the version of the database' },
    queryFn: async ({ queryKey, signal }) => {
      const version = await api.readSchemaVersion(signal);
      signal.throwIfAborted();
      if (version === SCHEMA_VERSION) return null;
      const problem = version < SCHEMA_VERSION ? OLDER_DATABASE : OLDER_PAGES;
      client.setQueryData(queryKey, problem);
      showList({});
      return problem;
    },
  });

  /** A list is complete once all pages that are on the screen are: it is replaced at once by another reading. */
  const listQuery = (filter: OfferFilter) =>
    queryOptions({
      ...RETRY,
      queryKey: ['list', filter],
      gcTime: 0,
      // What first-rows.ts has read is shown.
      refetchOnMount: false,
      meta: { failure: FETCH_FAILURE },
      queryFn: async ({ queryKey, signal }): Promise<OfferList> => {
        // An older database would list other offers.
        if (!isEmptyFilter(filter) && (await client.query(schemaQuery)) !== null) throw new Error('');
        const newest = await api.readPage(filter, undefined, signal);
        signal.throwIfAborted();
        if (isEmptyFilter(filter) && $openedAt.get() === undefined)
          $openedAt.set(newest[0]?.created_at ?? '');
        const first = listOfFirstPage(filter, newest);
        if (first.isWhole) {
          clearLoadError();
          return first;
        }
        // Rows are shown before their index is there, which takes its time with 100,000 offers.
        if (!client.getQueryData(queryKey)) client.setQueryData(queryKey, first);
        const index = await api.readPageIndex(filter, signal);
        signal.throwIfAborted();
        const keys = pagesToRead(index, ...$inView.get()).flatMap((page) => index.keys[page] ?? []);
        // The first page is read again too: an offer may have arrived before the index was made.
        await Promise.all(keys.map((key) => client.query({ ...pageQuery(filter, key), staleTime: 0 })));
        clearLoadError();
        return { filter, index, newest, isWhole: true };
      },
    });

  const pageQuery = (filter: OfferFilter, { sort_key, id }: PageKey) =>
    queryOptions({
      ...RETRY,
      queryKey: ['page', filter, sort_key, id],
      queryFn: async ({ queryKey, signal }) => {
        const offers = await api.readPage(filter, { sort_key, id }, signal);
        // Not the error of another page.
        if (client.getQueryState(queryKey)?.errorUpdateCount) clearLoadError();
        return offers;
      },
      // Read again with its list.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: PAGE_GC_MS,
      meta: { failure: FETCH_FAILURE },
    });

  /** Read with each list, and polled beside one of a filter, where new offers are not announced. */
  const countsQuery = queryOptions({
    queryKey: ['list details', 'counts'],
    queryFn: ({ signal }) => api.readCounts(signal),
    meta: { failure: 'Failed to count offers' },
  });

  /**
   * Reads the list again, with what stands beside it. The rows on the screen stay until it is there.
   * @param options.quiet shows no error
   * @returns whether the list now comes from a new reading
   */
  async function reload({ quiet = false } = {}): Promise<boolean> {
    client.removeQueries({ queryKey: ['page'], type: 'inactive' });
    void client.invalidateQueries({ queryKey: ['list details'] });
    const { queryKey } = listQuery($filter.get());
    await client.refetchQueries({ queryKey, type: 'active' });
    const state = client.getQueryState(queryKey);
    if (state?.error && !quiet) showLoadError(state.error);
    return state?.status === 'success';
  }

  /** Reads the list and the state of the site again, with a spinner. */
  async function refresh(): Promise<void> {
    const mutations = client.getMutationCache();
    for (const mutation of mutations.findAll({ status: 'error' })) mutations.remove(mutation);
    clearLoadError();
    $isRefreshing.set(true);
    void client.invalidateQueries({ queryKey: ['site'] });
    await reload();
    $isRefreshing.set(false);
  }

  function showList(filter: OfferFilter): void {
    clearLoadError();
    $inView.set([0, 0]);
    $filter.set(client.getQueryData(schemaQuery.queryKey) ? {} : filter);
  }

  function showLoadError(error: Error): void {
    $loadError.set(messageOf(error, FETCH_FAILURE));
  }

  function clearLoadError(): void {
    $loadError.set(undefined);
  }

  return {
    $filter,
    $inView,
    $loadError,
    $isRefreshing,
    $openedAt,
    $seen,
    schemaQuery,
    listQuery,
    pageQuery,
    countsQuery,
    reload,
    refresh,
    showList,
    showLoadError,
    clearLoadError,

    /** Notes that an offer was on the screen. */
    markSeen: (id: string) => $seen.set(new Set($seen.get()).add(id)),
  };
}

export type OffersStore = ReturnType<typeof createOffers>;
