/**
 * States and asking prices of the names in the list. They are an extra: they are read after the rows, an error leaves
 * what is known, and the next reading of the list tries again.
 */
import { atom } from 'nanostores';
import { type AskingPricesApi, type Listing, MAX_NAMES } from '../api/asking-prices.ts';
import { SessionEnded } from '../api/with-fresh-token.ts';
import type { LoadedOffers, OffersStore } from './offers.ts';

/** Names that the server accepts. One that it rejects would cost the prices of all others of its call. */
const NAME_PATTERN = /^[a-z0-9.-]{1,253}$/;

/** @param onSessionEnded is called where the server has ended the session */
export function createAskingPrices(
  api: AskingPricesApi,
  { $offers }: Pick<OffersStore, '$offers'>,
  onSessionEnded: () => void = () => {},
) {
  /** By name. Names that are not in the catalogue, or not known yet, are missing. */
  const $listings = atom<ReadonlyMap<string, Listing>>(new Map());
  let isAvailable = true;
  /** The reading of the list for which names were requested, and these names. */
  let reading: { index: object; requested: Set<string> } | undefined;

  $offers.listen((offers) => {
    if (!isAvailable || offers.status !== 'loaded' || offers.reloading) return;
    const { index } = offers.list;
    if (reading?.index !== index) reading = { index, requested: new Set() };
    const { requested } = reading;
    const names = namesOf(offers).filter((name) => !requested.has(name));
    for (const name of names) requested.add(name);
    if (names.length > 0) void read(names, index);
  });

  async function read(names: readonly string[], index: object): Promise<void> {
    // A later reading of the list requests all names again; after a sign-out there is none.
    const isLate = () => reading?.index !== index;
    try {
      for (let first = 0; first < names.length; first += MAX_NAMES) {
        const batch = names.slice(first, first + MAX_NAMES);
        const listings = await api.readAskingPrices(batch);
        if (isLate()) return;
        isAvailable = listings !== 'unavailable';
        if (listings === 'unavailable') return;
        show(batch, listings);
      }
    } catch (error) {
      if (isLate()) return;
      if (error instanceof SessionEnded) onSessionEnded();
      else console.info('Asking prices are not known', error);
    }
  }

  /** Replaces what is known of these names. Listings that did not change stay the same objects. */
  function show(names: readonly string[], listings: readonly Listing[]): void {
    const before = $listings.get();
    const next = new Map(before);
    for (const name of names) next.delete(name);
    for (const listing of listings) {
      const known = before.get(listing.name);
      const isSame = known?.state === listing.state && known.price === listing.price;
      next.set(listing.name, isSame ? known : listing);
    }
    $listings.set(next);
  }

  /** Clears everything on sign-out. */
  function forgetPrices(): void {
    isAvailable = true;
    reading = undefined;
    $listings.set(new Map());
  }

  return { $listings, forgetPrices };
}

/** The distinct names of all offers in memory. */
function namesOf({ list, held }: LoadedOffers): string[] {
  const offers = [...list.pages.values(), held.offers].flat();
  const names = new Set(offers.map(({ domain_name }) => domain_name));
  return [...names].filter((name) => NAME_PATTERN.test(name));
}
