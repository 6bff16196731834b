/** Amounts of the owner's and agreed ones, as people read them in a language. */
import type { Currencies } from './currency-signs.ts';
import { formatPrice } from './format-price.ts';
import type { StoredMove } from './negotiation.ts';
import { type Price, priceOf } from './price-of.ts';

export interface ShownAmount {
  readonly text: string;
  /** Whether it is one amount with one currency, which no translator may change. Otherwise the text is as it was typed. */
  readonly isClear: boolean;
}

/** A text with what was read in it when it was stored: null, empty or absent where it is no clear amount. */
export interface StoredAmount {
  readonly amount?: string | null | undefined;
  readonly value?: number | null | undefined;
  readonly currency?: string | null | undefined;
}

/** Digits of an amount that is named again, its decimals included: more are a slip, or no money. */
const MAX_DIGITS = 9;

/** The owner's price. */
export function shownPrice(text: string, locale: string, currencies?: Currencies): ShownAmount {
  return shown(text, priceOf(text, currencies), locale);
}

/** The amount of a move. The buyer's own stays as typed until it is agreed. */
export function shownMove(
  { kind, ...stored }: StoredAmount & { readonly kind: string },
  locale: string,
): ShownAmount {
  const text = stored.amount ?? '';
  const price = priceIn(stored);
  const isClear =
    (kind === 'accept' && isAgreed(price)) || (kind === 'counter' && isCounter(text, stored.currency));
  return shown(text, isClear ? price : undefined, locale);
}

/** The amount that is open or agreed after these moves, as `shownMove` returns it. */
export function shownAmountOf(moves: readonly StoredMove[], locale: string): ShownAmount {
  const named = standingOf(moves);
  const kind = moves.at(-1)?.kind === 'accept' ? 'accept' : (named?.kind ?? '');
  return shownMove({ ...named, kind }, locale);
}

/** The move that named the amount which counts after these moves. An acceptance names none, and may be taken back. */
export function standingOf(moves: readonly StoredMove[]): StoredMove | undefined {
  return moves.findLast(({ kind, amount }) => amount && kind !== 'accept');
}

/** The amount that was read in a text when it was stored. */
export function priceIn({ value, currency }: StoredAmount): Price | undefined {
  if (value == null || !currency) return undefined;
  return { amount: Number.isInteger(value) ? String(value) : value.toFixed(2), currency };
}

/** Undefined where one of them is not clear, or their currencies differ. */
export function shareOf(price: Price | undefined, asking: Price | undefined): number | undefined {
  if (!price || price.currency !== asking?.currency) return undefined;
  return Number(price.amount) / Number(asking.amount);
}

/** `87 %`. Less than the whole is never 100 %. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  if (whole < 1) return 'under 1 %';
  return `${Math.min(99, whole)} %`;
}

function isAgreed(price: Price | undefined): boolean {
  return Number(price?.amount) > 0 && (price?.amount.replace('.', '').length ?? 0) <= MAX_DIGITS;
}

/** Whether a text is an amount with its currency, and no other words: `about $500` is as it was typed. */
function isCounter(text: string, currency: string | null | undefined): boolean {
  const signs = currency ? { $: currency, kr: currency, '¥': currency } : undefined;
  return priceOf(text, signs) !== undefined;
}

function shown(text: string, price: Price | undefined, locale: string): ShownAmount {
  return price ? { text: formatPrice(price, locale), isClear: true } : { text, isClear: false };
}
