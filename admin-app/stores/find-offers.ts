/** Finding offers: the filter in the URL's fragment, and the text that is typed into the search field. */
import {
  fragmentOf,
  MAX_TERM_LENGTH,
  type OfferFilter,
  parseFragment,
  termOf,
  writeFragment,
} from './fragment.ts';
import type { OffersStore } from './offers.ts';
import type { SessionCache } from './session-cache.ts';

/** Time without a keystroke after which a typed text is searched for, in milliseconds. */
export const TYPING_PAUSE_MS = 250;

/** @param write is replaced by tests */
export function createFindOffers(
  { $filter, showList }: Pick<OffersStore, '$filter' | 'showList'>,
  { sessionAtom }: Pick<SessionCache, 'sessionAtom'>,
  write = writeFragment,
) {
  /** What is typed into the search field. */
  const $text = sessionAtom('');
  let typing: ReturnType<typeof setTimeout> | undefined;

  /** Shows the list of a fragment, as after Back. Any other fragment, as an element's id, changes nothing. */
  function openFilter(fragment: string): void {
    const view = parseFragment(fragment);
    if (!view) return;
    clearTimeout(typing);
    $text.set(view.filter.term ?? '');
    if (fragmentOf(view.filter) !== fragmentOf($filter.get())) showList(view.filter);
  }

  /** Leaves a text that was just typed without a search: its fragment would be written into the URL of the next page. */
  function stopTyping(): void {
    clearTimeout(typing);
  }

  /** Searches for a text after a pause in typing; one that is too short removes the search. */
  function typeText(text: string): void {
    clearTimeout(typing);
    $text.set(text.slice(0, MAX_TERM_LENGTH));
    typing = setTimeout(search, TYPING_PAUSE_MS);
  }

  /** Searches for the typed text at once. */
  function search(): void {
    const term = termOf($text.get());
    const filter = $filter.get();
    // Typing on replaces the search, so that Back does not go through every letter.
    change({ ...filter, term }, term !== undefined && filter.term !== undefined);
  }

  /** Sets a part of the filter; undefined removes it. */
  function setFilter(changed: Omit<OfferFilter, 'term'>): void {
    change({ ...$filter.get(), ...changed, term: termOf($text.get()) });
  }

  /** Shows all offers. */
  function clearFilter(): void {
    $text.set('');
    change({});
  }

  function change(filter: OfferFilter, replaces = false): void {
    clearTimeout(typing);
    const fragment = fragmentOf(filter);
    if (fragment === fragmentOf($filter.get())) return;
    write(fragment, replaces);
    showList(filter);
  }

  return { $text, openFilter, stopTyping, typeText, search, setFilter, clearFilter };
}
