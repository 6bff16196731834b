import { isDeepStrictEqual } from 'node:util';
import { checkoutValues, fillUrl } from '#contract/checkout.ts';
import type { Currencies } from '#contract/currency-signs.ts';
import { priceOf } from '#contract/price-of.ts';
import { type Catalogue, DefaultsSchema, type DomainEntry } from './schema.ts';
import { shownName } from './shown-name.ts';

/** Stands in an entry for a default that is wrong, so that the problem is reported once, at the default. */
const PLACEHOLDERS = {
  ...{ price: '-', description: '-', hasBroker: false, minimum: '1%' },
  ...{ buyNow: 'https://lap.app', instalments: 'https://lap.app', checkout: 'https://lap.app' },
};
const FIELDS = Object.keys(PLACEHOLDERS) as (keyof typeof PLACEHOLDERS)[];

/**
 * Fills the section `defaults` into every entry of a catalogue that lacks the field, and the name into its URLs. The data is as the
 * file has it, not validated yet; what is not as expected stays as it is.
 */
export function withDefaults(data: unknown): unknown {
  if (!isRecord(data) || !Array.isArray(data.domains)) return data;
  const defaults = isRecord(data.defaults) ? data.defaults : {};
  const fields = FIELDS.filter((field) => defaults[field] !== undefined);
  const values = Object.fromEntries(
    fields.map((field) => [
      field,
      DefaultsSchema.shape[field].safeParse(defaults[field]).data ?? PLACEHOLDERS[field],
    ]),
  );
  const currencies = isRecord(data.settings) ? (data.settings.currencies as Currencies) : undefined;
  const filled = (entry: unknown) => {
    if (!isRecord(entry)) return entry;
    const description = describing(entry.name, values.description);
    const whole: Record<string, unknown> = {
      ...values,
      ...(description !== undefined && { description }),
      ...entry,
    };
    const { buyNow, instalments } = whole;
    if (instalments !== undefined) whole.instalments = linkFor(entry.name, instalments);
    const link = saleLink(whole, currencies);
    if (link !== undefined) whole.buyNow = link;
    // Of `defaults`, for a name without a price that can be read.
    else if (buyNow !== undefined && !Object.hasOwn(entry, 'buyNow')) delete whole.buyNow;
    return whole;
  };
  return { ...data, domains: data.domains.map(filled) };
}

/** Whether a description is the one of `defaults`: cards leave it out, because all would have the same. */
export function hasDefaultDescription(
  { name, description }: DomainEntry,
  defaults: Catalogue['defaults'],
): boolean {
  return isDeepStrictEqual(description, defaultDescription(name, defaults));
}

/** The description of an entry that has none of its own. */
export function defaultDescription(
  name: string,
  defaults: Catalogue['defaults'],
): DomainEntry['description'] {
  return describing(name, defaults?.description) as DomainEntry['description'];
}

/** A URL of a domain. The catalogue's names are in ASCII. */
export function linkFor(name: unknown, template: unknown): unknown {
  if (typeof template !== 'string' || typeof name !== 'string') return template;
  return template.replaceAll('{domain}', () => name);
}

/** `buyNow` with name and price filled in; undefined where it needs an amount that is none. */
function saleLink(
  { name, buyNow, price }: Record<string, unknown>,
  currencies: Currencies | undefined,
): unknown {
  if (typeof buyNow !== 'string' || typeof name !== 'string') return buyNow;
  return fillUrl(buyNow, checkoutValues(name, priceOf(String(price ?? ''), currencies)));
}

/** @param template one text, or texts by language */
function describing(name: unknown, template: unknown): unknown {
  if (isRecord(template)) {
    return Object.fromEntries(Object.entries(template).map(([code, text]) => [code, describing(name, text)]));
  }
  if (typeof template !== 'string' || typeof name !== 'string') return template;
  return template.replaceAll('{domain}', shownName(name));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
