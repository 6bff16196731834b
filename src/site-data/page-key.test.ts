import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relatedDomains } from '../catalogue/related-domains.ts';
import { alikeDomains } from './alike-domains.ts';
import type { Domain, ForSale } from './for-sale.ts';
import { pageKeyOf } from './page-key.ts';

const NAMES = Array.from({ length: 30 }, (_, n) => `name${n}.app`);

/** The keys of 30 names by their positions. */
function keys(edited: Record<number, Partial<Domain>> = {}, settings = {}): string[] {
  const domains = NAMES.map((name, position) => ({
    ...{ name, position, price: '$1', description: 'One.', hasBroker: true, hasDefaultDescription: false },
    ...edited[position],
  }));
  const offered = domains.filter(({ state }) => !state);
  const related = relatedDomains<Domain>(offered);
  const site = { settings, related, alike: alikeDomains(offered), ownImages: new Set() };
  return domains.map((domain) => pageKeyOf(site as unknown as ForSale, domain));
}

function changed(edited: Record<number, Partial<Domain>>, settings = {}): number[] {
  const before = keys({}, settings);
  return keys(edited, settings).flatMap((key, position) => (key === before[position] ? [] : [position]));
}

test('a description changes the pages that show it, a price that none shows and a longer text their own', () => {
  assert.deepEqual(changed({ 10: { description: 'Two.' } }), [5, 6, 7, 8, 9, 10]);
  assert.deepEqual(changed({ 10: { price: '$2' } }, { showPrice: 'never' }), [10]);
  assert.deepEqual(changed({ 10: { about: 'More.' } }), [10]);
});

test('a price and ways to buy change the pages that have the domain’s card', () => {
  for (const edited of [
    { price: '$2' },
    { buyNow: 'https://a.example' },
    { instalments: 'https://a.example' },
  ])
    assert.deepEqual(changed({ 10: edited }, { showPrice: 'page' }), [5, 6, 7, 8, 9, 10]);
});

test('a first minimum of a domain changes the pages that have its card, another amount none', () => {
  assert.deepEqual(changed({ 10: { minimum: '$500' } }), [5, 6, 7, 8, 9, 10]);
  const other = keys({ 10: { minimum: '25%' } });
  assert.deepEqual(keys({ 10: { minimum: '$500' } }), other);
});

test('where to check out changes no page', () => {
  assert.deepEqual(changed({ 10: { checkout: 'https://a.example' } as Partial<Domain> }), []);
});

test('the page of a sold domain changes with the names that it shows', () => {
  const sold = { 29: { state: 'sold' } } as const;
  const before = keys(sold);
  const alike = keys({ ...sold, 20: { description: 'Two.' } })[29];
  const other = keys({ ...sold, 3: { description: 'Two.' } })[29];
  assert.deepEqual([alike === before[29], other === before[29]], [false, true]);
});

test('an added entry before others leaves their pages as they are', () => {
  assert.deepEqual(changed({ 10: { position: 11 } as Partial<Domain> }), []);
});

test('a setting changes every page', () => {
  const before = new Set(keys());
  assert.ok(keys({}, { owner: 'Ada' }).every((key) => !before.has(key)));
});
