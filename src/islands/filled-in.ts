import { checkoutValues } from '#contract/checkout.ts';
import type { Deal } from '#contract/negotiation.ts';
import type { Price } from '#contract/price-of.ts';

/**
 * What the URL of a payment page fills in there, as far as it shows: a template has the amount in one of the forms of its
 * placeholders, a link made by hand mostly none.
 */
export function filledIn({ reference, pay }: Deal, price: Price | undefined) {
  const { amount = '', minor = '', currency = '' } = checkoutValues('', price);
  // None of these values is encoded in a URL.
  const words = (pay?.url ?? '')
    .replace(/^https:\/\/[^/?#]*/, '')
    .replace(/%[0-9a-f]{2}/gi, ' ')
    .toUpperCase()
    .split(/[^A-Z0-9.-]+/);
  const has = (...values: string[]) => values.some((value) => words.includes(value));
  return {
    reference: has(reference),
    amount: price !== undefined && has(amount, minor, amount + currency, currency + amount),
  };
}
