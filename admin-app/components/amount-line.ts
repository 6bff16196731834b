/** What stands below an amount in the list. */
import { formatPrice } from '#contract/format-price.ts';
import type { Price } from '#contract/price-of.ts';
import { percent, priceIn, type StoredAmount, shareOf } from '#contract/shown-amount.ts';
import type { AskingPrice } from './listings.ts';

/** `$15,000, 94 % of $16,000`: what was understood, where the text says it otherwise, and its share of the asking price. */
export function amountLine(offered: StoredAmount, asking: AskingPrice | undefined): string {
  const price = priceIn(offered);
  const understood = price && !isTypedSo(offered.amount ?? '', price) ? formatPrice(price, 'en') : '';
  const share = shareOf(price, asking?.price);
  const about =
    asking &&
    (share === undefined || share >= 1
      ? `${understood ? 'asking' : 'Asking'} ${asking.text}`
      : `${percent(share)} of ${asking.text}`);
  return [understood, about].filter(Boolean).join(', ');
}

export function isFullPrice(offered: StoredAmount, asking: AskingPrice | undefined): boolean {
  return (shareOf(priceIn(offered), asking?.price) ?? 0) >= 1;
}

/** Whether a text has the amount's digits and the sign or code of its currency, in any order, and no word. */
function isTypedSo(text: string, price: Price): boolean {
  const typed = signsOf(text);
  return typed === signsOf(formatPrice(price, 'en')) || typed === signsOf(`${price.amount}${price.currency}`);
}

/** Without white space, marks between digits, and decimals of zero. */
function signsOf(text: string): string {
  const signs = text.replace(/[.,]00(?!\d)/, '').replace(/[\s.,'’]/g, '');
  return Array.from(signs).sort().join('');
}
