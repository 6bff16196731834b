import { useStore } from '@nanostores/react';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useMemo, useRef } from 'react';
import type { NamesRead, NameValues } from '#contract/names.ts';
import { shownPrice } from '#contract/shown-amount.ts';
import { type ListedName, type NamesPage, pagesInView } from '../stores/names.ts';
import { namesStore } from '../stores/names-admin.ts';
import { messageOf } from '../stores/session-cache.ts';
import { SignCurrencies } from './listings.ts';

export type Names = { status: 'loading' } | { status: 'failed'; message: string } | LoadedNames;

export interface LoadedNames {
  readonly status: 'loaded';
  readonly total: number;
  readonly view: NamesPage['view'];
  /** By the number of the page, those in memory. */
  readonly pages: ReadonlyMap<number, readonly ListedName[]>;
  /** What the file has, by name, as far as it is known. */
  readonly values: Readonly<Record<string, NameValues>>;
  /** Whether a server counts visits. */
  readonly isCounted: boolean;
  /** Names of another view are being loaded. */
  readonly reloading: boolean;
}

/** The list of the chosen view. The rows of the view before stay until its first page is there. */
export function useNames(): Names {
  const view = useStore(namesStore.$view);
  const inView = useStore(namesStore.$inView);
  const query = useQuery({ ...namesStore.pageQuery(view, 0), placeholderData: keepPreviousData });
  const { data: first, error, isPlaceholderData, isFetching } = query;
  const wanted = first ? pagesInView(first.total, inView) : [];
  const loaded = useQueries({
    queries: wanted.map((page) => namesStore.pageQuery(first?.view ?? view, page)),
    combine: readPages,
  });
  const values = useValues(loaded);
  if (!first) {
    return error
      ? { status: 'failed', message: messageOf(error, 'Failed to fetch names') }
      : { status: 'loading' };
  }
  const pages = new Map(loaded.map(({ page, names }) => [page, names]));
  const isCounted = first.names[0]?.numbers !== undefined;
  const reloading = isPlaceholderData || isFetching;
  return { status: 'loaded', total: first.total, view: first.view, pages, values, isCounted, reloading };
}

function readPages(results: readonly { data: NamesPage | undefined }[]): NamesPage[] {
  return results.flatMap(({ data }) => data ?? []);
}

/** Those of the list before stay until the ones of this list are read, so that an opened row keeps its fields. */
function useValues(pages: readonly NamesPage[]): LoadedNames['values'] {
  const enabled = typeof useCatalogueFile() === 'object';
  const before = useRef<LoadedNames['values']>({});
  const { found, isReading } = useQueries({
    queries: pages
      .filter(({ names }) => names.length > 0)
      .map(({ names }) => ({ ...namesStore.fileQuery(names.map(({ name }) => name)), enabled })),
    combine: readValues,
  });
  const values = useMemo(() => Object.assign({}, isReading && before.current, ...found), [found, isReading]);
  useEffect(() => {
    before.current = values;
  }, [values]);
  return values;
}

function readValues(results: readonly { data: NamesRead | 'unavailable' | undefined; isPending: boolean }[]) {
  return {
    found: results.flatMap(({ data }) => (typeof data === 'object' ? [data.names] : [])),
    isReading: results.some(({ isPending }) => isPending),
  };
}

/** What the server knows of the catalogue's file; undefined while it is not known, or cannot be read. */
export function useCatalogueFile(): NamesRead | 'unavailable' | undefined {
  return useQuery(namesStore.fileQuery(NONE)).data;
}

const NONE: readonly string[] = [];

/** Numbers of names; undefined while they are unknown. */
export function useNameCounts() {
  return useQuery(namesStore.countsQuery).data;
}

/** Shows a price or a minimum of the owner's; empty for none. */
export function useOwnPrice(): (text: string | null | undefined) => string {
  const currencies = useContext(SignCurrencies);
  return (text) => (text?.trim() ? shownPrice(text.trim(), 'en', currencies).text : '');
}
