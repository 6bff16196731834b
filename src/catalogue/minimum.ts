/** The owner's minimum for the offers of a domain: an amount (`$500`), or a share of the price (`25%`). */
import type { Currencies } from '#contract/currency-signs.ts';
import { type Price, priceOf } from '#contract/price-of.ts';
import { isForSale } from './related-domains.ts';
import { type Catalogue, type DomainEntry, SHARE_OF_PRICE } from './schema.ts';

/** The minimum as an amount, a share in cents. Undefined where the domain has none, and for a share of a price that cannot be read. */
export function minimumOf(
  { minimum, price }: Pick<DomainEntry, 'minimum' | 'price'>,
  currencies: Currencies | undefined,
): Price | undefined {
  if (minimum === undefined) return undefined;
  const percent = SHARE_OF_PRICE.exec(minimum.trim())?.[1];
  if (percent === undefined) return priceOf(minimum, currencies);
  const whole = priceOf(price ?? '', currencies);
  if (!whole) return undefined;
  // The database rejects a catalogue with a minimum of nothing.
  const cents = Math.max(1, Math.round(Number(whole.amount) * Number(percent)));
  return { ...whole, amount: String(cents / 100) };
}

/** Warns of minimums that have no effect, because they are a share of a price that cannot be read. Undefined otherwise. */
export function unreadableMinimums({ domains, settings }: Catalogue): string | undefined {
  const [first, ...others] = domains.filter(
    (entry) =>
      isForSale(entry) && entry.minimum !== undefined && minimumOf(entry, settings.currencies) === undefined,
  );
  if (first === undefined) return undefined;
  const more = others.length > 0 ? ` (and ${others.length.toLocaleString('en-US')} more)` : '';
  return (
    `${first.name}${more}: the minimum is ${first.minimum} of the price, and ${first.price ? `“${first.price}” cannot be read as an amount` : 'there is none'}, so ` +
    'that no offer is low. Write the price with its currency, such as "$15,000", or the minimum as an amount.'
  );
}
