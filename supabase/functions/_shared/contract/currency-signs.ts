/** What people write for a currency: signs, words and codes of ISO 4217. */

/** Signs that several countries share, each with the code that it stands for: the catalogue's setting `currencies`. */
export type Currencies = { readonly [Sign in SharedSign]?: string | undefined };

export const SHARED_SIGNS = ['$', 'kr', '¥'] as const;
export type SharedSign = (typeof SHARED_SIGNS)[number];

/** The words of each, in lower case. */
const CODE_OF = byWord({
  ...{
    AUD: 'a$ au$ $au',
    BRL: 'r$',
    CAD: 'c$ ca$ $ca',
    CHF: 'fr sfr franken',
    CNY: 'cn¥',
    CZK: 'kč',
    EUR: '€ euro euros',
  },
  ...{
    GBP: '£ pound pounds pfund £gb gb£ uk£',
    HKD: 'hk$ $hk',
    HUF: 'ft',
    ILS: '₪',
    INR: '₹ rupee rupees',
    JPY: 'jp¥ 円',
    KRW: '₩',
  },
  ...{
    MXN: 'mx$ $mx',
    NGN: '₦',
    NZD: 'nz$ $nz',
    PHP: '₱',
    PLN: 'zł',
    RUB: '₽',
    SGD: 's$ sg$ $sg',
    THB: '฿',
    TRY: '₺',
    TWD: 'nt$',
  },
  ...{ UAH: '₴', USD: 'us us$ $us', VND: '₫' },
});
const SIGN_OF = byWord({ $: '$ dollar dollars bucks', kr: 'kr kronor kroner', '¥': '¥' });

const CODES = new Set(Intl.supportedValuesOf('currency'));

/** The code that a sign, a word or a code stands for in every country. */
function codeOf(word: string): string | undefined {
  const code = word.toUpperCase();
  return CODE_OF.get(word) ?? (CODES.has(code) ? code : undefined);
}

/** Whether this is a currency, in lower case. */
export function isCurrency(word: string): boolean {
  return (codeOf(word) ?? SIGN_OF.get(word)) !== undefined;
}

/** Whether the sign may stand for the currency: `$` for `CAD`. */
export function isSignOf(sign: SharedSign, code: string): boolean {
  if (!CODES.has(code)) return false;
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  });
  return format.formatToParts(0).some(({ value }) => value === sign);
}

/**
 * The one currency that is meant by all of these words, in lower case: `USD` by `$` and `usd`, `CAD` by `$` and `cad`. Undefined
 * for two currencies, and for a shared sign alone unless the owner or the default says which.
 */
export function oneCurrency(words: readonly string[], currencies: Currencies = {}): string | undefined {
  const codes = new Set(words.flatMap((word) => codeOf(word) ?? []));
  const [sign, ...otherSigns] = new Set(
    words.flatMap((word) => (codeOf(word) ? [] : (SIGN_OF.get(word) ?? []))),
  );
  if (codes.size > 1 || otherSigns.length > 0) return undefined;
  const [code] = codes;
  if (sign === undefined) return code;
  if (code !== undefined) return isSignOf(sign, code) ? code : undefined;
  return currencies[sign] ?? (sign === '$' ? 'USD' : undefined);
}

/** Which name each word belongs to. */
export function byWord<Name extends string>(words: Record<Name, string>): ReadonlyMap<string, Name> {
  const entries = Object.entries(words) as [Name, string][];
  return new Map(entries.flatMap(([name, list]) => list.split(' ').map((word) => [word, name] as const)));
}
