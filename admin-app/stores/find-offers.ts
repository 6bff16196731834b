/** Finding offers: the filter in the URL's fragment, the list that it reads, and the number of offers by status. */
import { atom } from 'nanostores';
import type { FindApi, OfferCounts, OfferFilter } from '../api/find-offers.ts';
import type { OffersReader } from '../api/offers.ts';
import {
  fragmentOf,
  isEmptyFilter,
  MAX_TERM_LENGTH,
  parseFragment,
  termOf,
  writeFragment,
} from './fragment.ts';
import type { Offers, OffersStore } from './offers.ts';

/** Time without a keystroke after which a typed text is searched for, in milliseconds. */
export const TYPING_PAUSE_MS = 250;

const NO_FILTER: OfferFilter = {};

/**
 * @param all reads all offers, without a filter
 * @param write is replaced by tests
 */
export function createFindOffers(api: FindApi, all: OffersReader, list: OffersStore, write = writeFragment) {
  const $filter = atom<OfferFilter>(NO_FILTER);
  /** What is typed into the search field. */
  const $text = atom('');
  /** Undefined while unknown; also where the server has no such function. */
  const $counts = atom<OfferCounts | undefined>();
  /** Whether the server can find offers; true until it is known that it cannot. */
  const $canFind = atom(true);
  /** The list of all offers as it was last read, whatever the filter. */
  const $allOffers = atom<Offers>({ status: 'loading' });

  let typing: ReturnType<typeof setTimeout> | undefined;
  /** The newest offers of the list when the counts were read last. */
  let counted: unknown;
  /** Incremented by each request and on sign-out, so that responses of earlier requests are dropped. */
  let countRequests = 0;
  /** Whether the counts changed since a filtered list was read. */
  let isOutdated = false;

  list.$offers.listen((offers) => {
    if (offers.status === 'loading' || list.isShowing(all)) $allOffers.set(offers);
    if (offers.status !== 'loaded' || offers.list.newest === counted) return;
    counted = offers.list.newest;
    updateCounts();
  });

  /** Shows the view of a fragment, as after Back. Any other fragment, as an element's id, changes nothing. */
  function openView(fragment: string): void {
    const view = parseFragment(fragment);
    if (!view) return;
    clearTimeout(typing);
    $text.set(view.filter.term ?? '');
    show(view.filter);
  }

  /** Searches for a text after a pause in typing; one that is too short removes the search. */
  function typeText(text: string): void {
    clearTimeout(typing);
    $text.set(text.slice(0, MAX_TERM_LENGTH));
    typing = setTimeout(search, TYPING_PAUSE_MS);
  }

  /** Searches for the typed text at once. */
  function search(): void {
    clearTimeout(typing);
    const term = termOf($text.get());
    const filter = $filter.get();
    // Typing on replaces the search, so that Back does not go through every letter.
    change({ ...filter, term }, term !== undefined && filter.term !== undefined);
  }

  /** Sets status or domain; undefined removes it. */
  function setFilter(changed: Omit<OfferFilter, 'term'>): void {
    clearTimeout(typing);
    change({ ...$filter.get(), ...changed, term: termOf($text.get()) });
  }

  /** Shows all offers. */
  function clearFilter(): void {
    clearTimeout(typing);
    $text.set('');
    change(NO_FILTER);
  }

  function change(filter: OfferFilter, replaces = false): void {
    const fragment = fragmentOf(filter);
    if (fragment === fragmentOf($filter.get())) return;
    write(fragment, replaces);
    show(filter);
  }

  function show(filter: OfferFilter): void {
    const fragment = fragmentOf(filter);
    if (fragment === fragmentOf($filter.get())) return;
    $filter.set(filter);
    void list.readFrom(isEmptyFilter(filter) ? all : api.readerOf(filter));
  }

  function isFiltered(): boolean {
    return !isEmptyFilter($filter.get());
  }

  /** Reads the counts again; an error leaves the previous ones. */
  function updateCounts(): void {
    readCounts().catch((error) => console.error('Failed to count offers', error));
  }

  /** @returns whether they have changed */
  async function readCounts(signal?: AbortSignal): Promise<boolean> {
    if (!$canFind.get()) return false;
    countRequests += 1;
    const request = countRequests;
    const counts = await api.readCounts(signal);
    if (request !== countRequests) return false;
    $canFind.set(counts !== 'unavailable');
    const before = $counts.get();
    if (counts === 'unavailable' || JSON.stringify(before) === JSON.stringify(counts)) return false;
    $counts.set(counts);
    return before !== undefined;
  }

  /**
   * Keeps a filtered list current, where new offers are not announced.
   * @param mayReload whether reading the list again moves nothing in use
   */
  async function checkFound(signal: AbortSignal, mayReload: () => boolean): Promise<void> {
    if (!isFiltered() || list.$offers.get().status === 'loading') return;
    const hasChanged = await readCounts(signal);
    if (hasChanged) isOutdated = true;
    if (isOutdated && isFiltered() && mayReload()) isOutdated = !(await list.reloadOffers({ quiet: true }));
  }

  /** Clears everything on sign-out. */
  function forgetFilter(): void {
    clearTimeout(typing);
    countRequests += 1;
    counted = undefined;
    isOutdated = false;
    $filter.set(NO_FILTER);
    $text.set('');
    $counts.set(undefined);
    $canFind.set(true);
  }

  return {
    $filter,
    $text,
    $counts,
    $canFind,
    $allOffers,
    openView,
    typeText,
    search,
    setFilter,
    clearFilter,
    isFiltered,
    updateCounts,
    checkFound,
    forgetFilter,
  };
}
