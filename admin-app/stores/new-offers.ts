/**
 * Offers that arrive while the dashboard is open. They are inserted into the list by reading it again, or announced
 * where an insertion would move what is under the pointer or the focus.
 */
import { atom } from 'nanostores';
import { isoTime } from '#contract/iso-time.ts';
import type { Offer } from '#contract/offer.ts';
import { MAX_NEW_OFFERS, type NewOffersApi } from '../api/new-offers.ts';
import type { Offers, OffersStore } from './offers.ts';

/** Offers that arrived and are not in the list yet. */
export interface Waiting {
  readonly offers: number;
  /** There may be more than `offers`. */
  readonly orMore: boolean;
  /** Held offers, in addition. */
  readonly held: number;
}

const NONE_WAITING: Waiting = { offers: 0, orMore: false, held: 0 };

/** How far an offer may be older than the newest known one and still be new, in milliseconds: it was stored late. */
const OVERLAP_MS = 60_000;

/**
 * @param mayInsert whether new offers may be inserted without a click
 * @param onListRead is called after each reading of the list
 */
export function createNewOffers(
  api: NewOffersApi,
  { $offers, reloadOffers }: Pick<OffersStore, '$offers' | 'reloadOffers'>,
  mayInsert: () => boolean,
  onListRead: () => void = () => {},
) {
  const $waiting = atom<Waiting>(NONE_WAITING);
  /** Number of pending offers, without held ones; undefined where it is unknown. */
  const $pending = atom<number | undefined>();
  /** Ids of offers that arrived since the dashboard was opened and were not on the screen yet. */
  const $unseen = atom<ReadonlySet<string>>(new Set());

  /** What the list was read with last; undefined before it was read. */
  let known: { newest: readonly Offer[]; ids: Set<string>; time: string | undefined } | undefined;
  /** Number of held offers as of the last reading of the list; undefined where only a part of them was read. */
  let knownHeld: number | undefined;
  let isAvailable = true;

  $offers.listen(learn);

  /** Updates what is known after a reading of the list. */
  function learn(offers: Offers): void {
    if (offers.status !== 'loaded') return;
    const { held, list } = offers;
    knownHeld = held.hasMore ? undefined : held.offers.length;

    const { newest } = list;
    if (known?.newest === newest) return;
    const before = known;
    known = { newest, ids: before?.ids ?? new Set(), time: newest[0]?.created_at ?? before?.time };
    if (before) {
      const arrived = newest.filter((offer) => !before.ids.has(offer.id) && isRecent(offer, before.time));
      if (arrived.length > 0) $unseen.set(new Set([...$unseen.get(), ...arrived.map(({ id }) => id)]));
    }
    for (const { id } of newest) known.ids.add(id);
    $waiting.set(NONE_WAITING);
    onListRead();
  }

  /** Fetches new offers. Does nothing where the list is not loaded or the server has no such function. */
  async function checkNewOffers(signal: AbortSignal): Promise<void> {
    if (!isAvailable || !known || $offers.get().status !== 'loaded') return;
    const before = known;
    const response = await api.readNewOffers(before.time, signal);
    if (signal.aborted) return;
    isAvailable = response !== 'unavailable';
    if (response === 'unavailable') return;
    $pending.set(response.pending);
    // The list was or is being read meanwhile, so that the response may be older than it.
    const now = $offers.get();
    if (before !== known || (now.status === 'loaded' && now.reloading)) return;
    const arrived = response.offers.filter(({ id }) => !before.ids.has(id));
    const held = response.held ?? 0;
    knownHeld = Math.min(knownHeld ?? held, held);
    const waiting = {
      offers: arrived.length,
      orMore: arrived.length >= MAX_NEW_OFFERS,
      held: held - knownHeld,
    };
    if (waiting.offers + waiting.held === 0) $waiting.set(NONE_WAITING);
    else if (!mayInsert() || !(await reloadOffers({ quiet: true }))) $waiting.set(waiting);
  }

  /** Removes the mark of an offer that was on the screen. */
  function markSeen(id: string): void {
    const unseen = new Set($unseen.get());
    if (unseen.delete(id)) $unseen.set(unseen);
  }

  /** Clears everything on sign-out. */
  function forgetNewOffers(): void {
    known = undefined;
    knownHeld = undefined;
    isAvailable = true;
    $waiting.set(NONE_WAITING);
    $pending.set(undefined);
    $unseen.set(new Set());
  }

  return {
    $waiting,
    $pending,
    $unseen,
    checkNewOffers,
    markSeen,
    forgetNewOffers,
  };
}

/** False for an old offer that moved up because newer ones were erased. */
function isRecent({ created_at }: { created_at: string }, newest: string | undefined): boolean {
  return newest === undefined || !(millisecondsOf(created_at) < millisecondsOf(newest) - OVERLAP_MS);
}

function millisecondsOf(time: string): number {
  return Date.parse(isoTime(time));
}
