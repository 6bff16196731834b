/** What the owner types as amount of a counter-offer, beside the price and the buyer's amount. All are free texts. */
import { type Price, priceOf } from '#contract/price-of.ts';

/** Where a currency stands: `$15,000`, `15.000 €`, `EUR 1 000`. */
const SHAPE = /^([^\d\s]*\s?)\d(?:.*\d)?(\s?[^\d\s]*)$/;

/** The currency of the first text that has a readable one, as it stands there: `$`, ` €` or `EUR `; empty where none has. */
export function currencyIn(...texts: (string | null | undefined)[]): string {
  const text = texts.find((one) => one && priceOf(one))?.trim() ?? '';
  const [, before = '', after = ''] = SHAPE.exec(text) ?? [];
  return before + after;
}

/** Whether there is no amount yet. @param currency as `currencyIn` returns it */
export function isUntyped(amount: string, currency: string): boolean {
  return ['', currency.trim()].includes(amount.trim());
}

/** The amount with the currency once, where it stood there and was typed beside it too. @param currency as `currencyIn` returns it */
export function withOneCurrency(amount: string, currency: string): string {
  const sign = currency.trim();
  const parts = amount.split(sign);
  const isAfter = currency.startsWith(' ');
  const beside = isAfter ? parts.slice(-2) : parts.slice(0, 2);
  if (sign === '' || parts.length < 3 || beside.join('').trim() !== '') return amount;
  return (isAfter ? parts.slice(0, -1) : parts.slice(1)).join(sign).trim();
}

/** Whether an amount is a number alone, without its currency. */
export function lacksCurrency(amount: string): boolean {
  return /\d/.test(amount) && !/\p{Sc}|\p{L}{2}/u.test(amount);
}

/**
 * How far an amount is from the buyer's and from the price: `$300 above the offer, 93 % of asking`. Without what is in another
 * currency or cannot be read; empty where nothing can be said.
 */
export function distanceOf(amount: string, offer: string, price: string | null | undefined): string {
  const own = priceOf(amount);
  const [theirs, asking] = [priceOf(offer), priceOf(price ?? '')];
  if (!own) return '';
  return [
    theirs?.currency === own.currency && fromOffer(own, Number(theirs.amount)),
    asking?.currency === own.currency &&
      `${Math.round((Number(own.amount) / Number(asking.amount)) * 100)} % of asking`,
  ]
    .filter(Boolean)
    .join(', ');
}

function fromOffer({ amount, currency }: Price, offer: number): string {
  const more = Number(amount) - offer;
  if (more === 0) return 'as much as the offer';
  const digits = Number.isInteger(more) ? 0 : 2;
  const format = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const;
  return `${Math.abs(more).toLocaleString('en-US', format)} ${more > 0 ? 'above' : 'below'} the offer`;
}
