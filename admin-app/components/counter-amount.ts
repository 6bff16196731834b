/** What the owner types as amount of a counter-offer, beside the price and the buyer's amount. */
import type { Currencies } from '#contract/currency-signs.ts';
import { formatPrice } from '#contract/format-price.ts';
import { type Price, priceOf } from '#contract/price-of.ts';
import { shareOf } from '#contract/shown-amount.ts';

/**
 * What precedes an amount in the currency of the first price that there is: `$`, `€` or `CHF `, and its code where the reader
 * takes the sign for another one. Empty where there is no price.
 */
export function currencyIn(
  prices: readonly (Price | undefined)[],
  currencies: Currencies | undefined,
): string {
  const price = prices.find(Boolean);
  if (!price) return '';
  const { currency } = price;
  const sign = formatPrice({ amount: '1', currency }, 'en').replace('1', '').replace(/\s/, ' ');
  return priceOf(`${sign}1`, currencies)?.currency === currency ? sign : `${currency} `;
}

/** Whether there is no amount yet. @param currency as `currencyIn` returns it */
export function isUntyped(amount: string, currency: string): boolean {
  return ['', currency.trim()].includes(amount.trim());
}

/** The amount as typed, where its currency was typed beside the one that stood there. @param currency as `currencyIn` returns it */
export function withOneCurrency(
  amount: string,
  currency: string,
  currencies: Currencies | undefined,
): string {
  const typed = amount.slice(currency.length).trim();
  return currency && amount.startsWith(currency) && priceOf(typed, currencies) ? typed : amount;
}

/** Whether an amount is a number alone, without its currency. */
export function lacksCurrency(amount: string): boolean {
  return /\d/.test(amount) && !/\p{Sc}|\p{L}{2}/u.test(amount);
}

interface Beside {
  /** The buyer's amount. */
  readonly offered: Price | undefined;
  readonly asking: Price | undefined;
  /** The catalogue's setting. */
  readonly currencies?: Currencies | undefined;
}

/**
 * How far an amount is from the buyer's and from the price: `$300 above the offer, 93 % of asking`. Without what is in another
 * currency or cannot be read; empty where nothing can be said.
 */
export function distanceOf(amount: string, { offered, asking, currencies }: Beside): string {
  const own = priceOf(amount, currencies);
  if (!own) return '';
  const share = shareOf(own, asking);
  return [
    offered?.currency === own.currency && fromOffer(own, Number(offered.amount)),
    share !== undefined && `${Math.round(share * 100)} % of asking`,
  ]
    .filter(Boolean)
    .join(', ');
}

function fromOffer({ amount, currency }: Price, offer: number): string {
  const more = Number(amount) - offer;
  if (more === 0) return 'as much as the offer';
  const difference = Number.isInteger(more) ? `${Math.abs(more)}` : Math.abs(more).toFixed(2);
  return `${formatPrice({ amount: difference, currency }, 'en')} ${more > 0 ? 'above' : 'below'} the offer`;
}
