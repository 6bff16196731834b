/** Six domains for sale with prices that visitors see on their own pages, one sold and one reserved. */
import { testWithShop } from '../test-with-shop.ts';

/** Is read as münchen.example. */
export const MUNICH = 'xn--mnchen-3ya.example';
/** Is read as bücher.example. */
export const RESERVED = 'xn--bcher-kva.example';
export const SOLD = 'sold.example';
const LONGEST = `${'thelongestnamethatanyregistryaccepts'.repeat(2).slice(0, 63)}.example`;
/** Labels of 2, 7, 20 and 63 letters. */
export const NAMES = ['io.example', 'sunrise.example', 'internationalization.example', LONGEST];
export const FOR_SALE = [...NAMES, 'priced.example', MUNICH];
export const DESCRIPTION =
  'Three letters, one syllable, easy to say and hard to forget. For runners, racers, laptops and more.';

/** Prices that occur nowhere else in the pages. */
export const PRICES: Record<string, string> = {
  'priced.example': '$15,731',
  [MUNICH]: 'make me <smile>, 7 digits at best',
  'internationalization.example': '$1,250,000',
  [SOLD]: '$99,173',
  [RESERVED]: '$88,264',
};
const DESCRIPTIONS: Record<string, string> = {
  'priced.example': 'About priced.example.',
  [MUNICH]: 'A city on the Isar.',
};
const STATES: Record<string, string> = { [SOLD]: 'sold', [RESERVED]: 'reserved' };
const ABOUT: Record<string, string> = {
  'priced.example':
    '# History\n\nSince **2009**, [never used](https://archive.example). <script>alert(1)</script>',
  [SOLD]: 'A longer text.',
  [RESERVED]: 'A longer text.',
};

/** Where the broker sells a domain. */
export const brokerOf = (name: string) => `https://broker.example/${name}`;

const DOMAINS = [...FOR_SALE, SOLD, RESERVED].map((name) => ({
  name,
  price: PRICES[name] ?? '$12,500',
  description: DESCRIPTIONS[name] ?? DESCRIPTION,
  hasBroker: true,
  ...(ABOUT[name] && { about: ABOUT[name] }),
  ...(STATES[name] && { state: STATES[name] }),
}));
const SETTINGS = {
  brokerUrl: brokerOf('{domain}'),
  hosts: ['names.example'],
  languages: ['en', 'de'],
  contact: 'owner@example.com',
  showPrice: 'page',
};

export const test = testWithShop({ name: 'names', catalogue: { settings: SETTINGS, domains: DOMAINS } });
