import { atom } from 'nanostores';
import { type DomainName, fetchDomainNames } from '../api/domain-names.ts';

export type SearchState =
  /** Nothing is searched for. */
  | { status: 'idle' }
  | { status: 'working' }
  /** `names` are the first ones of `count`. */
  | { status: 'found'; query: string; names: DomainName[]; count: number }
  | { status: 'failed' };

/** What the search of a large catalogue has found. */
export const $search = atom<SearchState>({ status: 'idle' });

/** Maximum number of results shown. */
const MAX_RESULTS = 50;

let fetching: Promise<DomainName[]> | undefined;
/** Once they have come. */
let names: DomainName[] | undefined;
let latest = '';

/** Searches as the visitor types; the names are fetched on the first use, and again only after a failure. */
export async function search(text: string, fetchNames = fetchDomainNames): Promise<void> {
  const query = text.trim().toLowerCase().normalize();
  latest = query;
  if (query === '') return $search.set({ status: 'idle' });
  if (!names) $search.set({ status: 'working' });
  fetching ??= fetchNames();
  try {
    names = await fetching;
    // A later letter has its own answer.
    if (query === latest) $search.set({ status: 'found', query, ...match(names, query) });
  } catch {
    fetching = undefined;
    if (query === latest) $search.set({ status: 'failed' });
  }
}

/**
 * Names that begin with the text come before those that hold it elsewhere; each group in the owner's order. A name is
 * found as it is read and as it is addressed.
 */
export function match(all: DomainName[], query: string): { names: DomainName[]; count: number } {
  const beginning: DomainName[] = [];
  const elsewhere: DomainName[] = [];
  for (const one of all) {
    if (one.shown.startsWith(query) || one.name.startsWith(query)) beginning.push(one);
    else if (one.shown.includes(query) || one.name.includes(query)) elsewhere.push(one);
  }
  return {
    names: [...beginning, ...elsewhere].slice(0, MAX_RESULTS),
    count: beginning.length + elsewhere.length,
  };
}
