/** For tests: the stores of a dashboard over a table of made-up offers, with the list on the screen. */

import { afterEach, mock } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { SCHEMA_VERSION } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import { sampleOffer } from '#contract/sample-offer.ts';
import type { OfferFilter, OffersApi } from '../api/offers.ts';
import { createOfferStatus, statusMutations, updateErrorOf } from './offer-status.ts';
import { createOffers } from './offers.ts';
import { createSessionCache, type SessionCache } from './session-cache.ts';

export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Kinds of moves, and one of a later version. */
export const MOVE_KINDS = [
  'offer',
  'counter',
  'accept',
  'decline',
  'withdraw',
  'take_back',
  'close',
  'later',
];

/** The n-th offer is n minutes older than the first. */
export function offerOf(n: number, more: Partial<Offer> = {}): Offer {
  return sampleOffer({
    id: idOf(n),
    offer_amount: `${n}`,
    customer_name: `Customer ${n}`,
    created_at: new Date(Date.UTC(2026, 10, 20) - n * 60_000).toISOString(),
    status: 'pending',
    held: false,
    ...more,
  });
}

/** Until all responses have arrived. */
export const settled = () => new Promise((done) => setTimeout(done, 5));

/** Their timers would keep the tests' process alive. */
const opened: SessionCache[] = [];
afterEach(() => {
  for (const { clear } of opened.splice(0)) clear();
});

export function dashboardOf(total: number, heldTotal = 0) {
  const rows = Array.from({ length: total }, (_, n) => offerOf(n));
  const held = Array.from({ length: heldTotal }, (_, n) => offerOf(900_000 + n, { held: true }));
  const matching = (filter: OfferFilter) =>
    (filter.only === 'held' ? held : rows).filter(
      ({ status, customer_name, low = false }) =>
        low === (filter.only === 'low') &&
        (filter.status === undefined || status === filter.status) &&
        (filter.term === undefined || customer_name.includes(filter.term)),
    );
  const api = {
    readPage: mock.fn<OffersApi['readPage']>(async (filter, from) => {
      const all = matching(filter);
      const first = from ? all.findIndex(({ id }) => id === from.id) : 0;
      return structuredClone(all.slice(first, first + 100));
    }),
    readPageIndex: mock.fn<OffersApi['readPageIndex']>(async (filter) => {
      const all = matching(filter);
      return {
        total: all.length,
        keys: all.filter((_, n) => n % 100 === 0).map(({ id, created_at }) => ({ id, sort_key: created_at })),
      };
    }),
    readOffer: mock.fn<OffersApi['readOffer']>(async (id) => [...rows, ...held].find((row) => row.id === id)),
    readSchemaVersion: mock.fn<OffersApi['readSchemaVersion']>(async () => SCHEMA_VERSION),
    readCounts: mock.fn<OffersApi['readCounts']>(async () => ({
      status: { pending: rows.filter(({ status }) => status === 'pending').length },
      held: held.length,
      low: rows.filter(({ low }) => low).length,
      overdue: 0,
      messages: 0,
      withdrawn: 0,
      domains: ['lap.app'],
    })),
    removeOffer: mock.fn<OffersApi['removeOffer']>(async (id) => {
      const place = rows.findIndex((row) => row.id === id);
      rows.splice(place, 1);
    }),
    changeStatus: mock.fn<OffersApi['changeStatus']>(async (id, seen, status) => {
      const row = [...rows, ...held].find((each) => each.id === id && each.status === seen);
      if (row) row.status = status;
      return row ? 'changed' : 'conflict';
    }),
  };
  const onSessionEnded = mock.fn();
  const cache = createSessionCache(onSessionEnded);
  opened.push(cache);
  const { client } = cache;
  const store = createOffers(api, cache);
  const lastMoveOf = mock.fn<(id: string) => Promise<string | undefined>>(async () => undefined);
  const status = createOfferStatus(api, store, cache, lastMoveOf);

  const newList = () => new QueryObserver(client, { ...store.listQuery({}), enabled: false });
  let list = newList();
  const counts = new QueryObserver(client, { ...store.countsQuery, enabled: false });
  const showFilter = (filter: OfferFilter) => list.setOptions(store.listQuery(filter));

  return {
    rows,
    held,
    api,
    lastMoveOf,
    onSessionEnded,
    cache,
    client,
    ...store,
    ...status,
    list: () => list,
    /** Shows the dashboard, as its page does. @returns a function that signs out */
    async open(): Promise<() => void> {
      const stops = [list.subscribe(() => {}), counts.subscribe(() => {}), store.$filter.listen(showFilter)];
      showFilter(store.$filter.get());
      counts.setOptions(store.countsQuery);
      await settled();
      return () => {
        for (const stop of stops) stop();
        cache.clear();
        list = newList();
      };
    },
    /** The offers on the screen: of a list with an index, those of its pages in memory. */
    shown(): Offer[] {
      const { data } = list.getCurrentResult();
      if (!data || data.index.keys.length === 0) return [...(data?.newest ?? [])];
      return data.index.keys.flatMap((key) => {
        return client.getQueryData<Offer[]>(store.pageQuery(data.filter, key).queryKey) ?? [];
      });
    },
    updateErrors: () =>
      client
        .getMutationCache()
        .findAll({ ...statusMutations, status: 'error' })
        .map((mutation) => updateErrorOf(mutation).message),
  };
}
