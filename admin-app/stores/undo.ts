/** The last change of a status, which can be undone for a moment. The change itself is saved at once. */
import { atom } from 'nanostores';
import { OFFER_STATUSES, type OfferStatus } from '#contract/offer.ts';
import type { OffersStore } from './offers.ts';

/** How long a change can be undone, in milliseconds; longer while the notice is used. */
export const UNDO_MS = 10_000;

export interface Change {
  readonly id: string;
  readonly domain: string;
  readonly from: string;
  readonly to: OfferStatus;
}

export function createUndo({ setStatus, $updateErrors }: Pick<OffersStore, 'setStatus' | '$updateErrors'>) {
  const $undo = atom<Change | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the notice ends, in milliseconds; undefined while it is used. */
  let endsAt: number | undefined;
  /** What is left of the time, in milliseconds. */
  let left = UNDO_MS;
  /** The domains of offers whose status was changed, by offer id. */
  const domains = new Map<string, string>();

  // A change that was not saved is reported in its row.
  $updateErrors.listen((errors) => {
    const change = $undo.get();
    if (change && Object.hasOwn(errors, change.id)) closeUndo();
  });

  /** Sets an offer's status, and offers to undo that in place of the change before. */
  function changeStatus(change: Change): void {
    const { id, from, to, domain } = change;
    domains.set(id, domain);
    void setStatus(id, from, to);
    if (from === to) return;
    closeUndo();
    // A status of a later version cannot be sent.
    if (!isStatus(from)) return;
    $undo.set(change);
    resumeUndo();
  }

  /** Sends the former status. */
  function undo(): void {
    const change = $undo.get();
    closeUndo();
    if (change && isStatus(change.from)) void setStatus(change.id, change.to, change.from);
  }

  /** Stops the time while the notice has the pointer or the focus. */
  function pauseUndo(): void {
    if (endsAt === undefined) return;
    clearTimeout(timer);
    left = endsAt - Date.now();
    endsAt = undefined;
  }

  function resumeUndo(): void {
    if (!$undo.get() || endsAt !== undefined) return;
    endsAt = Date.now() + left;
    timer = setTimeout(closeUndo, left);
  }

  /** Removes the notice; the change stays. */
  function closeUndo(): void {
    clearTimeout(timer);
    endsAt = undefined;
    left = UNDO_MS;
    $undo.set(undefined);
  }

  /** The domain of an offer whose status was changed since signing in, to name the offer where it has no row. */
  const domainOfChange = (id: string): string | undefined => domains.get(id);

  /** Clears everything on sign-out. */
  function forgetChanges(): void {
    closeUndo();
    domains.clear();
  }

  return { $undo, changeStatus, undo, pauseUndo, resumeUndo, closeUndo, domainOfChange, forgetChanges };
}

function isStatus(status: string): status is OfferStatus {
  return OFFER_STATUSES.some((each) => each === status);
}
