import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../../tests/abuse/seeded-random.ts';
import { formatPrice } from './format-price.ts';
import { parseAmount, priceOf, readAmount } from './price-of.ts';

/** Texts by what they are, without a currency where they name none. */
const TEXTS: Record<string, string[]> = {
  '500 USD': [
    ...[
      '$500',
      '500$',
      '500 $',
      '$ 500',
      '$\u00a0500',
      '$500.00',
      '$500.',
      '$500!',
      '$500,-',
      '500,- $',
      '500.– $',
      '$500.0',
    ],
    ...[
      'US$500',
      'US$ 500',
      '$US 500',
      '500 $US',
      '$500 US',
      '$500 USD',
      '500 USD',
      '500USD',
      'USD 500',
      'USD500',
      'usd500',
    ],
    ...[
      '500 usd',
      'Usd 500',
      'USD $500',
      'USD: 500',
      '500 (USD)',
      '500 dollars',
      '500 Dollar',
      '500 US dollars',
      '500 bucks',
    ],
    ...['＄500', '＄５００', '$0.5k', '$500 or so', 'about $500', '~$500', '≈ 500 $', 'max. 500 USD'],
    ...[
      'I offer $500',
      'My offer: $500',
      'my bid is 500 usd',
      'up to $500',
      '$500 OBO',
      "I'd pay $500",
      'I’ll give you 500 usd',
      'VB 500 $',
      '$500 cash',
      '"$500"',
      '\u200e$500\u200e',
    ],
    ...['ca. 500 US$', 'Ich biete 500 USD', 'höchstens 500 $', '0500 $', '٥٠٠ US$', '५०० $', '$५००'],
  ],
  500: [
    '500',
    ' 500 ',
    '500.',
    '500.00',
    '500,00',
    '500,-',
    '~500',
    'about 500',
    'approx. 500',
    '500 max',
    'try 500',
    'all 500',
    '٥٠٠',
    '५००',
    '５００',
    '0.5k',
  ],
  0: ['0', '0.00', '00', '-0'],
  '0 USD': ['$0', '0 usd', '$0.00'],
  '-5': ['-5', '−5', '－5'],
  '-5 USD': ['$-5', '-$5', '-5 usd', '-USD 5', 'USD -5', '−5 US$'],
  1000: [
    '1,000',
    '1.000',
    '1 000',
    "1'000",
    '1’000',
    '1,000.00',
    '1.000,00',
    '1 000,00',
    '1k',
    '1K',
    '1 k',
    '1 tsd',
    '१,०००',
    '١٬٠٠٠',
  ],
  '1000 USD': [
    '$1k',
    '$1K',
    '1k $',
    '1k$',
    '$1,000',
    '$1.000',
    '1.000 $',
    '1,000 usd',
    '$1 thousand',
    '1 Tsd. $',
    '１,０００＄',
    '$1,000.0000',
  ],
  1500: ['1.5k', '1,5k', '1.50k', '1500', '1,500', '1.500'],
  2000: ['max 2000', 'maximal 2000', '2 grand', 'bis zu 2.000'],
  '2000000': [
    '2 million',
    '2m',
    '2M',
    '2 Mio.',
    '2 Millionen',
    '2,000,000',
    '2.000.000',
    '2 000 000',
    '20 lakh',
    '0.2 crore',
    '20,00,000',
  ],
  '1500000 EUR': ['1,5 Mio. €', '€1.5m', '1.5 million euros', '1.500.000,00 €', '1,500k €'],
  '5000000 USD': ['USD 5 million', '$5m', '$5,000,000'],
  '5000 USD': ['$5,000 USD', '$5,000', '5.000,- $', '5000,-- $'],
  '5000 EUR': [
    ...[
      '5.000,- €',
      '5 000 €',
      '5\u202f000 €',
      '5\u00a0000,00\u00a0€',
      '5000,0000 €',
      '5.000,0000 €',
      '€5,000',
      '€ 5.000',
      '5000 Euro',
      '5000 euros',
      'EUR 5000',
      '5.000 eur',
    ],
    ...['5k€', '€5k', '5’000 €', '٥٠٠٠ €'],
  ],
  '5000 CHF': ["CHF 5'000.-", "Fr. 5'000.–", 'CHF 5’000', '5000 Franken', 'CHF5000', 'SFr. 5000'],
  '6900 CHF': ["CHF 6'900.–", 'CHF 6’900', 'CHF 6900'],
  '1000000 INR': [
    '₹10,00,000',
    '₹10 lakh',
    '10 lakh ₹',
    '₹ 10,00,000.00',
    '10,00,000 rupees',
    '₹0.1 crore',
    '₹1,000,000',
    '₹१०,००,०००',
  ],
  '1000000': ['10 lakh', '10 lakhs', '10,00,000', '1,000,000'],
  '5000 SEK': ['5,000 SEK', 'sek 5 000', '5 000 kr SEK', 'SEK 5.000'],
  '5000 AUD': ['A$5,000', 'AU$5000', '$5,000 AUD', 'AUD 5k'],
  '5000 BRL': ['R$ 5.000', 'R$5.000,00', 'BRL 5000'],
  '5000 CAD': ['C$5,000', 'CA$5,000', '$5,000 CAD', '5.000 CAD'],
  '50000 CZK': ['50 000 Kč', '50.000 CZK'],
  '5000 PLN': ['5000 zł', '5 000,00 zł'],
  '5000 JPY': ['5000 JPY', '¥5,000 JPY', 'JP¥5,000', '5,000円', '￥5000 jpy'],
  '5000 CNY': ['CN¥5,000', '¥5,000 CNY', 'CNY 5000'],
  '2500.50 GBP': ['£2,500.50', '2,500.50 pounds', 'GBP 2500.5', '£2.500,50'],
  '99.90 EUR': ['99,90 €', '99.9 €', '€99.9000'],
  '1234567.89 EUR': ['EUR 1.234.567,89', '€1,234,567.89', '1 234 567,89 €', "1'234'567.89 €"],
};

/** No amount, or not one alone. */
const NONE = [
  ...[
    '',
    ' ',
    '$',
    'USD',
    'best offer',
    'make me smile',
    'ask me',
    'five hundred',
    '5 hundred',
    'k',
    '.',
    '-',
    'ten',
  ],
  ...[
    '500-700',
    '500 – 700',
    '$500 - $700',
    '500/700',
    '500 or 700',
    '$15,000 – $20,000',
    '500, 600',
    '500 USD / 450 EUR',
  ],
  ...[
    '50%',
    '50 %',
    '50 percent',
    '50 % of the price',
    '500+',
    '>500',
    '500*',
    '500/month',
    '500 a month',
    '$1 000 each',
    'from $15,000',
  ],
  ...[
    'at least 500',
    '$15,000 €',
    '€500 USD',
    '15000 XYZ',
    '500 BTC',
    'USD 500 EUR',
    '¥5,000',
    'kr 5 000',
    '5000 kr.',
    '¥500,000',
    '$500 SEK',
  ],
  ...[
    '1,000,000.000 €',
    '1.000.00 €',
    '0.999 €',
    '12345.000',
    '10,00.00',
    '1,0000',
    '10,0000 €',
    '$1,5000',
    '1,00000',
    '1,00,000,00',
    '50 00',
    '1 00',
    '5 5',
  ],
  ...[
    '0.005',
    '1e5',
    '0x10',
    '500 constructor',
    '__proto__ 5',
    '1k 2k',
    '5kk',
    '5 k million',
    '$500 for 2',
    '1.2.3',
    '12:30',
    '2026-11-29',
  ],
  ...[
    '9999999999999999',
    '99999999999999',
    '99999999m',
    '1 2 3',
    'a1',
    '5x',
    'www.5.com',
    '#500',
    '500@example.com',
    '½',
    '5²0x',
    '٪٥٠',
    '\u0000500',
  ],
];

const shown = (price: { amount: string; currency?: string } | undefined) =>
  price && [price.amount, price.currency].filter(Boolean).join(' ');

test('each text is read as what it is', () => {
  const rows = Object.entries(TEXTS).flatMap(([is, texts]) => texts.map((text) => [text, is] as const));
  const wrong = [...rows, ...NONE.map((text) => [text, undefined] as const)].flatMap(([text, is]) => {
    const read = shown(parseAmount(text));
    return read === is ? [] : [`${JSON.stringify(text)} is ${read}, and not ${is}`];
  });
  assert.deepEqual(wrong, []);
  assert.ok(new Set(rows.map(([text]) => text)).size >= 150);
});

test('a number alone has the currency of the name’s price, and no other text has it', () => {
  for (const [is, texts] of Object.entries(TEXTS)) {
    for (const text of texts)
      assert.equal(shown(readAmount(text, { currency: 'NOK' })), is.includes(' ') ? is : `${is} NOK`, text);
  }
  for (const text of NONE) assert.equal(readAmount(text, { currency: 'NOK' }), undefined, text);
  assert.equal(readAmount('500'), undefined);
});

test('a shared sign stands for what the owner says, and only $ for something else without', () => {
  const currencies = { $: 'CAD', kr: 'SEK', '¥': 'JPY' };
  for (const [text, without, is] of [
    ['$500', '500 USD', '500 CAD'],
    ['500 dollars', '500 USD', '500 CAD'],
    ['US$500', '500 USD', '500 USD'],
    ['$500 AUD', '500 AUD', '500 AUD'],
    ['kr 5 000', undefined, '5000 SEK'],
    ['5.000 kr.', undefined, '5000 SEK'],
    ['5 000 NOK', '5000 NOK', '5000 NOK'],
    ['5 000 kr NOK', '5000 NOK', '5000 NOK'],
    ['¥500,000', undefined, '500000 JPY'],
    ['￥500,000', undefined, '500000 JPY'],
    ['kr 5 $', undefined, undefined],
  ] as const) {
    assert.equal(shown(readAmount(text)), without, text);
    assert.equal(shown(readAmount(text, { currencies })), is, text);
    assert.equal(shown(priceOf(text, currencies)), is, text);
  }
});

test('a number of JavaScript holds every amount that is read, so that JSON carries it between databases', () => {
  for (const text of ['$9999999999999.99', '-$9999999999999.99', '$9,999,999,999,999.91', '$9.99m']) {
    const { amount = '' } = readAmount(text) ?? {};
    assert.equal(Number(amount).toFixed(2), amount.includes('.') ? amount : `${amount}.00`, text);
  }
  assert.equal(readAmount('$999999999999999.99'), undefined);
});

test('a price is above zero, names its currency and has no words beside it', () => {
  for (const text of ['$15,000', '15k USD', '5.000,- €', "Fr. 5'000.–"]) assert.ok(priceOf(text), text);
  for (const text of ['15,000', '$0', '$-5', 'about $500', '~$500', 'max $500', '$500 firm', '$500?'])
    assert.equal(priceOf(text), undefined, text);
});

test('what 20 languages write is read again', () => {
  const LOCALES = [
    'en',
    'en-IN',
    'de',
    'de-CH',
    'de-AT',
    'fr',
    'es',
    'it',
    'pt-BR',
    'nl',
    'sv',
    'da',
    'pl',
    'cs',
    'ru',
    'tr',
    'ja',
    'ko',
  ].concat('hi-u-nu-deva', 'ar-EG', 'fa', 'he', 'bn');
  const CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', 'INR', 'SEK', 'AUD', 'PLN'];
  const random = seededRandom('amounts through Intl');
  for (let round = 0; round < 2000; round += 1) {
    const locale = LOCALES[round % LOCALES.length] as string;
    const currency = CURRENCIES[Math.floor(random() * CURRENCIES.length)] as string;
    const units = Math.floor(10 ** (random() * 9));
    const cents = random() < 0.5 ? 0 : Math.ceil(random() * 99);
    const amount = cents === 0 ? `${units}` : `${units}.${String(cents).padStart(2, '0')}`;
    const text = formatPrice({ amount, currency }, locale);
    assert.deepEqual(priceOf(text, { kr: 'SEK' }), { amount, currency }, `${locale}: ${text}`);
    const minus = formatPrice({ amount: `-${amount}`, currency }, locale);
    assert.equal(
      readAmount(minus, { currencies: { kr: 'SEK' } })?.amount,
      units + cents === 0 ? '0' : `-${amount}`,
      `${locale}: ${minus}`,
    );
  }
});

test('an amount is written by its language, with decimals only where it has some', () => {
  const written = [
    ['7500', 'USD', 'en', '$7,500'],
    ['7500', 'USD', 'de', '7.500 $'],
    ['6900', 'EUR', 'en', '€6,900'],
    ['6900', 'CHF', 'de-CH', 'CHF 6’900'],
    ['99.90', 'EUR', 'de', '99,90 €'],
    ['5000', 'AUD', 'en', 'A$5,000'],
  ] as const;
  for (const [amount, currency, locale, text] of written)
    assert.equal(
      formatPrice({ amount, currency }, locale).replaceAll('\u00a0', ' ').replaceAll("'", '’'),
      text,
    );
});
