import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublishedCatalogue } from './listings.ts';
import { linkToken, linkUrl, makeLink } from './offer-link.ts';

const KEY = 'sb_secret_t';
const OFFER = { id: '0190a5b0-1111-4222-8333-444455556666', domain: 'lap.app' };
const LINK = makeLink(KEY, OFFER.id, 1);
const CATALOGUE: PublishedCatalogue = {
  version: 1,
  site: { hosts: ['lap.app', 'names.example'], names: new Set(['lap.app']), adminHost: undefined },
  states: new Map([['lap.app', 'for_sale']]),
  language: 'en',
  build: 'one',
  settings: { languages: ['en', 'de'] },
};

test('a link leads to the page in the language of the offer, where the site has one', () => {
  for (const [language, path] of [
    ['de', '/de/offer/'],
    ['en', '/offer/'],
    ['fr', '/offer/'],
    [null, '/offer/'],
    [undefined, '/offer/'],
  ] as const) {
    const url = linkUrl(KEY, CATALOGUE, { ...OFFER, language }, LINK);
    assert.equal(url, `https://names.example${path}#${linkToken(KEY, OFFER.id, LINK)}`, String(language));
  }
});

test('there is no link under another secret key, nor in a refusal while the name is not for sale', () => {
  assert.equal(linkUrl('sb_secret_other', CATALOGUE, OFFER, LINK), undefined);
  const sold = { ...CATALOGUE, states: new Map([['lap.app', 'sold' as const]]) };
  assert.equal(linkUrl(KEY, sold, OFFER, LINK, { kind: 'decline' }), undefined);
  assert.ok(linkUrl(KEY, CATALOGUE, OFFER, LINK, { kind: 'decline' }));
  assert.ok(linkUrl(KEY, sold, OFFER, LINK, { kind: 'take_back', as: 'rejected' }));
});
