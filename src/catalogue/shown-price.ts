import type { Catalogue } from './schema.ts';

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
