/** What the owner types as amount of a counter-offer, beside the price and the buyer's amount. */
import type { Currencies } from '#contract/currency-signs.ts';
import { formatPrice } from '#contract/format-price.ts';
import { type Price, priceOf } from '#contract/price-of.ts';
import { shareOf } from './amount-line.ts';

/** What precedes an amount in the currency of the first price that there is: `$`, `€` or `CHF `; empty where there is none. */
export function currencyIn(...prices: (Price | undefined)[]): string {
  const price = prices.find(Boolean);
  return price
    ? formatPrice({ ...price, amount: '1' }, 'en')
        .replace('1', '')
        .replace(/\s/, ' ')
    : '';
}

/** Whether there is no amount yet. @param currency as `currencyIn` returns it */
export function isUntyped(amount: string, currency: string): boolean {
  return ['', currency.trim()].includes(amount.trim());
}

/** The amount as typed, where its currency was typed beside the one that stood there. @param currency as `currencyIn` returns it */
export function withOneCurrency(amount: string, currency: string): string {
  const typed = amount.slice(currency.length).trim();
  return currency && amount.startsWith(currency) && priceOf(typed) ? typed : amount;
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
