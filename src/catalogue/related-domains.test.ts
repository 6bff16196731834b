import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainPageCount, MAX_DOMAINS_ON_EVERY_PAGE, relatedDomains } from './related-domains.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));
const many = (count: number, ending = 'app') =>
  named(...Array.from({ length: count }, (_, n) => `name${n}.${ending}`));
const names = (domains: { name: string }[]) => domains.map(({ name }) => name);

test('every page of a small catalogue shows all domains, in the owner’s order', () => {
  const domains = many(MAX_DOMAINS_ON_EVERY_PAGE);
  const related = relatedDomains(domains);
  assert.equal(related.partial, false);
  assert.deepEqual(related.shownOn(), domains);
  assert.deepEqual(related.shownOn('name7.app'), domains);
});

test('a domain’s page of a large catalogue shows it first, then five with the same ending', () => {
  const related = relatedDomains([...many(20), ...many(20, 'example')]);
  assert.equal(related.partial, true);
  assert.deepEqual(names(related.shownOn('name3.example')), [
    'name3.example',
    'name4.example',
    'name5.example',
    'name6.example',
    'name7.example',
    'name8.example',
  ]);
});

test('related domains continue from the start of the catalogue at its end', () => {
  assert.deepEqual(names(relatedDomains(many(30)).shownOn('name28.app')), [
    'name28.app',
    'name29.app',
    'name0.app',
    'name1.app',
    'name2.app',
    'name3.app',
  ]);
});

test('a domain with a unique ending is followed by its neighbours, each once', () => {
  const related = relatedDomains([...many(30), ...named('only.one', 'other.two')]);
  assert.deepEqual(names(related.shownOn('only.one')), [
    'only.one',
    'other.two',
    'name0.app',
    'name1.app',
    'name2.app',
    'name3.app',
  ]);
});

test('a domain that is not for sale is followed by others with its ending, and is not shown itself', () => {
  const related = relatedDomains([...many(20), ...many(20, 'example')]);
  assert.deepEqual(names(related.shownOn('sold.example')), [
    'name0.example',
    'name1.example',
    'name2.example',
    'name3.example',
    'name4.example',
    'name5.example',
  ]);
  assert.equal(names(related.shownOn('sold.other'))[0], 'name0.app');
  assert.deepEqual(relatedDomains(many(3)).shownOn('sold.app'), many(3));
  assert.deepEqual(relatedDomains([]).shownOn('sold.app'), []);
});

test('every domain’s page shows the same number, whatever the size of the catalogue', () => {
  for (const count of [25, 100, 1_000]) {
    const domains = many(count);
    const related = relatedDomains(domains);
    for (const { name } of domains) {
      assert.equal(new Set(names(related.shownOn(name))).size, 6, name);
      assert.equal(related.shownOn(name)[0]?.name, name);
    }
    assert.equal(related.shownOn().length, 12);
  }
});

test('a large catalogue has a page for each 48 domains, and a small one none', () => {
  for (const [domains, pages] of [
    [24, 0],
    [25, 1],
    [48, 1],
    [49, 2],
  ] as const)
    assert.equal(domainPageCount(domains), pages, `${domains} domains`);
});
