/**
 * The token of a buyer's link, 128 bits in hexadecimal, as a code to type where a mail program broke the link: in Crockford's
 * base 32, with a check character, in groups of four: `014D-2PF2-…-GGT`. It is the same secret, and no second one.
 */

/** Without I, L, O and U. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 128 bits need 26 symbols of 5; the first one has 3. */
const LENGTH = 26;

/** Finds the token in what a mail program made of a link: `%2523TOKEN`, `#TOKEN%3E`, `utm_source=x#TOKEN`. */
export function findToken(text: string): string | undefined {
  const [, token] = /(?:^|[^0-9a-f])([0-9a-f]{32})(?![0-9a-f])/i.exec(text.replace(/%(?:25)*23/g, '#')) ?? [];
  return token?.toLowerCase();
}

/** @param token 32 hexadecimal digits */
export function codeOf(token: string): string {
  const bits = BigInt(`0x${token}`);
  const values = Array.from({ length: LENGTH }, (_, index) =>
    Number((bits >> BigInt(5 * (LENGTH - 1 - index))) & 31n),
  );
  const symbols = [...values, doubled(remainderOf(values))].map((value) => SYMBOLS[value]).join('');
  return symbols.replace(/.{4}(?=.)/g, '$&-');
}

/** Reads a code in any letter case, with any spaces and dashes, and O, I and L as 0 and 1. Undefined where it is mistyped. */
export function tokenOfCode(code: string): string | undefined {
  const symbols = code
    .replace(/[\s\p{Pd}]/gu, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  const values = Array.from(symbols, (symbol) => SYMBOLS.indexOf(symbol));
  const [first = 0] = values;
  if (values.length !== LENGTH + 1 || values.includes(-1) || first > 7 || remainderOf(values) !== 0)
    return undefined;
  const bits = values.slice(0, LENGTH).reduce((sum, value) => (sum << 5n) | BigInt(value), 0n);
  return bits.toString(16).padStart(32, '0');
}

/** 0 for the values of a whole code, and never for one in which one symbol is another, or two symbols have changed places. */
function remainderOf(values: readonly number[]): number {
  return values.reduce((sum, value) => doubled(sum) ^ value, 0);
}

/** Times x in the field of 32 elements, modulo x⁵ + x² + 1. */
function doubled(value: number): number {
  return (value << 1) ^ (value & 16 ? 0b100101 : 0);
}
