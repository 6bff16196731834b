import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizeOf, sizeRules } from './size-of.ts';

test('a name has room in fonts whose letters are wider than usual', () => {
  // Average letters have 0.66 of the font's size (storefront.css), monospaced ones 0.6, Chinese ones all of it.
  for (const [name, width] of [
    ['lap.app', 7 * 0.6],
    ['iiiillll.io', 11 * 0.6],
    ['日本語ー한글.jp', 6 + 3 * 0.6],
    ['mmm.com', 3 * 0.95 + 4 * 0.6],
  ] as const) {
    assert.ok(sizeOf(name) * 0.66 >= width, name);
  }
});

test('names of up to 40 letters have the size of their width, wider ones break', () => {
  assert.equal(sizeOf('premiumdomainnamesforverylongbusines.com'), 44);
  assert.equal(sizeOf(`${'m'.repeat(36)}.com`), 33);
});

test('a page has style rules for the widths of its names, the buyer’s page for all', () => {
  const rules = sizeRules(['lap.app', 'site.example', 'host.example']);
  assert.equal(rules, '[data-size="6.5"]{--fit:6.5}[data-size="12.5"]{--fit:12.5}');
  for (const name of ['a.b', 'site.example', 'premiumdomainnamesforverylongbusines.com', 'm'.repeat(60)]) {
    assert.ok(sizeRules().includes(`[data-size="${sizeOf(name)}"]{--fit:`), name);
  }
});
