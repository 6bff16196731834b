/** For tests: the stores of the page of names over a made-up catalogue. */

import { afterEach, mock } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import type { Build, NameChange, NamesRead, NameValues, ShownValue } from '#contract/names.ts';
import type { Call } from '../api/call.ts';
import { type CatalogueApi, CatalogueRejection } from '../api/catalogue.ts';
import { createChosenNames } from './chosen-names.ts';
import { createNameChanges } from './name-changes.ts';
import { ownValue, withValue } from './name-values.ts';
import { createNames, type ListedName } from './names.ts';
import type { NamesView } from './names-view.ts';
import { createSessionCache, type SessionCache } from './session-cache.ts';

export const nameOf = (n: number) => `name-${String(n).padStart(5, '0')}.example`;

export const IDLE: Build = { status: 'idle', about_seconds: 12, changes: [], live: [] };

const own = (value: string | null): ShownValue => ({ value, is_default: value === null });

export function valuesOf(price: string | null, more: Partial<NameValues> = {}): NameValues {
  return { state: own(null), price: own(price), minimum: own(null), description: { en: own(null) }, ...more };
}

/** Their timers would keep the tests' process alive. */
const opened: SessionCache[] = [];
afterEach(() => {
  for (const { clear } of opened.splice(0)) clear();
});

/** A page of `total` names at $1, $2 and so on. */
export function namesOf(total: number, file: NamesRead['file'] | 'unavailable' = 'own') {
  const values = new Map(Array.from({ length: total }, (_, n) => [nameOf(n), valuesOf(`$${n + 1}`)]));
  let build: Build = IDLE;
  const listed = (): ListedName[] =>
    [...values].map(([name, { state, price }]) => ({
      name,
      state: state.value ?? 'for_sale',
      price: price.value,
      open: 0,
      best: null,
      agreed: null,
      last_offer_at: null,
    }));
  const call = mock.fn(async (name: string, args: Record<string, unknown>) => {
    if (name !== 'list_names') return [];
    const { filter, descending, page } = args as unknown as {
      filter: NamesView;
      descending: boolean;
      page: number;
    };
    const found = listed().filter(
      ({ name, state }) =>
        (filter.term === undefined || name.includes(filter.term)) &&
        (filter.state === undefined || state === filter.state),
    );
    if (descending) found.reverse();
    return { total: found.length, names: found.slice(page * 100, page * 100 + 100) };
  });
  const api = {
    readFile: mock.fn<CatalogueApi['readFile']>(async (names) => {
      if (file === 'unavailable') return file;
      const found = names.flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : []));
      return {
        file,
        languages: ['en'],
        max_description: 160,
        shown: 'own/catalogue.yaml',
        names: Object.fromEntries(found),
        build,
      };
    }),
    readBuild: mock.fn<CatalogueApi['readBuild']>(async () => build),
    change: mock.fn<CatalogueApi['change']>(async (batch, changes) => {
      const changed = changes
        .map(({ name, field }) => ({ name, field, value: ownValue(values.get(name) as NameValues, field) }))
        .filter(({ value }, n) => value !== changes[n]?.from);
      if (changed.length > 0) throw new CatalogueRejection({ error: 'Changed.', code: 'changed', changed });
      write(changes);
      build = { ...build, status: 'building', changes: [...build.changes, batch] };
      return { batch, saved_at: '2026-11-29T16:31:00Z', build };
    }),
  };

  /** As by another administrator or by hand, too. */
  function write(changes: readonly Pick<NameChange, 'name' | 'field' | 'to'>[]): void {
    for (const { name, field, to } of changes)
      values.set(name, withValue(values.get(name) as NameValues, field, own(to)));
  }

  const onSessionEnded = mock.fn();
  const cache = createSessionCache(onSessionEnded);
  opened.push(cache);
  const fragments: string[] = [];
  const store = createNames(call as unknown as Call, api, cache, (fragment) => fragments.push(fragment));
  const changes = createNameChanges(api, store, cache);
  const chosen = createChosenNames(store, changes, cache);
  const { client } = cache;

  return {
    values,
    call,
    api,
    cache,
    client,
    fragments,
    write,
    ...store,
    ...changes,
    ...chosen,
    /** Ends the build: the pages show what was saved. */
    async finishBuild(end: Partial<Build> = {}) {
      build = { ...IDLE, live: build.changes, ...end };
      await client.refetchQueries({ queryKey: ['names', 'build'] });
    },
    /** Shows the first page, with the build. @returns a function that leaves it */
    async open(): Promise<() => void> {
      const page = new QueryObserver(client, store.pageQuery(store.$view.get(), 0));
      const building = new QueryObserver(client, { ...changes.buildQuery, refetchInterval: false });
      const stops = [
        page.subscribe(() => {}),
        building.subscribe(() => {}),
        store.$view.listen((view) => page.setOptions(store.pageQuery(view, 0))),
      ];
      await settled();
      return () => {
        for (const stop of stops) stop();
      };
    },
    /** The rows of the first page. */
    rows: () =>
      client.getQueryData<{ names: ListedName[] }>(store.pageQuery(store.$view.get(), 0).queryKey)?.names ??
      [],
  };
}

/** Until all responses have arrived. */
export const settled = () => new Promise((done) => setTimeout(done, 5));
