/** Every option about the seller and the ways to buy, with low offers, messages and a sold domain. */
import { testWithShop } from '../test-with-shop.ts';

export const OWNER = 'Ada <i>Example</i> & {owner}';
export const EMAIL_USE = 'Only used to answer you. </script><b>';
export const IMPRINT = { en: 'Imprint "&', de: 'Impressum' };
export const LINKS = [
  { text: IMPRINT.en, url: 'https://ada.example/imprint?a="b"&c' },
  { text: 'Privacy', url: 'https://ada.example/privacy' },
  { text: 'ada@example.com', url: 'mailto:ada@example.com' },
  { text: '+1 555 0100', url: 'tel:+1-555-0100' },
];
export const ESCROW = { text: 'How escrow works', url: 'https://escrow.example/how' };
export const BUY_NOW = 'https://buy.example/lap.app?a=1&b=2';
const TILL = 'https://till.example';
export const INSTALMENTS = 'https://buy.example/lap.app/instalments';

const DOMAINS = ['lap.app', 'host.example', 'rates.example', 'sold.example'].map((name) => ({
  name,
  price: '$15,000',
  description: `About ${name}.`,
  ...(name === 'lap.app' && { hasBroker: true }),
  ...(name === 'lap.app' && { buyNow: BUY_NOW, instalments: INSTALMENTS }),
  ...(name === 'rates.example' && { instalments: INSTALMENTS, minimum: '37%' }),
  ...(name === 'host.example' && { checkout: `${TILL}/host?{minor}`, minimum: '$1' }),
  ...(name === 'sold.example' && { state: 'sold', buyNow: BUY_NOW }),
}));
const SETTINGS = {
  brokerUrl: 'https://broker.example/{domain}',
  languages: ['en', 'de'],
  contact: 'offers@example.com',
  showPrice: 'page',
  owner: OWNER,
  links: LINKS.map((link) => (link.text === IMPRINT.en ? { ...link, text: IMPRINT } : link)),
  emailUse: EMAIL_USE,
  escrow: ESCROW,
  offerMessage: true,
  checkout: `${TILL}/{amount}`,
  checkoutHosts: ['till.example'],
  payDays: 7,
};

export const test = testWithShop({ name: 'seller', catalogue: { settings: SETTINGS, domains: DOMAINS } });
