/**
 * The view of the dashboard in the URL's fragment: `#q=ada%40example.com&status=pending&domain=lap.app`, `#only=held`,
 * `low`, `overdue` or `message`, or an offer as in a mail to the owner: `#offer=ID`. A fragment is not sent to any server, and a search term may be a customer's email.
 */
import { ONLY } from '#contract/calls.ts';
import { OFFER_STATUSES } from '#contract/offer.ts';
import { type OfferFilter, SORTS } from '../api/offers.ts';

export { isEmptyFilter, SORTS } from '../api/offers.ts';
export type { OfferFilter };

export interface View {
  readonly filter: OfferFilter;
  /** Id of the offer that is searched for and marked. It is shown in the list of all offers. */
  readonly offer?: string;
}

/** Characters from which on the database searches. */
const MIN_TERM_LENGTH = 3;

/** Longest term, in UTF-16 units. */
export const MAX_TERM_LENGTH = 100;

/** Parses a fragment; undefined where it is something else, such as the id of an element. Wrong values are left out. */
export function parseFragment(fragment: string): View | undefined {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  for (const [name, value] of parts) if (!NAMES.includes(name) || value === '') return undefined;
  const offer = parts.get('offer')?.toLowerCase();
  if (offer !== undefined) return ID.test(offer) ? { filter: {}, offer } : undefined;

  const domain = parts.get('domain') ?? '';
  return {
    filter: {
      term: termOf(parts.get('q') ?? ''),
      status: OFFER_STATUSES.find((each) => each === parts.get('status')),
      domain: DOMAIN.test(domain) ? domain : undefined,
      only: ONLY.find((each) => each === parts.get('only')),
      sort: SORTS.find((each) => each === parts.get('sort')),
    },
  };
}

/** Returns the fragment of a filter, with `#`; empty for all offers. */
export function fragmentOf({ term, status, domain, only, sort }: OfferFilter): string {
  const parts = new URLSearchParams();
  if (term !== undefined) parts.set('q', term);
  if (status !== undefined) parts.set('status', status);
  if (domain !== undefined) parts.set('domain', domain);
  if (only !== undefined) parts.set('only', only);
  if (sort !== undefined) parts.set('sort', sort);
  const text = String(parts);
  return text && `#${text}`;
}

/**
 * Writes the fragment of the page's URL, with `#`, which loads nothing and calls no listener.
 * @param replaces whether Back skips the view before
 */
export function writeFragment(fragment: string, replaces: boolean): void {
  const url = location.pathname + location.search + fragment;
  if (replaces) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
}

/** Returns what to search for; undefined where a typed text is too short, too long or no plain text. */
export function termOf(text: string): string | undefined {
  const term = text.trim();
  const isTerm =
    [...term].length >= MIN_TERM_LENGTH &&
    term.length <= MAX_TERM_LENGTH &&
    !/[\p{Surrogate}\p{Cc}]/u.test(term);
  return isTerm ? term : undefined;
}

const NAMES: readonly string[] = ['offer', 'q', 'status', 'domain', 'only', 'sort'];
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DOMAIN = /^[a-z0-9.-]{1,253}$/;
