/** Links to payment pages elsewhere: what is filled into a template, and which links a deal may have. */
import { MAX_PAY_LINK, type StoredPayment } from './negotiation.ts';
import type { Price } from './price-of.ts';

/** Of a template for a name at its price, such as `buyNow`. */
export const PRICE_PLACEHOLDERS = [
  'domain',
  'label',
  'amount',
  'minor',
  'currency',
  'currency_lower',
] as const;
/** Of a template for one deal: `checkout`, `closing` and `afterPayment`. */
export const DEAL_PLACEHOLDERS = [...PRICE_PLACEHOLDERS, 'email', 'reference'] as const;

/** Those that are missing have no value, or no certain one. */
export type CheckoutValues = Partial<Record<(typeof DEAL_PLACEHOLDERS)[number], string>>;

/** The beginning of a URL up to its path, in which nothing is filled in. */
const ORIGIN = /^[^/?#]*(?:\/\/[^/?#\\]*)?/;

/** Values of a name. @param price undefined where the amount can be read in more than one way, or in none */
export function checkoutValues(
  domain: string,
  price: Price | undefined,
  { email, reference }: { readonly email?: string | undefined; readonly reference?: string | undefined } = {},
): CheckoutValues {
  const [label = ''] = domain.split('.');
  const minor = price && minorOf(price);
  return {
    ...{ domain, label },
    ...(email !== undefined && { email }),
    ...(reference !== undefined && { reference }),
    ...(price && { amount: price.amount, currency: price.currency }),
    ...(price && { currency_lower: price.currency.toLowerCase() }),
    ...(minor !== undefined && { minor }),
  };
}

/**
 * Fills the values into a URL, encoded; undefined where it needs one that is missing, or has a placeholder before its path.
 * Braces of other words are left.
 */
export function fillUrl(template: string, values: CheckoutValues): string | undefined {
  if (/[{}]/.test(originOf(template))) return undefined;
  let isWhole = true;
  const url = template.replace(/\{(\w+)\}/g, (word, name: string) => {
    if (!DEAL_PLACEHOLDERS.some((one) => one === name)) return word;
    const value = values[name as keyof CheckoutValues];
    isWhole &&= value !== undefined;
    return encodeURIComponent(value ?? '');
  });
  return isWhole ? url : undefined;
}

/** What a URL begins with, up to its path: scheme, user, host and port. */
export function originOf(url: string): string {
  return ORIGIN.exec(url)?.[0] ?? '';
}

/** A link to a payment page as browsers read it; undefined for one that hides its host, or that is too long. */
export function payLinkOf(text: string): string | undefined {
  // Browsers drop some of these characters, and read a backslash as a slash.
  if (!/^https:\/\/[^/?#@\\{}]+(?:[/?#][^\\\s\p{C}]*)?$/u.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  const isPlain = protocol === 'https:' && username === '' && password === '';
  return isPlain && href.length <= MAX_PAY_LINK ? href : undefined;
}

/** Where a button leads that pays an amount; undefined for a way without one, or where the amount is not certain. */
export function payUrlOf(
  way: StoredPayment['way'],
  { link, template }: StoredPayment,
  values: CheckoutValues,
): string | undefined {
  if (values.amount === undefined) return undefined;
  const url = way === 'link' ? link : way === 'template' ? fillUrl(template ?? '', values) : undefined;
  return url === undefined ? undefined : payLinkOf(url);
}

/** The amount in the smallest unit of its currency: 450000 for $4,500, 4500 for ¥4,500. Undefined where a part of it is left. */
function minorOf({ amount, currency }: Price): string | undefined {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  const [whole = '', decimals = ''] = amount.split('.');
  if (/[1-9]/.test(decimals.slice(digits))) return undefined;
  return (whole + decimals.slice(0, digits).padEnd(digits, '0')).replace(/^0+(?=\d)/, '');
}
