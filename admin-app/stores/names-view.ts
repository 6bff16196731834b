/**
 * Which names are listed and in which order, in the URL's fragment: `#q=lap&state=sold&only=no_price&sort=price&order=desc`. No
 * request line has it.
 */
import { NAME_SORTS, type NameSort, ONLY_NAMES, type OnlyNames } from '#contract/calls.ts';
import type { ListingState } from '#contract/publication.ts';

export const NAME_STATES: readonly ListingState[] = ['for_sale', 'reserved', 'sold'];

/** Longest term, in UTF-16 units. */
export const MAX_TERM_LENGTH = 100;

export interface NamesView {
  /** A part of the name. */
  readonly term?: string | undefined;
  readonly state?: ListingState | undefined;
  readonly only?: OnlyNames | undefined;
  readonly sort: NameSort;
  readonly descending: boolean;
}

export const ALL_NAMES: NamesView = { sort: 'name', descending: false };

export function isAllNames({ term, state, only }: NamesView): boolean {
  return term === undefined && state === undefined && only === undefined;
}

/** Whether the first press on a column's title sorts from the end: what is dear, wanted or new is looked for first. */
function isFirstDescending(sort: NameSort): boolean {
  return sort !== 'name' && sort !== 'state';
}

export function isOfVisits(sort: NameSort): boolean {
  return sort === 'visits_7' || sort === 'visits_30';
}

/** The view after a press on a column's title: the other direction of the present one. */
export function sortedBy(view: NamesView, sort: NameSort): NamesView {
  const descending = view.sort === sort ? !view.descending : isFirstDescending(sort);
  return { ...view, sort, descending };
}

/** Wrong values are left out. */
export function parseNamesFragment(fragment: string): NamesView {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const sort = NAME_SORTS.find((each) => each === parts.get('sort')) ?? ALL_NAMES.sort;
  const order = parts.get('order');
  return {
    term: nameTermOf(parts.get('q') ?? ''),
    state: NAME_STATES.find((each) => each === parts.get('state')),
    only: ONLY_NAMES.find((each) => each === parts.get('only')),
    sort,
    descending: order === null ? isFirstDescending(sort) : order === 'desc',
  };
}

/** With `#`; empty for all names in their order. */
export function namesFragmentOf({ term, state, only, sort, descending }: NamesView): string {
  const parts = new URLSearchParams();
  if (term !== undefined) parts.set('q', term);
  if (state !== undefined) parts.set('state', state);
  if (only !== undefined) parts.set('only', only);
  if (sort !== ALL_NAMES.sort) parts.set('sort', sort);
  if (descending !== isFirstDescending(sort)) parts.set('order', descending ? 'desc' : 'asc');
  const text = String(parts);
  return text && `#${text}`;
}

/** What to search for; undefined where a typed text is empty, too long or no plain text. */
export function nameTermOf(text: string): string | undefined {
  const term = text.trim();
  const isTerm = term !== '' && term.length <= MAX_TERM_LENGTH && !/[\p{Surrogate}\p{Cc}]/u.test(term);
  return isTerm ? term : undefined;
}
