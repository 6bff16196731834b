import type { Catalogue } from './schema.ts';

/** The price that cards and lists show, if any. A text such as `make an offer` is none. */
export function cardPrice({ showPrice }: Catalogue['settings'], price: string): string | undefined {
  return showPrice === 'everywhere' && hasAmount(price) ? price : undefined;
}

export function hasAmount(price: string): boolean {
  return /\d/.test(price);
}
