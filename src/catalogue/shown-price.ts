import type { Catalogue, DomainEntry } from './schema.ts';

/** The price that a domain's own page shows, if any. A text such as `make an offer` is none. */
export function shownPrice(
  { showPrice }: Pick<Catalogue['settings'], 'showPrice'>,
  price: string | undefined,
): string | undefined {
  return showPrice !== 'never' && price && /\d/.test(price) ? price : undefined;
}

/** The price that cards and lists show, if any. */
export function cardPrice(
  settings: Pick<Catalogue['settings'], 'showPrice'>,
  price: string | undefined,
): string | undefined {
  return settings.showPrice === 'everywhere' ? shownPrice(settings, price) : undefined;
}

/** What the page shows of a domain's price and sale while it is selected. */
export interface WaysToBuy {
  readonly price: string | undefined;
  readonly buyNow: string | undefined;
  readonly instalments: string | undefined;
  /** Price and purchase come before the form. Otherwise the price alone does, and the links come after it. */
  readonly isFirst: boolean;
}

export function waysToBuy(
  settings: Pick<Catalogue['settings'], 'showPrice'>,
  { price: text, buyNow, instalments }: DomainEntry,
): WaysToBuy {
  const price = shownPrice(settings, text);
  return { price, buyNow, instalments, isFirst: !!price && !!buyNow };
}
