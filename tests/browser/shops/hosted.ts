/** Pages for a hosted project, with Turnstile. */
import { PUBLIC_KEY } from '../../support/product.ts';
import { testWithShop } from '../test-with-shop.ts';

const DOMAINS = ['site.example', 'xn--bcher-kva.example', 'gone.example'].map((name) => ({
  name,
  price: '$1',
  description: `About ${name}.`,
  hasBroker: false,
  ...(name === 'gone.example' && { state: 'sold' }),
}));
const SETTINGS = {
  brokerUrl: 'https://broker.example/{domain}',
  languages: ['en', 'de'],
  hosts: ['names.example'],
};

export const SITE_KEY = '1x00000000000000000000BB';

export const test = testWithShop({
  name: 'hosted',
  catalogue: { settings: SETTINGS, domains: DOMAINS },
  env: {
    // Nothing listens there.
    SUPABASE_URL: 'http://127.0.0.1:9',
    SUPABASE_PUBLISHABLE_KEY: PUBLIC_KEY,
    TURNSTILE_SITE_KEY: SITE_KEY,
  },
});
