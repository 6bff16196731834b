/** Finds prices that are meant as an amount and cannot be read as one, such as what a spreadsheet made of them. */
import type { Currencies } from '#contract/currency-signs.ts';
import { priceOf } from '#contract/price-of.ts';
import { isForSale } from './related-domains.ts';
import type { Catalogue } from './schema.ts';

/** What such a price costs its owner. */
export const UNREADABLE_PRICES_COST =
  'so that these names come last where prices are sorted, have none in their structured data, and no minimum as a share';

/** An error of a spreadsheet or a program in place of an amount; `####` is a column that was too narrow. */
const ERROR = /^(?:#.*|err(?:or)?\b.*|nan|[+-]?inf(?:inity)?)$/i;

/** A text such as `make an offer` is meant as one. */
export function isUnreadablePrice(price: string, currencies?: Currencies): boolean {
  return (/\d/.test(price) || ERROR.test(price.trim())) && priceOf(price, currencies) === undefined;
}

/** Lists those of the names for sale. Undefined where there is none. */
export function unreadablePrices({ domains, settings }: Catalogue): string | undefined {
  const found = domains.filter(
    (entry) => isForSale(entry) && isUnreadablePrice(entry.price ?? '', settings.currencies),
  );
  if (found.length === 0) return undefined;
  const lines = found.map(({ name, price }) => `  ${name}: ${JSON.stringify(price)}`);
  return [
    `${found.length === 1 ? 'a price' : `${found.length.toLocaleString('en-US')} prices`} cannot be read as an amount, ` +
      `${UNREADABLE_PRICES_COST}. Write a price with its currency, such as "$15,000":`,
    ...lines,
  ].join('\n');
}
