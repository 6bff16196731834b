/** The offer that a link names, as in a mail to the owner: `/admin/dashboard#offer=ID`. */
import type { Offer } from '#contract/offer.ts';
import { type OffersApi, PAGE_SIZE } from '../api/offers.ts';
import { parseFragment } from './fragment.ts';
import { pageOfKey } from './offer-list.ts';
import type { OffersStore } from './offers.ts';
import type { SessionCache } from './session-cache.ts';

export type Linked =
  | { status: 'none' }
  /** The offer is being searched for. */
  | { status: 'searching'; id: string }
  | {
      status: 'found';
      id: string;
      /** Its row in the list. */
      row: number;
      /** Whether its row has had the focus. */
      isFocused: boolean;
    }
  | { status: 'unknown'; id: string };

const NONE: Linked = { status: 'none' };

export function createLinkedOffer(
  api: Pick<OffersApi, 'readOffer'>,
  { $filter, listQuery, pageQuery, showList }: OffersStore,
  { client, sessionAtom }: SessionCache,
) {
  const $linked = sessionAtom<Linked>(NONE);
  $filter.listen(closeLink);

  /** Finds the offer that a fragment names, in the list of all offers or of held or low ones; any other fragment closes the link. */
  async function openLink(fragment: string): Promise<void> {
    const id = parseFragment(fragment)?.offer;
    if (id === undefined) return closeLink();
    let searching: Linked = { status: 'searching', id };
    $linked.set(searching);
    const isWanted = () => $linked.get() === searching;
    try {
      const offer = await client.query({
        queryKey: ['linked offer', id],
        queryFn: async ({ signal }) => (await api.readOffer(id, signal)) ?? null,
      });
      if (!isWanted()) return;
      if (offer?.held || offer?.low) {
        showList({ only: offer.held ? 'held' : 'low' });
        // Another list has closed the link.
        searching = { status: 'searching', id };
        $linked.set(searching);
      }
      const row = offer ? await readRow(offer) : -1;
      if (isWanted()) {
        $linked.set(row < 0 ? { status: 'unknown', id } : { status: 'found', id, row, isFocused: false });
      }
    } catch (error) {
      if (!isWanted()) return;
      console.error('Failed to find an offer', error);
      $linked.set({ status: 'unknown', id });
    }
  }

  /** The row of an offer in the list, which is read again: the offer may be newer. -1 where it is not in it. */
  async function readRow(offer: Offer): Promise<number> {
    const { filter, index, newest } = await client.query(listQuery($filter.get()));
    const page = Math.max(0, pageOfKey(index, offer));
    const key = index.keys[page];
    const offers = key ? await client.query(pageQuery(filter, key)) : newest;
    const row = offers.findIndex(({ id }) => id === offer.id);
    return row < 0 ? row : page * PAGE_SIZE + row;
  }

  /** Stores that the row has had the focus, which it gets once. */
  function linkedOfferFocused(): void {
    const linked = $linked.get();
    if (linked.status === 'found') $linked.set({ ...linked, isFocused: true });
  }

  /** Removes the mark or the message. */
  function closeLink(): void {
    $linked.set(NONE);
  }

  return { $linked, openLink, linkedOfferFocused, closeLink };
}
