import { priceOf } from '#contract/price-of.ts';
import type { Catalogue, DomainEntry } from '../catalogue/schema.ts';
import { cardPrice } from '../catalogue/shown-price.ts';

/**
 * Each name's place by its price, from the lowest; none where visitors see no price or it cannot be read. Amounts of
 * different currencies are not compared: the most frequent currency comes first.
 */
export function priceRanks(
  domains: readonly DomainEntry[],
  settings: Pick<Catalogue['settings'], 'showPrice' | 'currencies'>,
): ReadonlyMap<string, number> {
  const priced = domains.flatMap(({ name, price }) => {
    const { amount, currency } = priceOf(cardPrice(settings, price) ?? '', settings.currencies) ?? {};
    return currency ? [{ name, amount: Number(amount), currency }] : [];
  });
  return new Map(
    [...Map.groupBy(priced, ({ currency }) => currency).values()]
      .toSorted((one, other) => other.length - one.length)
      .flatMap((group) => group.toSorted((one, other) => one.amount - other.amount))
      .map(({ name }, rank) => [name, rank]),
  );
}
