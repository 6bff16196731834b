/** A catalogue that the dashboard changes: defaults, two languages, each state, and a host that is not for sale. */
import { testWithShop } from '../test-with-shop.ts';

const DOMAINS = [
  { name: 'lap.example', price: '$10,000', description: 'Three letters, easy to say.', hasBroker: false },
  {
    name: 'tide.example',
    price: '$7,500',
    minimum: '$5,000',
    description: { en: 'At the sea.', de: 'Am Meer.' },
  },
  { name: 'plain.example' },
  { name: 'kept.example', price: '€900', state: 'reserved' },
  { name: 'gone.example', price: '$1', state: 'sold' },
];
const SETTINGS = { languages: ['en', 'de'], hosts: ['names.example'], showPrice: 'page' };
const DEFAULTS = { minimum: '25%', hasBroker: false };

export const test = testWithShop({
  name: 'own-names',
  catalogue: { settings: SETTINGS, defaults: DEFAULTS, domains: DOMAINS },
});
