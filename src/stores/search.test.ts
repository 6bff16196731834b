import assert from 'node:assert/strict';
import { test } from 'node:test';
import { $search, match, search } from './search.ts';

const MUNICH = { name: 'xn--mnchen-3ya.example', shown: 'münchen.example' };
const NAMES = [...['snowlap.app', 'lap.app', 'site.example', 'laptop.example'].map(plain), MUNICH];

test('names that begin with the text come first', () => {
  assert.deepEqual(match(NAMES, 'lap'), {
    names: ['lap.app', 'laptop.example', 'snowlap.app'].map(plain),
    count: 3,
  });
  assert.deepEqual(match(NAMES, 'zzz'), { names: [], count: 0 });
});

test('the first fifty of many results are listed, and all are counted', () => {
  const found = match(
    Array.from({ length: 10_000 }, (_, n) => plain(`name${n}.app`)),
    'name',
  );
  assert.equal(found.names.length, 50);
  assert.equal(found.count, 10_000);
});

test('a failed fetch sets an error, the next letter retries, and the names are fetched once', async () => {
  await search('lap', () => Promise.reject(new Error('offline')));
  assert.deepEqual($search.get(), { status: 'failed' });
  let fetched = 0;
  const fetchNames = async () => {
    fetched += 1;
    return NAMES;
  };
  const searches = [search('la', fetchNames), search('', fetchNames), search(' LAP ', fetchNames)];
  assert.deepEqual($search.get(), { status: 'working' }, 'also where the field was empty meanwhile');
  await Promise.all(searches);
  assert.equal(fetched, 1);
  assert.deepEqual($search.get(), {
    status: 'found',
    query: 'lap',
    names: ['lap.app', 'laptop.example', 'snowlap.app'].map(plain),
    count: 3,
  });
  await search('  ', fetchNames);
  assert.deepEqual($search.get(), { status: 'idle' });
});

test('an internationalised name is found decoded and as punycode', async () => {
  for (const text of ['münch', 'MÜNCH', 'mu\u0308nchen', 'chen.ex', 'xn--mnchen', 'nchen-3ya']) {
    await search(text, async () => NAMES);
    const found = $search.get();
    assert.deepEqual(found.status === 'found' && found.names, [MUNICH], text);
  }
});

function plain(name: string) {
  return { name, shown: name };
}
