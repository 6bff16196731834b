import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCatalogue } from '../../src/catalogue/load.ts';
import { publicationOf } from './publication.ts';

test('a publication has every name with its state and price, the hosts and the first language of the catalogue', () => {
  const entry = { price: '$1', description: 'One.', hasBroker: false };
  const catalogue = parseCatalogue(
    'c.yaml',
    JSON.stringify({
      settings: {
        brokerUrl: 'https://b.example/{domain}',
        languages: ['de', 'en'],
        hosts: ['names.example.com', 'more.example.com'],
      },
      domains: [
        { ...entry, name: 'lap.app' },
        { ...entry, name: 'sold.app', state: 'sold' },
        { ...entry, name: 'reserved.app', state: 'reserved' },
      ],
    }),
  );
  assert.deepEqual(publicationOf(catalogue, 'a build', new Date(0)), {
    entries: [
      { name: 'lap.app', state: 'for_sale', price: '$1' },
      { name: 'sold.app', state: 'sold', price: '$1' },
      { name: 'reserved.app', state: 'reserved', price: '$1' },
    ],
    hosts: ['names.example.com', 'more.example.com'],
    language: 'de',
    build: 'a build',
    builtAt: '1970-01-01T00:00:00.000Z',
  });
});
