import type { Price } from './price-of.ts';

/**
 * An amount as people read it in a language: `$7,500`, `7.500 $`. A sign that others share is written out (`A$5,000`), and
 * decimals only where there are some. Node, Deno and browsers may differ: a page is hydrated with the text of its HTML.
 */
export function formatPrice({ amount, currency }: Price, locale: string): string {
  const digits = amount.includes('.') ? 2 : 0;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(amount));
}
