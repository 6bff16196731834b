/**
 * The list of names, read by page. A page stays as it was read: a name that was changed keeps its row until the list is sorted,
 * filtered or refreshed, so that nothing moves under the pointer.
 */
import { queryOptions } from '@tanstack/react-query';
import type { NameSort, Returned } from '#contract/calls.ts';
import { MAX_NAMES_READ, type NameChange, type NamesRead } from '#contract/names.ts';
import type { Call } from '../api/call.ts';
import type { CatalogueApi } from '../api/catalogue.ts';
import { writeFragment } from './fragment.ts';
import { valuesAfter } from './name-values.ts';
import {
  ALL_NAMES,
  MAX_TERM_LENGTH,
  type NamesView,
  namesFragmentOf,
  nameTermOf,
  parseNamesFragment,
  sortedBy,
} from './names-view.ts';
import type { SessionCache } from './session-cache.ts';

/** A page has the names whose values are read from the file at once. */
export const NAMES_PER_PAGE = MAX_NAMES_READ;

/** Up to this number all rows are on the page, to search, print and read aloud; above it, only those in view. */
const WHOLE_TABLE_LIMIT = 500;

/** Time without a keystroke after which a typed text is searched for, in milliseconds. */
const TYPING_PAUSE_MS = 250;

export type ListedName = Returned<'list_names'>['names'][number];

export interface NamesPage {
  readonly view: NamesView;
  readonly page: number;
  readonly total: number;
  readonly names: readonly ListedName[];
}

export function isLongList(total: number): boolean {
  return total > WHOLE_TABLE_LIMIT;
}

/** The pages to have in memory: all of a short list, of a long one those with the rows from `first` to `last`. */
export function pagesInView(total: number, [first, last]: readonly [number, number]): number[] {
  const pages = Math.ceil(total / NAMES_PER_PAGE);
  const ends = isLongList(total) ? [first, last] : [0, total];
  const [from = 0, to = 0] = ends.map((row) => Math.floor(row / NAMES_PER_PAGE));
  return [...Array(pages).keys()].slice(Math.max(0, from), to + 1);
}

/** @param write is replaced by tests */
export function createNames(
  call: Call,
  { readFile }: Pick<CatalogueApi, 'readFile'>,
  { client, sessionAtom }: SessionCache,
  write = writeFragment,
) {
  const $view = sessionAtom<NamesView>(ALL_NAMES);
  /** What is typed into the search field. */
  const $text = sessionAtom('');
  /** The rows of a long list that are on the screen or near it. */
  const $inView = sessionAtom<readonly [first: number, last: number]>([0, 0]);
  /** The names whose row is open. */
  const $open = sessionAtom<ReadonlySet<string>>(new Set());
  let typing: ReturnType<typeof setTimeout> | undefined;

  const pageQuery = (view: NamesView, page: number) =>
    queryOptions({
      queryKey: ['names', 'page', view, page],
      queryFn: async ({ signal }): Promise<NamesPage> => {
        const { term, state, only, sort, descending } = view;
        const filter = { ...(term && { term }), ...(state && { state }), ...(only && { only }) };
        const asked = { filter, sort, descending, page, page_size: NAMES_PER_PAGE };
        return { view, page, ...(await call('list_names', asked, signal)) };
      },
      staleTime: Number.POSITIVE_INFINITY,
      // With all pages of 10,000 names in memory, rows that were changed stay where they are.
      gcTime: Number.POSITIVE_INFINITY,
      meta: { failure: 'Failed to fetch names' },
    });

  const countsQuery = queryOptions({
    queryKey: ['names', 'counts'],
    queryFn: ({ signal }) => call('name_counts', {}, signal),
    meta: { failure: 'Failed to count names' },
  });

  /** What the catalogue's file has of these names; without names, whether there is a file. */
  const fileQuery = (names: readonly string[]) =>
    queryOptions({
      queryKey: ['names', 'file', names],
      queryFn: async ({ signal }) => readFile(names, signal),
      staleTime: Number.POSITIVE_INFINITY,
      meta: { failure: 'Failed to read the catalogue' },
    });

  /** Newest first, of one name or of all. */
  const historyQuery = (name: string | undefined) =>
    ({
      queryKey: ['names', 'history', name ?? ''],
      queryFn: ({ pageParam, signal }: { pageParam: number | undefined; signal: AbortSignal }) =>
        call(
          'name_history',
          { ...(name !== undefined && { name }), ...(pageParam !== undefined && { before: pageParam }) },
          signal,
        ),
      meta: { failure: 'Failed to load the history of names' },
    }) as const;

  /** The row of a name in the pages that are in memory. */
  function listedName(name: string): ListedName | undefined {
    for (const [, page] of client.getQueriesData<NamesPage>({ queryKey: ['names', 'page'] })) {
      const found = page?.names.find((each) => each.name === name);
      if (found) return found;
    }
    return undefined;
  }

  /** Shows values in the rows of names without reading them again. The other rows stay the same objects. */
  function showNames(changed: ReadonlyMap<string, Partial<ListedName>>): void {
    client.setQueriesData<NamesPage>({ queryKey: ['names', 'page'] }, (page) =>
      page?.names.some(({ name }) => changed.has(name))
        ? {
            ...page,
            names: page.names.map((each) =>
              changed.has(each.name) ? { ...each, ...changed.get(each.name) } : each,
            ),
          }
        : page,
    );
  }

  /** Shows what was saved in what the file has, where that was read. */
  function showValues(changes: ReadonlyMap<string, readonly NameChange[]>): void {
    client.setQueriesData<NamesRead | 'unavailable'>({ queryKey: ['names', 'file'] }, (read) => {
      if (!read || read === 'unavailable') return read;
      const known = [...changes].flatMap(([name, own]) => {
        const values = read.names[name];
        return values ? [[name, valuesAfter(values, own)] as const] : [];
      });
      return known.length === 0 ? read : { ...read, names: { ...read.names, ...Object.fromEntries(known) } };
    });
  }

  /** Shows the list of a fragment, as after Back. */
  function openView(fragment: string): void {
    clearTimeout(typing);
    const view = parseNamesFragment(fragment);
    $text.set(view.term ?? '');
    if (namesFragmentOf(view) !== namesFragmentOf($view.get())) showView(view);
  }

  /** Leaves a text that was just typed without a search: its fragment would be written into the URL of the next page. */
  function stopTyping(): void {
    clearTimeout(typing);
  }

  /** Searches for a text after a pause in typing. */
  function typeText(text: string): void {
    clearTimeout(typing);
    $text.set(text.slice(0, MAX_TERM_LENGTH));
    typing = setTimeout(search, TYPING_PAUSE_MS);
  }

  /** Searches for the typed text at once. Typing on replaces the search, so that Back does not go through every letter. */
  function search(): void {
    const term = nameTermOf($text.get());
    setView({ term }, term !== undefined && $view.get().term !== undefined);
  }

  /** Changes a part of the view; undefined removes it. What is typed by now is searched for as well. */
  function setView(changed: Partial<NamesView>, replaces = false): void {
    clearTimeout(typing);
    const view = { ...$view.get(), term: nameTermOf($text.get()), ...changed };
    const fragment = namesFragmentOf(view);
    if (fragment === namesFragmentOf($view.get())) return;
    write(fragment, replaces);
    showView(view);
  }

  /** Sorts the list of the chosen view, which may be loading yet, by a press on a column's title. */
  function sortBy(sort: NameSort): void {
    const { descending } = sortedBy($view.get(), sort);
    setView({ sort, descending });
  }

  /** Shows all names, in the same order. */
  function showAll(): void {
    $text.set('');
    setView({ term: undefined, state: undefined, only: undefined });
  }

  function showView(view: NamesView): void {
    // The new list is read as it is now.
    client.removeQueries({ queryKey: ['names', 'page'], type: 'inactive' });
    $inView.set([0, 0]);
    $view.set(view);
  }

  function toggleName(name: string): void {
    const open = new Set($open.get());
    if (!open.delete(name)) open.add(name);
    $open.set(open);
  }

  return {
    $view,
    $text,
    $inView,
    $open,
    pageQuery,
    countsQuery,
    fileQuery,
    historyQuery,
    listedName,
    showNames,
    showValues,
    openView,
    stopTyping,
    typeText,
    search,
    setView,
    sortBy,
    showAll,
    toggleName,
  };
}

export type NamesStore = ReturnType<typeof createNames>;
