/** Changes of an offer: of its status, saved at once, shown before that, and the last one can be undone; and its removal. */
import { type Mutation, mutationOptions } from '@tanstack/react-query';
import { OFFER_STATUSES, type Offer, type OfferStatus } from '#contract/offer.ts';
import type { OffersApi } from '../api/offers.ts';
import type { OffersStore } from './offers.ts';
import { messageOf, type SessionCache } from './session-cache.ts';

export interface Change {
  readonly id: string;
  readonly domain: string;
  /** The status that was seen; if the offer has another one by now, it is not changed. */
  readonly from: string;
  readonly to: OfferStatus;
  /** Time of the last move that was seen, undefined where there was none; absent where the status is set back. */
  readonly seen?: { readonly at: string | undefined };
}

/** The error of saving the status of an offer, whose domain names it where it has no row. */
export interface UpdateError {
  readonly id: string;
  readonly domain: string;
  readonly message: string;
}

export type Choices = Readonly<Record<string, OfferStatus>>;

const CHANGED_MEANWHILE = 'This offer was changed in the meantime. The list has been reloaded.';
const UPDATE_FAILURE = 'Failed to update offer status';

export const statusMutations = { mutationKey: ['status'] };

export function createOfferStatus(
  api: Pick<OffersApi, 'changeStatus' | 'removeOffer'>,
  { reload, clearLoadError }: Pick<OffersStore, 'reload' | 'clearLoadError'>,
  { client, sessionAtom }: SessionCache,
  lastMoveOf: (id: string) => Promise<string | undefined>,
) {
  /** Selected statuses that the server has not confirmed yet, by offer id; also of offers that left the list. */
  const $choices = sessionAtom<Choices>({});
  /** The change that can be undone. */
  const $undo = sessionAtom<Change | undefined>(undefined);

  const saving = mutationOptions({
    ...statusMutations,
    meta: { failure: UPDATE_FAILURE },
    /** Saves the selected status until there is no newer one: arrow keys step through the statuses in between. */
    mutationFn: async ({ id, from, seen }: Change): Promise<void> => {
      for (let stored = from; ; ) {
        const chosen = $choices.get()[id];
        if (chosen === undefined || chosen === stored) return;
        // Another amount before an answer leaves the status as it is, and would be accepted unseen.
        const isSeen = chosen !== 'accepted' || !seen || (await lastMoveOf(id)) === seen.at;
        // Another status was chosen meanwhile, or the session has ended.
        if ($choices.get()[id] !== chosen) continue;
        const outcome = isSeen ? await api.changeStatus(id, stored, chosen) : 'conflict';
        // Of a session that has ended.
        if ($choices.get()[id] === undefined) return;
        if (outcome === 'conflict') throw new Error((await reload()) ? CHANGED_MEANWHILE : '');
        showStatus(id, chosen);
        stored = chosen;
      }
    },
    onSettled: (_, error, { id }) => {
      const { [id]: _choice, ...others } = $choices.get();
      $choices.set(others);
      if (error && $undo.get()?.id === id) closeUndo();
      // Also after a failure: the change may be stored although its response was lost.
      void reload({ quiet: error !== null });
    },
  });

  function setStatus(change: Change): void {
    const { id, to } = change;
    const isSaving = id in $choices.get();
    $choices.set({ ...$choices.get(), [id]: to });
    clearLoadError();
    clearUpdateError(id);
    if (isSaving) return;
    client
      .getMutationCache()
      .build(client, saving)
      .execute(change)
      // Reported in the row.
      .catch(() => {});
  }

  /** The other offers stay the same objects, so that their rows are not rendered again. */
  function showStatus(id: string, status: OfferStatus): void {
    const changed = (offers: readonly Offer[]) =>
      offers.map((offer) => (offer.id === id ? { ...offer, status } : offer));
    client.setQueriesData<Offer[]>({ queryKey: ['page'] }, (page) => page && changed(page));
    client.setQueriesData<{ newest: Offer[] }>(
      { queryKey: ['list'] },
      (list) => list && { ...list, newest: changed(list.newest) },
    );
  }

  /** Sets an offer's status, and offers to undo that in place of the change before. */
  function changeStatus(change: Change): void {
    setStatus(change);
    // A status of a later version cannot be sent.
    if (change.from !== change.to && isStatus(change.from)) $undo.set(change);
  }

  /** Sends the former status. */
  function undo(): void {
    const change = $undo.get();
    closeUndo();
    if (!change || !isStatus(change.from)) return;
    const { id, domain, from, to } = change;
    setStatus({ id, domain, from: to, to: from });
  }

  function closeUndo(): void {
    $undo.set(undefined);
  }

  /** Dismisses the error of saving a status. */
  function clearUpdateError(id: string): void {
    const mutations = client.getMutationCache();
    for (const mutation of mutations.findAll({ ...statusMutations, status: 'error' })) {
      if (updateErrorOf(mutation).id === id) mutations.remove(mutation);
    }
  }

  /** Deletes an offer for good. */
  const removeOffer = mutationOptions({
    meta: { failure: 'Failed to remove the offer' },
    mutationFn: (id: string) => api.removeOffer(id),
    /** Until the list is without it, or could not be read. */
    onSuccess: async (_, id) => {
      if ($undo.get()?.id === id) closeUndo();
      await reload();
    },
  });

  return { $choices, $undo, changeStatus, undo, clearUpdateError, removeOffer };
}

/** @param mutation one of `statusMutations` that failed */
export function updateErrorOf({ state }: Mutation): UpdateError {
  const { id, domain } = state.variables as Change;
  return { id, domain, message: messageOf(state.error as Error, UPDATE_FAILURE) };
}

function isStatus(status: string): status is OfferStatus {
  return OFFER_STATUSES.some((each) => each === status);
}
