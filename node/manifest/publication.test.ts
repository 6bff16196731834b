import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PublicationSchema } from '#contract/publication.ts';
import { parseCatalogue } from '../../src/catalogue/load.ts';
import { publicationOf } from './publication.ts';

const publicationWith = (settings: object) => {
  const domains = [{ name: 'lap.app', price: '$1', description: 'One.', hasBroker: true }];
  const text = JSON.stringify({
    settings: { brokerUrl: 'https://b.example/{domain}', ...settings },
    domains,
  });
  // As a file has it.
  return PublicationSchema.parse(JSON.parse(JSON.stringify(publicationOf(parseCatalogue('c', text), 'one'))));
};

test('a publication has the settings that messages need, and no others', () => {
  const settings = {
    owner: 'Ada',
    contact: 'ada@example.com',
    links: [{ text: 'Imprint', url: 'https://ada.example' }],
    languages: ['de', 'en'],
    replyWithin: '3 days',
  };
  assert.deepEqual(publicationWith({ ...settings, emailUse: 'None.' }).settings, settings);
  assert.deepEqual(publicationWith({}).settings, { languages: ['en'] });
});
