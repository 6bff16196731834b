/** The lines of Set prices: a name and its price in each, with a minimum if there is one. */
import type { Currencies } from '#contract/currency-signs.ts';
import type { NameChange, NameValues } from '#contract/names.ts';
import { type Price, priceOf } from '#contract/price-of.ts';
import { ownValue, shownValue } from './name-values.ts';

export interface PriceLine {
  /** In ASCII and lower case, as the catalogue has it. */
  readonly name: string;
  /** As typed; undefined where it cannot be read. */
  readonly price: string | undefined;
  readonly minimum: string | undefined;
}

const SHARE = /^\d{1,2}(?:[.,]\d+)?\s?%$/;

/** One for each line that is not blank. */
export function parsePriceLines(text: string, currencies?: Currencies): PriceLine[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, name = '', rest = ''] = /^([^\s;,]+)[\s;,]*(.*)$/.exec(line) ?? [];
      return { name: asciiName(name), ...amountsOf(rest, currencies) };
    });
}

function asciiName(typed: string): string {
  try {
    return new URL(`http://${typed}`).hostname;
  } catch {
    return typed.toLowerCase();
  }
}

/** A price may have spaces, so that the whole is tried first, then each place where a minimum could begin. */
function amountsOf(text: string, currencies?: Currencies): Omit<PriceLine, 'name'> {
  if (priceOf(text, currencies)) return { price: text, minimum: undefined };
  for (const { index } of text.matchAll(/[\s;]+/g)) {
    const [price, minimum] = [text.slice(0, index), text.slice(index).replace(/^[\s;]+/, '')];
    if (priceOf(price, currencies) && (priceOf(minimum, currencies) || SHARE.test(minimum)))
      return { price, minimum };
  }
  return { price: undefined, minimum: undefined };
}

/** What a line does. */
export type PriceStep =
  | { status: 'unreadable'; name: string }
  | { status: 'unknown'; name: string; similar: string | undefined }
  | { status: 'repeated'; name: string }
  | { status: 'unchanged'; name: string; price: string }
  | {
      status: 'set';
      name: string;
      from: string | null;
      to: string;
      /** Of the price, in whole percent; undefined where the two cannot be compared. */
      percent: number | undefined;
      price: Price | undefined;
      changes: readonly NameChange[];
    };

/**
 * @param values what the file has of the names of the lines
 * @param known names that a mistyped one may stand for
 */
export function priceSteps(
  lines: readonly PriceLine[],
  values: ReadonlyMap<string, NameValues>,
  known: readonly string[],
  currencies?: Currencies,
): PriceStep[] {
  const seen = new Set<string>();
  return lines.map(({ name, price, minimum }) => {
    const now = values.get(name);
    if (!now) return { status: 'unknown', name, similar: similarName(name, known) };
    if (seen.has(name)) return { status: 'repeated', name };
    seen.add(name);
    if (price === undefined) return { status: 'unreadable', name };
    const changes = [
      { name, field: 'price', from: ownValue(now, 'price'), to: price },
      ...(minimum === undefined
        ? []
        : [{ name, field: 'minimum', from: ownValue(now, 'minimum'), to: minimum }]),
    ].filter(({ from, to }) => from !== to);
    if (changes.length === 0) return { status: 'unchanged', name, price };
    const from = shownValue(now, 'price').value;
    const [before, after] = [
      from === null ? undefined : priceOf(from, currencies),
      priceOf(price, currencies),
    ];
    return { status: 'set', name, from, to: price, percent: percentOf(before, after), price: after, changes };
  });
}

function percentOf(before: Price | undefined, after: Price | undefined): number | undefined {
  if (!before || before.currency !== after?.currency) return undefined;
  const change = (Number(after.amount) / Number(before.amount) - 1) * 100;
  return Math.sign(change) * Math.round(Math.abs(change));
}

/** The known name that is one slip away, or two of a long one. */
function similarName(name: string, known: readonly string[]): string | undefined {
  const most = name.length < 8 ? 1 : 2;
  return known
    .map((each) => ({ each, slips: slipsBetween(name, each, most) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips)[0]?.each;
}

/** How many letters are to be added, removed or replaced; more than `most` where it is more. */
function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(
        Math.min((row[j] ?? 0) + Number(letter !== other), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
