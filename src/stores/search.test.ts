import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { fetchDescriptions } from '../api/domain-names.ts';
import type { Query } from './search.ts';

const MUNICH = 'xn--mnchen-3ya.example';
const BOOKS = 'xn--bcher-kva.example';
const NAMES = [
  ...['snowlap.app', 'lap.app', 'site.example', 'laptop.example', 'ultra-maple.app', 'mapleultra.co.uk'].map(
    plain,
  ),
  { name: MUNICH, shown: 'münchen.example' },
  { name: BOOKS, shown: 'bücher.example' },
  ...Array.from({ length: 10_000 }, (_, n) => plain(`number${n}.dev`)),
];

/** The module anew for each test: it stores the names. */
let store: typeof import('./search.ts');
let loaded = 0;
beforeEach(async () => {
  loaded += 1;
  store = await import(`./search.ts?${loaded}`);
});

test('a failed fetch sets an error, the next letter retries, and the names are fetched once', async () => {
  const { $search, search } = store;
  await search(query('lap'), '', () => Promise.reject(new Error('offline')));
  assert.deepEqual($search.get(), { status: 'failed' });
  let fetched = 0;
  const fetchNames = async () => {
    fetched += 1;
    return { hash: 'of-names', names: NAMES };
  };
  const searches = [
    search(query('la'), '', fetchNames),
    search(query(''), '', fetchNames),
    search(query(' LAP '), '', fetchNames),
  ];
  assert.deepEqual($search.get(), { status: 'working' }, 'also where the field was empty meanwhile');
  await Promise.all(searches);
  assert.equal(fetched, 1);
  assert.deepEqual($search.get(), {
    status: 'found',
    query: query('LAP'),
    names: [
      { ...plain('lap.app'), index: 1 },
      { ...plain('laptop.example'), index: 3 },
      { ...plain('snowlap.app'), index: 0 },
    ],
    count: 3,
  });
  await search(query('  '), '', fetchNames);
  assert.deepEqual($search.get(), { status: 'idle' });
});

test('the results stay while one types on, and a failure after the query was cleared is not shown', async () => {
  const { $search, search } = store;
  const failing = Promise.withResolvers<never>();
  const searching = search(query('lap'), '', () => failing.promise);
  await search(query(''), '');
  failing.reject(new Error('offline'));
  await searching;
  assert.deepEqual($search.get(), { status: 'idle' });
  await find('lap');
  const typing = find('lapt');
  assert.equal($search.get().status, 'found');
  await typing;
});

test('names that arrive after the query was cleared are not shown', async () => {
  const { $search, search } = store;
  const fetched = Promise.withResolvers<{ hash: string; names: typeof NAMES }>();
  const searching = search(query('lap'), '', () => fetched.promise);
  await search(query(''), '');
  fetched.resolve({ hash: 'of-names', names: NAMES });
  await searching;
  assert.deepEqual($search.get(), { status: 'idle' });
});

test('names are found by several words in any order, those that begin with the first one first', async () => {
  assert.deepEqual(await find('maple ultra'), ['mapleultra.co.uk', 'ultra-maple.app']);
  assert.deepEqual(await find(' Ultra  MAPLE'), ['ultra-maple.app', 'mapleultra.co.uk']);
  assert.deepEqual(await find('maple .app'), ['ultra-maple.app']);
  assert.deepEqual(await find('maple zzz'), []);
  // Words after the tenth are ignored.
  assert.deepEqual(await find(`${'maple ultra '.repeat(5)}zzz`), ['mapleultra.co.uk', 'ultra-maple.app']);
});

test('an internationalised name is found decoded, without its diacritics and as punycode', async () => {
  for (const text of [
    'münch',
    'MÜNCH',
    'mu\u0308nchen',
    'munchen',
    'chen.ex munch',
    'xn--mnchen',
    'nchen-3ya',
  ]) {
    assert.deepEqual(await find(text), [MUNICH], text);
  }
  assert.deepEqual(await find('bucher'), [BOOKS]);
});

test('endings and lengths filter the names, alone and with words', async () => {
  assert.deepEqual(await find('', { ending: '.co.uk' }), ['mapleultra.co.uk']);
  assert.deepEqual(await find('', { ending: '.example', length: '0' }), ['site.example']);
  // The accent of bücher counts as part of its letter.
  assert.deepEqual(await find('', { ending: '.example', length: '1' }), ['laptop.example', MUNICH, BOOKS]);
  assert.deepEqual(await find('ultra', { length: '2' }), ['ultra-maple.app', 'mapleultra.co.uk']);
  assert.deepEqual(await find('', { length: '3' }), []);
});

test('each length has the names of its letters, also alone', async () => {
  const byLetters = Array.from({ length: 63 }, (_, n) => plain(`${'a'.repeat(n + 1)}.app`));
  const found: number[][] = [];
  for (const length of store.LENGTHS.keys()) {
    const fetchNames = async () => ({ hash: 'of-names', names: byLetters });
    await store.search(query('', { length: String(length) }), '', fetchNames);
    const state = store.$search.get();
    const letters = state.status === 'found' ? state.names.map(({ index }) => index + 1) : [];
    found.push([letters[0] ?? 0, letters.length]);
  }
  // The last ones are shown in steps.
  assert.deepEqual(found, [
    [1, 5],
    [6, 3],
    [9, 4],
    [13, 48],
  ]);
});

test('where none is found, at most three come near: those that share most letters from the start, else the ending', async () => {
  const near = async (text: string, filters?: Partial<Query>) => {
    await find(text, filters);
    const state = store.$search.get();
    return (
      state.status === 'found' && state.near && [state.near.by, ...state.near.names.map(({ name }) => name)]
    );
  };
  assert.deepEqual(await near('mapster'), ['start', 'mapleultra.co.uk']);
  assert.deepEqual(
    await near('laptoys'),
    ['start', 'laptop.example', 'lap.app'],
    'whatever the owner’s order',
  );
  assert.deepEqual(await near('bzz'), undefined, 'one letter is not enough');
  assert.deepEqual(await near('lamb'), ['start', 'lap.app', 'laptop.example'], 'two are');
  assert.deepEqual(await near('mün.app'), ['start', MUNICH]);
  assert.deepEqual(await near('numbers'), ['start', 'number0.dev', 'number1.dev', 'number2.dev']);
  assert.deepEqual(await near('zzz.app'), ['ending', 'snowlap.app', 'lap.app', 'ultra-maple.app']);
  assert.deepEqual(await near('zzz.dev'), ['ending', 'number0.dev', 'number1.dev', 'number2.dev']);
  assert.deepEqual(await near('zzz', { ending: '.co.uk' }), ['ending', 'mapleultra.co.uk']);
  assert.deepEqual(await near('zzz'), undefined);
  assert.deepEqual(await near('lap'), undefined);
});

test('many results are listed in steps, and all are counted', async () => {
  assert.equal((await find('number')).length, 48);
  store.showMore();
  const state = store.$search.get();
  assert.ok(state.status === 'found');
  assert.deepEqual([state.names.length, state.count], [96, 10_000]);
  assert.equal((await find('number1')).length, 48);
});

test('descriptions are fetched once there are results, and with the next query after a failure', async () => {
  const { $descriptions, search } = store;
  const fetched: string[] = [];
  const fetchTexts = async (prefix: string, hash: string) => {
    fetched.push(`${prefix} ${hash}`);
    if (fetched.length === 1) throw new Error('offline');
    return [{ text: 'A name.' }];
  };
  const type = async (text: string) => {
    await search(query(text), '/de', async () => ({ hash: 'of-names', names: NAMES }), fetchTexts);
    await new Promise(setImmediate);
  };
  await type('?');
  assert.deepEqual(fetched, []);
  await type('lap');
  assert.equal($descriptions.get(), undefined);
  await type('lapt');
  await type('lapto');
  assert.deepEqual([$descriptions.get(), fetched], [[{ text: 'A name.' }], Array(2).fill('/de of-names')]);
});

test('a query that failed is made again by itself, and only the latest', async () => {
  const { $search, retrySearch, search } = store;
  let online = false;
  const fetchNames = async () => {
    if (!online) throw new Error('offline');
    return { hash: 'of-names', names: NAMES };
  };
  await search(query('site'), '', fetchNames);
  await search(query('laptop'), '', fetchNames);
  online = true;
  retrySearch();
  await new Promise(setImmediate);
  assert.partialDeepStrictEqual($search.get(), { status: 'found', query: query('laptop') });
  retrySearch();
  assert.equal($search.get().status, 'found');
});

test('names are sorted by price, those without one last, once the prices are loaded', async () => {
  const texts = NAMES.map((_, index) => ({ text: '', ...(index < 3 && { rank: [2, 0, 1][index] }) }));
  const sorted = async (sort: string, fetchTexts: () => Promise<typeof texts>) => {
    const fetchNames = async () => ({ hash: 'of-names', names: NAMES });
    await store.search(query('', { sort }), '/de', fetchNames, fetchTexts as typeof fetchDescriptions);
    const state = store.$search.get();
    return state.status === 'found' ? state.names.slice(0, 4).map(({ index }) => index) : state.status;
  };
  assert.equal(await sorted('up', () => Promise.reject(new Error('offline'))), 'failed');
  const slowly = () => new Promise<typeof texts>((resolve) => setImmediate(() => resolve(texts)));
  assert.deepEqual(await sorted('up', slowly), [1, 2, 0, 3]);
  assert.deepEqual(await sorted('down', async () => texts), [0, 2, 1, 3]);
});

test('prices that arrive after another query change nothing of what is shown', async () => {
  const { $search, search } = store;
  const texts = Promise.withResolvers<Awaited<ReturnType<typeof fetchDescriptions>>>();
  const fetchNames = async () => ({ hash: 'of-names', names: NAMES });
  const sorting = search(query('lap', { sort: 'up' }), '', fetchNames, () => texts.promise);
  // Until it waits for the prices.
  await new Promise(setImmediate);
  await search(query('münchen'), '', fetchNames);
  const shown = $search.get();
  texts.resolve(NAMES.map((_, rank) => ({ text: '', rank })));
  await sorting;
  assert.deepEqual($search.get(), shown);
});

function query(text: string, filters: Partial<Query> = {}): Query {
  return { text, ending: '', length: '', sort: '', ...filters };
}

/** The names found. */
async function find(text: string, filters?: Partial<Query>): Promise<string[]> {
  await store.search(query(text, filters), '', async () => ({ hash: 'of-names', names: NAMES }));
  const state = store.$search.get();
  return state.status === 'found' ? state.names.map(({ name }) => name) : [];
}

function plain(name: string) {
  return { name, shown: name };
}
