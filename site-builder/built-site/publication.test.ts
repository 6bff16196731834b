import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PublicationSchema } from '#contract/publication.ts';
import { parseCatalogue } from '../../src/catalogue/load.ts';
import { publicationOf, writePublication } from './publication.ts';

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
    currencies: { kr: 'SEK' },
  };
  assert.deepEqual(publicationWith({ ...settings, emailUse: 'None.' }).settings, settings);
  assert.deepEqual(publicationWith({}).settings, { languages: ['en'] });
});

test('an entry has its state, and its price and minimum as amounts where they can be read', () => {
  const domains = [
    { name: 'a.app', price: '$100', minimum: '25%' },
    { name: 'b.app', price: 'ask me', minimum: '€300' },
    { name: 'c.app', price: '5 kr', state: 'sold' },
    { name: 'd.app' },
  ];
  const text = JSON.stringify({ settings: { currencies: { kr: 'SEK' } }, domains });
  const { entries } = JSON.parse(JSON.stringify(publicationOf(parseCatalogue('c.yaml', text), 'one')));
  assert.deepEqual(entries, [
    {
      ...{ name: 'a.app', state: 'for_sale', price: '$100', value: '100', currency: 'USD' },
      minimum: { amount: '25', currency: 'USD' },
    },
    {
      ...{ name: 'b.app', state: 'for_sale', price: 'ask me', currency: 'EUR' },
      minimum: { amount: '300', currency: 'EUR' },
    },
    { name: 'c.app', state: 'sold', price: '5 kr', value: '5', currency: 'SEK' },
    { name: 'd.app', state: 'for_sale' },
  ]);
});

test('a publication has where buyers pay, of a domain, the defaults and the settings', () => {
  const settings = {
    ...{ checkout: 'https://pay.example/{amount}', checkoutHosts: ['escrow.example'], payDays: 7 },
    ...{ closing: '**{reference}**', afterPayment: { en: '1. {domain}', de: '1. {email}' } },
    languages: ['en', 'de'],
  };
  const catalogue = parseCatalogue(
    'c.yaml',
    JSON.stringify({
      settings,
      defaults: { checkout: 'https://pay.example/default' },
      domains: [{ name: 'lap.app' }, { name: 'own.app', checkout: 'https://pay.example/own' }],
    }),
  );
  // As a file has it.
  const { entries, settings: published } = PublicationSchema.parse(
    JSON.parse(JSON.stringify(publicationOf(catalogue, 'one'))),
  );
  assert.deepEqual(
    entries.map(({ checkout }) => checkout),
    ['https://pay.example/default', 'https://pay.example/own'],
  );
  assert.deepEqual(published, {
    ...settings,
    closing: { en: '<p><strong>{reference}</strong></p>', de: '<p><strong>{reference}</strong></p>' },
    afterPayment: { en: '<ol>\n<li>{domain}</li>\n</ol>', de: '<ol>\n<li>{email}</li>\n</ol>' },
  });
});

test('a publication has the owner’s accent colour for mails, and no other text in its place', () => {
  const catalogue = parseCatalogue(
    'c',
    JSON.stringify({ domains: [{ name: 'lap.app', price: '$1', description: 'One.' }] }),
  );
  const accent = { light: '#8a3b12', onLight: '#ffffff', dark: '#f3b48b', onDark: '#131318' };
  const publication = publicationOf(catalogue, 'one', accent);
  assert.deepEqual(PublicationSchema.parse(publication).settings.accent, accent);
  const wrong = publicationOf(catalogue, 'one', { ...accent, light: 'red;}</style>' });
  assert.equal(PublicationSchema.safeParse(wrong).success, false);
});

test('a publication has the text of a link in every language', () => {
  const links = [{ text: { en: 'Imprint', de: 'Impressum' }, url: 'https://ada.example' }];
  assert.deepEqual(publicationWith({ languages: ['de', 'en'], links }).settings.links, links);
});

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
  assert.deepEqual(
    JSON.parse(JSON.stringify(publicationOf(catalogue, 'a build', undefined, new Date(0), new Date(1)))),
    {
      entries: [
        { name: 'lap.app', state: 'for_sale', price: '$1', value: '1', currency: 'USD' },
        { name: 'sold.app', state: 'sold', price: '$1', value: '1', currency: 'USD' },
        { name: 'reserved.app', state: 'reserved', price: '$1', value: '1', currency: 'USD' },
      ],
      hosts: ['names.example.com', 'more.example.com'],
      language: 'de',
      settings: { languages: ['de', 'en'] },
      build: 'a build',
      builtAt: '1970-01-01T00:00:00.001Z',
      readAt: '1970-01-01T00:00:00.000Z',
    },
  );
});

test('the file of a publication is for its owner alone to read', (t) => {
  const dist = mkdtempSync(join(tmpdir(), 'publication-'));
  t.after(() => rmSync(dist, { recursive: true }));
  writePublication(dist, publicationWith({}));
  assert.equal(statSync(join(dist, 'publication.json')).mode & 0o777, 0o600);
});
