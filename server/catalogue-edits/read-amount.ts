/** Reads prices and minimums as exports and people's own lists write them. */
import type { Currencies } from '#contract/currency-signs.ts';
import { formatPrice } from '#contract/format-price.ts';
import { priceOf } from '#contract/price-of.ts';

/** What is written for no price, without white space and dots. */
const NO_AMOUNTS =
  /^(?:n\/?a|#n\/a|#nv|none|null|nil|undefined|unset|notset|noprice|keine?r?|keinpreis|keineangabe|ka|leer|ohne)$/i;

/** A zero or a dash, perhaps with a currency. */
const NOTHING = /^(?:[A-Z]{3}|US|Euro)?[0–—-]*(?:[A-Z]{3}|Euro)?$/;

/** Whether an export writes this where a name has no price: `0`, `$0.00`, `n/a`. */
export function isNoAmount(cell: string): boolean {
  const rest = cell.replace(/[\p{Sc}\s.,'’%]/gu, '');
  return NO_AMOUNTS.test(rest) || (!/^\p{L}+$/u.test(rest) && NOTHING.test(rest));
}

/** Whether no visitor could tell which money is meant. */
export function lacksCurrency(cell: string): boolean {
  return priceOf(cell) === undefined && priceOf(`${cell} EUR`) !== undefined;
}

/** The code of a currency in a cell of its own, such as `eur` or `€`. */
export function currencyOf(cell: string): string | undefined {
  return priceOf(`${cell} 1`)?.currency;
}

/**
 * A number without a currency, or with a sign that countries share, as people write an amount: `$6,900`, `€2,500`, `CHF 6’900`.
 * Any other cell stays as it is.
 */
export function withCurrency(cell: string, currency: string | undefined, currencies?: Currencies): string {
  const price = currency && !priceOf(cell, currencies) ? priceOf(`${cell} ${currency}`) : undefined;
  if (!price) return cell;
  // Versions of Node differ in their apostrophe.
  const shown = formatPrice(price, currency === 'CHF' ? 'de-CH' : 'en')
    .replace(/\s/g, ' ')
    .replaceAll("'", '’');
  // Countries share signs.
  const isRead = priceOf(shown, currencies)?.currency === currency;
  return isRead ? shown : `${currency} ${price.amount}`;
}
