/** New names by a pasted list, and the owner's own catalogue in place of the sample. */
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { NamesSaved } from '#contract/names.ts';
import { type CatalogueApi, CatalogueRejection } from '../api/catalogue.ts';
import { newBatch } from './name-changes.ts';
import type { SessionCache } from './session-cache.ts';

/** Names that were added and prices that were set, until the pages show them. */
export interface Added {
  readonly batch: string;
  readonly names: number;
  readonly prices: number;
  readonly at: string;
}

interface Pasted {
  readonly text: string;
  /** Id of the plan that was shown. */
  readonly plan: string;
  readonly names: number;
  readonly prices: number;
}

export function createAddedNames(
  { plan, add, init }: Pick<CatalogueApi, 'plan' | 'add' | 'init'>,
  { client, sessionAtom }: SessionCache,
) {
  /** What is pasted and not added. */
  const $pasted = sessionAtom('');
  const $added = sessionAtom<Added | undefined>(undefined);
  /** Of a request whose response was lost: the same one again adds nothing twice. */
  let unanswered: { key: string; batch: string } | undefined;

  const readAgain = ({ build }: NamesSaved) => {
    client.setQueryData(['names', 'build'], build);
    void client.invalidateQueries({ queryKey: ['names'] });
  };

  return {
    $pasted,
    $added,

    planQuery: (text: string) =>
      queryOptions({
        queryKey: ['names', 'plan', text],
        queryFn: ({ signal }) => plan(text, signal),
        gcTime: 0,
        meta: { failure: 'Failed to read the list' },
      }),

    addNames: mutationOptions({
      meta: { failure: 'Failed to add names' },
      mutationFn: ({ text, plan }: Pasted) => {
        const key = `${plan} ${text}`;
        if (unanswered?.key !== key) unanswered = { key, batch: newBatch() };
        return add(unanswered.batch, text, plan);
      },
      onSuccess: (saved, { text, names, prices }) => {
        unanswered = undefined;
        // Not what was typed since.
        if ($pasted.get() === text) $pasted.set('');
        $added.set({ batch: saved.batch ?? '', names, prices, at: saved.saved_at });
        readAgain(saved);
      },
      onError: (error) => {
        if (error instanceof CatalogueRejection) unanswered = undefined;
        // The file has changed since.
        void client.invalidateQueries({ queryKey: ['names', 'plan'] });
      },
    }),

    makeOwn: mutationOptions({
      meta: { failure: 'Failed to make the catalogue' },
      mutationFn: init,
      onSuccess: readAgain,
      // It may be made although its response was lost.
      onError: () => void client.invalidateQueries({ queryKey: ['names'] }),
    }),
  };
}
