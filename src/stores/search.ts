import { atom } from 'nanostores';
import { type DomainName, fetchDomainNames } from '../api/domain-names.ts';

export type SearchState =
  /** The input is empty. */
  | { status: 'idle' }
  | { status: 'working' }
  /** `names` are the first ones of `count`. */
  | { status: 'found'; query: string; names: DomainName[]; count: number }
  | { status: 'failed' };

/** State of the search in a large catalogue. */
export const $search = atom<SearchState>({ status: 'idle' });

/** Maximum number of results shown. */
const MAX_RESULTS = 50;

let fetching: Promise<DomainName[]> | undefined;
/** Set once they are loaded. */
let names: DomainName[] | undefined;
let latest = '';

/** Searches while the visitor types; fetches the names on the first use, and again only after a failure. */
export async function search(text: string, fetchNames = fetchDomainNames): Promise<void> {
  const query = text.trim().toLowerCase().normalize();
  latest = query;
  if (query === '') return $search.set({ status: 'idle' });
  if (!names) $search.set({ status: 'working' });
  fetching ??= fetchNames();
  try {
    names = await fetching;
    // Skips the result of an earlier input.
    if (query === latest) $search.set({ status: 'found', query, ...match(names, query) });
  } catch {
    fetching = undefined;
    if (query === latest) $search.set({ status: 'failed' });
  }
}

/**
 * Names that begin with the query come first, then names that contain it; each group in the owner's order. Matches the
 * decoded and the ASCII form of a name.
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
