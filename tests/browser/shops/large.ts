/** Thirty domains for sale and a sold one, hosts of the site's own, and prices that visitors see everywhere. */
import { testWithShop } from '../test-with-shop.ts';

/** Is read as münchen.example. */
export const MUNICH = 'xn--mnchen-3ya.example';
/** Is read as إختبار.example, from right to left before the dot. */
export const ARABIC = 'xn--kgbechtv.example';
export const HOSTILE =
  'A name & a "half" </script><script>document.title="hacked"</script> <!-- <b>more</b>.';

/** Has the description of the defaults. */
export const UNDESCRIBED = 6;
const DOMAINS = Array.from({ length: 30 }, (_, n) => ({
  name: nameOf(n),
  price: n === 1 ? 'make me smile' : `$${n + 1},111`,
  ...(n !== UNDESCRIBED && { description: n === 2 ? HOSTILE : describe(n) }),
}));
const SETTINGS = {
  hosts: ['names.example', 'other.example'],
  languages: ['en', 'de'],
  showPrice: 'everywhere',
};

export const test = testWithShop({
  name: 'large',
  catalogue: {
    settings: SETTINGS,
    defaults: { description: '{domain} waits for you.' },
    domains: [...DOMAINS, { ...DOMAINS[0], name: 'sold.example', state: 'sold' }],
  },
});

export function nameOf(n: number): string {
  if (n === 29) return MUNICH;
  if (n === 19) return ARABIC;
  return n === 20 ? 'name20.app' : `name${n}.example`;
}

/** Only some descriptions are translated. */
function describe(n: number): string | Record<string, string> {
  const en = `The name number ${n}.`;
  return n === 27 ? { en, de: `Der Name Nummer ${n}.` } : en;
}
