/** An amount as schema.org wants it: `15000` or `2500.50`, and a currency's code of ISO 4217. */
export interface Price {
  readonly amount: string;
  readonly currency: string;
}

/**
 * Reads an amount from the text of the owner's price or of an offer: `$15,000`, `15.000 €`, `EUR 1 000`, `£2,500.00`. Undefined for any
 * ambiguous text, such as `make an offer`, `$15k`, `¥5,000` (two countries' sign) or two amounts.
 */
export function priceOf(text: string): Price | undefined {
  const [, before = '', number = '', after = ''] = SHAPE.exec(text.trim()) ?? [];
  const currency = currencyOf(before + after);
  const amount = amountOf(number);
  // A sign on one side only.
  return currency && amount && !(before && after) ? { amount, currency } : undefined;
}

const SHAPE = /^([^\d\s]*)\s*(\d(?:.*\d)?)\s*([^\d\s]*)$/;

const SIGNS: Record<string, string> = { $: 'USD', US$: 'USD', '€': 'EUR', '£': 'GBP', '₹': 'INR' };
const CODES = new Set(Intl.supportedValuesOf('currency'));

function currencyOf(sign: string): string | undefined {
  if (Object.hasOwn(SIGNS, sign)) return SIGNS[sign];
  return CODES.has(sign) ? sign : undefined;
}

/** Thousands in groups of three with one and the same mark, or in none; then two decimals after another mark, or none. */
const NUMBER =
  /^(?<whole>[1-9]\d{0,2}(?:(?<mark>[.,'’\s])\d{3}(?:\k<mark>\d{3})*)?|[1-9]\d*)(?:(?<point>[.,])(?<decimals>\d{2}))?$/;

function amountOf(number: string): string | undefined {
  const groups = NUMBER.exec(number)?.groups;
  if (!groups || (groups.mark && groups.mark === groups.point)) return undefined;
  const whole = (groups.whole ?? '').replace(/\D/g, '');
  return groups.decimals && groups.decimals !== '00' ? `${whole}.${groups.decimals}` : whole;
}
