/** Reads amounts of money as people write them. */
import { byWord, type Currencies, isCurrency, oneCurrency } from './currency-signs.ts';

/** An amount as schema.org wants it: `15000` or `2500.50`, and a currency's code of ISO 4217. One in an offer may be `0` or `-5`. */
export interface Price {
  readonly amount: string;
  readonly currency: string;
}

interface AmountContext {
  /** Of a number alone: that of the name's price. */
  readonly currency?: string | undefined;
  /** What shared signs stand for. */
  readonly currencies?: Currencies | undefined;
}

/**
 * Reads the amount of an offer: `$15,000`, `15.000 €`, `usd 15k`, `about 2 million`. Undefined for a text that is no
 * amount, or not one alone: `best offer`, `500-700`, `50%`, `¥5,000` where nothing says which of the two it is.
 */
export function readAmount(text: string, { currency, currencies }: AmountContext = {}): Price | undefined {
  const read = parseAmount(text, currencies);
  const code = read?.currency ?? currency;
  return read && code ? { amount: read.amount, currency: code } : undefined;
}

/** Reads the owner's price: an amount above zero with its currency, and no other words, not even `about`. */
export function priceOf(text: string, currencies?: Currencies): Price | undefined {
  const { amount, currency } = parseAmount(text, currencies, true) ?? {};
  return amount && currency && Number(amount) > 0 ? { amount, currency } : undefined;
}

/** The only number of a text, with the marks that are inside of it. */
const NUMBER = /^(?<before>\D*)(?<number>\d(?:[\d.,' ]*\d)?)(?<after>\D*)$/;

/**
 * A number in groups of three with one and the same mark, or as India groups it, or in none; then decimals after another mark,
 * one or two, or with zeros after them, as databases write them. Three digits after the only mark are thousands.
 */
const DIGITS =
  /^(?<whole>\d+|[1-9]\d{0,2}(?:(?<mark>[.,' ])\d{3})(?:\k<mark>\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3})(?:(?<point>[.,])(?<decimals>\d|\d\d(?:00+)?))?$/;

/** One digit too many after a comma for thousands: `10,0000` may be ten thousand, or a hundred thousand. */
const SLIP = /^\d{1,3},\d{4,}$/;

/** More digits before the decimals are no money, and with two decimals a number of JavaScript does not hold them. */
const MAX_DIGITS = 13;

/** A minus before the number, or before its currency. */
const MINUS = /^[-−]\S|[-−]\S*$/;

/** `US$` and French `$US` are one word, `$usd` and `k€` are two. */
const WORDS =
  /(?:us|au?|ca?|nz|hk|sg?|nt|mx|r)\$|\$(?:us|au|ca|nz|hk|sg|mx)(?!\p{L})|(?:jp|cn)¥|(?:gb|uk)£|£gb|\p{L}+|\S/giu;

/** How many digits are moved before the decimals, by the word for it. */
const POWERS = byWord({
  3: 'k tsd thousand tausend grand',
  5: 'lakh lakhs lac',
  6: 'm mn mio mln million millions millionen',
  7: 'crore crores',
});

const MARKS = new Set(".,-–—'");

/** What may stand beside an amount in an offer without changing it. */
const BESIDE = new Set([
  ...'~≈:;!?()"−',
  ...'about around approx approximately ca circa roughly some maybe max maximum at most up to or so only just'.split(
    ' ',
  ),
  ...'i d ll offer can pay would give you my bid is the for cash please total firm obo ok'.split(' '),
  ...'etwa ungefähr rund zirka maximal höchstens bis zu nur ich biete zahle würde mein angebot gebot wäre bar vb vhb'.split(
    ' ',
  ),
]);

/** Codes of currencies that are English words, in lower case: `try 500` names no Turkish lira. */
const NO_CODES = /\b(?:all|top|try)\b/g;

/**
 * An amount, without its currency where the text is a number alone.
 * @param isPrice whether words beside it are not allowed
 */
export function parseAmount(
  text: string,
  currencies?: Currencies,
  isPrice = false,
): { readonly amount: string; readonly currency?: string } | undefined {
  const { before = '', number = '', after = '' } = NUMBER.exec(withPlainDigits(text))?.groups ?? {};
  const words = `${before} ${after}`.replace(NO_CODES, 'only').toLowerCase().match(WORDS) ?? [];
  const [power, ...otherPowers] = words.flatMap((word) => POWERS.get(word) ?? []);
  const amount = otherPowers.length === 0 ? amountOf(number, Number(power ?? 0)) : undefined;
  const named = words.filter(isCurrency);
  const currency = oneCurrency(named, currencies);
  const isKnown = (word: string) =>
    POWERS.has(word) || isCurrency(word) || MARKS.has(word) || (!isPrice && BESIDE.has(word));
  if (!amount || !words.every(isKnown) || (named.length > 0 && !currency)) return undefined;
  return {
    amount: MINUS.test(before) && amount !== '0' ? `-${amount}` : amount,
    ...(currency && { currency }),
  };
}

function amountOf(number: string, power: number): string | undefined {
  const { whole, point, decimals = '' } = DIGITS.exec(number)?.groups ?? {};
  if (whole === undefined || (point && whole.includes(point)) || SLIP.test(number)) return undefined;
  const digits = decimals.slice(0, 2).padEnd(power, '0');
  const units = (whole.replace(/\D/g, '') + digits.slice(0, power)).replace(/^0+(?=\d)/, '');
  const cents = digits.slice(power).padEnd(2, '0');
  if (units.length > MAX_DIGITS) return undefined;
  return cents === '00' ? units : `${units}.${cents}`;
}

/** Full-width characters, digits of every script and marks of Arabic as ASCII, any white space as a space. */
function withPlainDigits(text: string): string {
  return text
    .replace(/[’‘´`′٬]/g, "'")
    .replace(/٫/g, '.')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit.codePointAt(0) as number)));
}

/** Ten digits follow each other, from zero. */
function valueOfDigit(digit: number): number {
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(digit - value - 1))) value += 1;
  return value;
}
