/** The offer that a link names, as in a mail to the owner: `/admin/dashboard#offer=ID`. */
import { atom } from 'nanostores';
import { type OffersApi, PAGE_SIZE } from '../api/offers.ts';
import { parseFragment } from './fragment.ts';
import { pageOfKey, rowOf } from './offer-list.ts';
import type { LoadedOffers, Offers, OffersStore } from './offers.ts';

export type Linked =
  | { status: 'none' }
  /** The offer is being searched for. */
  | { status: 'searching'; id: string }
  | {
      status: 'found';
      id: string;
      /** Its row in the list; undefined for a held offer. */
      row: number | undefined;
      /** Whether its row has had the focus. */
      isFocused: boolean;
    }
  | { status: 'unknown'; id: string };

export function createLinkedOffer(
  api: Pick<OffersApi, 'readOffer'>,
  { $offers, viewRows, loadMoreHeld, reloadOffers }: OffersStore,
) {
  const $linked = atom<Linked>({ status: 'none' });

  /** Finds the offer that a fragment names once the list is loaded; any other fragment closes the link. */
  async function openLink(fragment: string): Promise<void> {
    const id = parseFragment(fragment)?.offer;
    if (id === undefined) return closeLink();
    const searching: Linked = { status: 'searching', id };
    $linked.set(searching);
    const isWanted = () => $linked.get() === searching;
    try {
      const found = await find(id, isWanted);
      if (isWanted()) $linked.set(found);
    } catch (error) {
      console.error('Failed to find an offer', error);
      if (isWanted()) $linked.set({ status: 'unknown', id });
    }
  }

  async function find(id: string, isWanted: () => boolean): Promise<Linked> {
    const seen = inMemory(await listLoaded(isWanted), id);
    if (seen || !isWanted()) return seen ?? { status: 'none' };
    const offer = await api.readOffer(id);
    if (!offer || !isWanted()) return { status: 'unknown', id };
    if (offer.held) await loadHeldUntil(id, isWanted);
    else {
      const { list } = await listLoaded(isWanted);
      let page = pageOfKey(list.index, offer);
      // It is newer than the list.
      if (page === -1 && (await reloadOffers({ quiet: true }))) page = 0;
      await viewRows(page * PAGE_SIZE, page * PAGE_SIZE);
    }
    return inMemory(await listLoaded(isWanted), id) ?? { status: 'unknown', id };
  }

  async function loadHeldUntil(id: string, isWanted: () => boolean): Promise<void> {
    for (let count = -1; isWanted(); ) {
      const { held } = await listLoaded(isWanted);
      if (held.offers.length === count || held.offers.some((offer) => offer.id === id)) return;
      count = held.offers.length;
      if (held.hasMore) await loadMoreHeld();
    }
  }

  /** The list once all of it is loaded. */
  function listLoaded(isWanted: () => boolean): Promise<LoadedOffers> {
    return new Promise((done, fail) => {
      const look = (offers: Offers) => {
        const isSettled = offers.status === 'loaded' && !offers.reloading;
        if (isWanted() && !isSettled) return;
        stop();
        if (isSettled) done(offers);
        else fail(new Error('Another link was opened'));
      };
      const stop = $offers.listen(look);
      look($offers.get());
    });
  }

  /** Stores that the row has had the focus, which it gets once. */
  function linkedOfferFocused(): void {
    const linked = $linked.get();
    if (linked.status === 'found') $linked.set({ ...linked, isFocused: true });
  }

  /** Removes the mark or the message. */
  function closeLink(): void {
    $linked.set({ status: 'none' });
  }

  return { $linked, openLink, linkedOfferFocused, closeLink };
}

function inMemory({ list, held }: LoadedOffers, id: string): Linked | undefined {
  const row = rowOf(list, id);
  const isHeld = held.offers.some((offer) => offer.id === id);
  if (row === undefined && !isHeld) return;
  return { status: 'found', id, row, isFocused: false };
}
