import { atom } from 'nanostores';
import {
  type DomainDescription,
  type DomainName,
  type DomainNames,
  fetchDescriptions,
  fetchDomainNames,
} from '../api/domain-names.ts';
import { fold } from '../domain-name/fold.ts';
import { lengthOf, partsOf } from '../domain-name/parts-of.ts';

export type { DomainDescription } from '../api/domain-names.ts';

/** Number of results shown at first, and added by each `showMore`. */
const RESULTS_PER_STEP = 48;

/** More words of a query are ignored. */
const MAX_WORDS = 10;

const MOST_NEAR = 3;
/** Names that share fewer letters with what was typed do not begin like it. */
const LEAST_ALIKE = 2;

/** Lengths of a label that can be chosen, in letters. */
export const LENGTHS = [
  [1, 5],
  [6, 8],
  [9, 12],
  [13, 63],
] as const;

export interface Query {
  /** Words, in any order. */
  text: string;
  /** With its dot; empty for all. */
  ending: string;
  /** Index in `LENGTHS`; empty for all. */
  length: string;
  /** By price, `up` from the lowest or `down` from the highest; empty: in the owner's order. */
  sort: string;
}

export interface Result extends DomainName {
  /** Place in the owner's order, and so in `$descriptions`. */
  index: number;
}

export type SearchState =
  /** Nothing is typed or chosen. */
  | { status: 'idle' }
  | { status: 'working' }
  /** `names` are the first ones of `count`; where that is 0, those that come near. */
  | { status: 'found'; query: Query; names: Result[]; count: number; near?: Near }
  | { status: 'failed' };

/** At most three names, which begin as what was typed does, or else have its ending. */
interface Near {
  by: 'start' | 'ending';
  names: Result[];
}

/** State of the search in a large catalogue. */
export const $search = atom<SearchState>({ status: 'idle' });

/** In the order of the names; undefined until they are loaded. The results are useful without them. */
export const $descriptions = atom<readonly DomainDescription[] | undefined>();

/** A name with what is compared. */
interface Indexed extends Result {
  folded: string;
  ending: string;
  length: number;
}

interface IndexedNames {
  /** Of the names, for their descriptions. */
  hash: string;
  all: Indexed[];
}

let fetching: Promise<IndexedNames> | undefined;
/** Set once they are loaded. */
let names: IndexedNames | undefined;
/** The results of the latest query. */
let matches: Result[] = [];
/** Incremented with every query, so that the results of an earlier one are dropped. */
let latest = 0;
/** Makes the latest query once more. */
let repeat: (() => void) | undefined;
let describing: Promise<void> | undefined;

/**
 * Searches while the visitor types; fetches the names on the first use, and again only after a failure.
 * @param prefix of the language, for the prices that are sorted by
 */
export async function search(
  query: Query,
  prefix: string,
  fetchNames = fetchDomainNames,
  fetchTexts = fetchDescriptions,
): Promise<void> {
  latest += 1;
  const mine = latest;
  repeat = () => void search(query, prefix, fetchNames, fetchTexts);
  if (!query.text.trim() && !query.ending && !query.length && !query.sort)
    return $search.set({ status: 'idle' });
  if (!names) $search.set({ status: 'working' });
  fetching ??= fetchNames().then(indexed);
  try {
    names = await fetching;
    if (query.sort) await loadDescriptions(prefix, fetchTexts);
    if (mine !== latest) return;
    matches = sorted(match(names.all, query), query.sort);
    const shown = show({ ...query, text: query.text.trim() }, RESULTS_PER_STEP, names.all);
    // Once, or again after a failure.
    if (shown.length > 0) void loadDescriptions(prefix, fetchTexts);
  } catch {
    fetching = undefined;
    if (mine === latest) $search.set({ status: 'failed' });
  }
}

/** Searches again after a failure. */
export function retrySearch(): void {
  if ($search.get().status === 'failed') repeat?.();
}

// Not where pages are prerendered and in unit tests.
globalThis.addEventListener?.('online', retrySearch);

/** Shows further results. */
export function showMore(): void {
  const state = $search.get();
  if (state.status === 'found') show(state.query, state.names.length + RESULTS_PER_STEP, []);
}

/** Fetches the descriptions of the names once; again after a failure. */
async function loadDescriptions(prefix: string, fetchTexts = fetchDescriptions): Promise<void> {
  if (!names) return;
  describing ??= fetchTexts(prefix, names.hash).then(
    (texts) => $descriptions.set(texts),
    () => {
      describing = undefined;
    },
  );
  await describing;
}

function show(query: Query, most: number, all: Indexed[]): Result[] {
  const near = matches.length === 0 ? nearTo(all, query) : undefined;
  const names = matches.slice(0, most);
  $search.set({ status: 'found', query, names, count: matches.length, ...(near && { near }) });
  return near?.names ?? names;
}

function indexed({ hash, names }: DomainNames): IndexedNames {
  const all = names.map(({ name, shown }, index) => {
    const { label, ending } = partsOf(shown);
    return { name, shown, index, folded: fold(shown), ending, length: lengthOf(label) };
  });
  return { hash, all };
}

/**
 * Names that contain every word, in their decoded form without diacritics or in their ASCII form. Those that begin with
 * the first word come first; each group in the owner's order.
 */
function match(all: Indexed[], { text, ending, length }: Query): Result[] {
  const words = fold(text).split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
  const [first = ''] = words;
  const [least, most] = (length && LENGTHS[Number(length)]) || [0, Infinity];
  const beginning: Result[] = [];
  const elsewhere: Result[] = [];
  for (const one of all) {
    if (ending && one.ending !== ending) continue;
    if (one.length < least || one.length > most) continue;
    if (!words.every((word) => one.folded.includes(word) || one.name.includes(word))) continue;
    const begins = one.folded.startsWith(first) || one.name.startsWith(first);
    (begins ? beginning : elsewhere).push(resultOf(one));
  }
  return [...beginning, ...elsewhere];
}

function resultOf({ name, shown, index }: Indexed): Result {
  return { name, shown, index };
}

/** What to show in place of no results; undefined where nothing comes near. Those that share most letters come first. */
function nearTo(all: Indexed[], { text, ending }: Query): Near | undefined {
  const typed = fold(text).trim();
  const alike = all
    .map((one) => ({ one, letters: lettersShared(one.folded, typed) }))
    .filter(({ letters }) => letters >= LEAST_ALIKE)
    .sort((a, b) => b.letters - a.letters);
  if (alike.length > 0)
    return { by: 'start', names: alike.slice(0, MOST_NEAR).map(({ one }) => resultOf(one)) };
  const wanted = ending || /\.[^.]+$/.exec(typed)?.[0];
  const names = all.filter((one) => one.ending === wanted).slice(0, MOST_NEAR);
  return names.length > 0 ? { by: 'ending', names: names.map(resultOf) } : undefined;
}

/** Number of letters with which both begin. */
function lettersShared(one: string, other: string): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared;
}

/** Names without a price come last. @throws Error where the prices could not be loaded */
function sorted(found: Result[], sort: string): Result[] {
  if (!sort) return found;
  const descriptions = $descriptions.get();
  if (!descriptions) throw new Error('no prices');
  const placeOf = ({ index }: Result) => {
    const rank = descriptions[index]?.rank;
    return rank === undefined ? descriptions.length : sort === 'up' ? rank : -rank;
  };
  return [...found].sort((one, other) => placeOf(one) - placeOf(other));
}
