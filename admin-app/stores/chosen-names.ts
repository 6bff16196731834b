/** Choosing several names, which get one state, or a price each. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { MAX_NAME_CHANGES, type NameChange, type NameValues } from '#contract/names.ts';
import type { ListingState } from '#contract/publication.ts';
import type { NameChanges } from './name-changes.ts';
import { ownValue, savedValue } from './name-values.ts';
import { type ListedName, NAMES_PER_PAGE, type NamesStore } from './names.ts';
import type { SessionCache } from './session-cache.ts';

const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

export function createChosenNames(
  { $view, pageQuery, fileQuery }: Pick<NamesStore, '$view' | 'pageQuery' | 'fileQuery'>,
  { send }: Pick<NameChanges, 'send'>,
  { client, sessionAtom }: SessionCache,
) {
  const $chosen = sessionAtom<ReadonlySet<string>>(new Set());
  /** Whether the cards of a phone have their boxes. */
  const $isChoosing = sessionAtom(false);
  $view.listen(clear);

  /** No more than one change takes. */
  function toggle(name: string): void {
    const chosen = new Set($chosen.get());
    if (!chosen.delete(name) && chosen.size < MAX_NAME_CHANGES) chosen.add(name);
    $chosen.set(chosen);
  }

  function clear(): void {
    $chosen.set(new Set());
    $isChoosing.set(false);
  }

  /** Ends the choice of names, and keeps that of names which were chosen since. */
  function release(names: readonly string[]): void {
    const others = new Set([...$chosen.get()].filter((name) => !names.includes(name)));
    if (others.size === 0) clear();
    else $chosen.set(others);
  }

  /** Chooses the names of the list from its beginning. */
  const chooseAll = mutationOptions({
    meta: { failure: 'Failed to fetch names' },
    mutationFn: async () => {
      const names = await readNames(MAX_NAME_CHANGES);
      $chosen.set(new Set(names.map(({ name }) => name)));
    },
  });

  /** The names of the list, from its beginning. */
  async function readNames(most = Number.POSITIVE_INFINITY): Promise<ListedName[]> {
    const view = $view.get();
    const found: ListedName[] = [];
    for (let page = 0, total = 1; page * NAMES_PER_PAGE < Math.min(total, most); page += 1) {
      const read = await client.query(pageQuery(view, page));
      total = read.total;
      found.push(...read.names);
    }
    return found.slice(0, most);
  }

  /** What the file has of these names. Those that are not in it are missing. */
  async function readValues(asked: readonly string[]): Promise<Map<string, NameValues>> {
    // One that the server rejects would cost the values of all others.
    const names = asked.filter((name) => DOMAIN.test(name));
    const found = new Map<string, NameValues>();
    for (let first = 0; first < names.length; first += NAMES_PER_PAGE) {
      const part = names.slice(first, first + NAMES_PER_PAGE);
      const read = await client.query({ ...fileQuery(part), staleTime: 0, gcTime: 0 });
      if (read !== 'unavailable') for (const entry of Object.entries(read.names)) found.set(...entry);
    }
    return found;
  }

  const valuesQuery = (names: readonly string[]) =>
    queryOptions({
      queryKey: ['names', 'values', names],
      queryFn: () => readValues(names),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
      meta: { failure: 'Failed to read the catalogue' },
    });

  /** Gives the chosen names one state. Those that have it already are left out. */
  const setStates = mutationOptions({
    meta: { failure: 'Failed to change names' },
    mutationFn: async (state: ListingState) => {
      const names = [...$chosen.get()];
      const values = await readValues(names);
      const to = savedValue('state', state);
      const changes = [...values].flatMap(([name, each]): NameChange[] => {
        const from = ownValue(each, 'state');
        return from === to ? [] : [{ name, field: 'state', from, to }];
      });
      if (changes.length === 0 || (await send(changes))) release(names);
    },
  });

  return { $chosen, $isChoosing, toggle, clear, chooseAll, readNames, readValues, valuesQuery, setStates };
}
