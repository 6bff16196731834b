import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mendedOfferLink } from './mangled-offer-link.ts';

const TOKEN = '0123456789abcdeffedcba9876543210';

/** As of a request, which has no fragment. */
const mended = (url: string) => mendedOfferLink(...(url.split('?').concat('') as [string, string]));

test('a link whose # was encoded leads to its page', () => {
  for (const url of [
    `/offer/%23${TOKEN}`,
    `/offer%23${TOKEN}`,
    `/offer/%2523${TOKEN}`,
    `/offer//%252523${TOKEN}`,
    `/OFFER/%23${TOKEN.toUpperCase()}`,
    `/offer/%23${TOKEN}%3E`,
    `/offer/%23${TOKEN}/?utm_source=x`,
    `/offer/${TOKEN}`,
    `/offer/?utm_source=x%23${TOKEN}`,
    `/offer?x%2523${TOKEN}&y=z`,
  ])
    assert.equal(mended(url), `/offer/#${TOKEN}`, url);
  assert.equal(mended(`/DE/offer/%23${TOKEN}`), `/de/offer/#${TOKEN}`);
});

test('a link whose token was cut, or in other letters, leads to the page', () => {
  const cut = TOKEN.slice(0, 30);
  for (const url of ['/offer/%23', `/offer/%23${cut}`, '/offer%2523', '/OFFER/', '/Offer'])
    assert.equal(mended(url), '/offer/', url);
  assert.equal(mended('/De/Offer/'), '/de/offer/');
});

test('the page itself and any other path lead nowhere', () => {
  for (const url of [
    '/offer/',
    '/offer',
    '/de/offer/',
    `/offer/?id=${TOKEN}`,
    '/offer/nothing',
    `/offers/%23${TOKEN}`,
    `/a/b/offer/%23${TOKEN}`,
    `/offer/${TOKEN}0`,
    `/admin/offer/%23${TOKEN}`,
    `/${TOKEN}`,
    '/',
  ])
    assert.equal(mended(url), undefined, url);
});
