import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs, {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import type { NameChange } from '#contract/names.ts';
import { newIo } from '../../tests/support/run-command.ts';
import { undoChange } from '../catalogue-edits/last-change.ts';
import { lockCatalogue } from '../catalogue-edits/lock-catalogue.ts';
import { aroundRename } from './before-rename.fixture.ts';
import {
  addNames,
  carryOutOpenChanges,
  changeNames,
  initCatalogue,
  type NamesContext,
  planNames,
  readNames,
} from './change-names.ts';
import { storedChanges } from './stored-changes.fixture.ts';

const CATALOGUE = `# Mine.
settings: { languages: [ en, de ], hosts: [ names.example.com ] }
defaults:
  description: { en: "{domain} is for sale.", de: "{domain} zu kaufen." }
  minimum: 25%
domains:
  - name: lap.app # the best
    price: $5,000
  - name: cup.app
    description: A cup.
    state: reserved
  - name: one.app
    description:
      en: One. # short
      de: Eins.
`;
const [BATCH, OTHER] = [randomUUID(), randomUUID()] as [string, string];

let folder = '';
let file = '';
let database: ReturnType<typeof storedChanges>;
let context: NamesContext;
const text = () => readFileSync(file, 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'change-names-'));
  mkdirSync(join(folder, 'own'));
  file = join(folder, 'own/catalogue.yaml');
  writeFileSync(file, CATALOGUE);
  database = storedChanges(join(folder, 'database.json'));
  context = { io: newIo({ cwd: folder }), call: database.call, adminHost: 'admin.example.com' };
});
afterEach(() => rmSync(folder, { recursive: true }));

const set = (name: string, field: string, from: string | null, to: string | null): NameChange => ({
  ...{ name, field, from, to },
});
const change = (changes: NameChange[], batch = BATCH) =>
  changeNames({ action: 'change', batch, changes }, context);
const rejected = (code: string, more: object = {}) => ({ name: 'NamesRejected', code, ...more });
const values = (name: string) => readNames({ action: 'read', names: [name] }, context).names[name];

test('a change is stored, then written with its comments, then marked, and undo takes it back', async () => {
  const seen: string[] = [];
  database.at((step) => seen.push(`${step}: ${text() === CATALOGUE ? 'as before' : 'written'}`));
  const { batch, saved_at } = await change([
    set('lap.app', 'state', null, 'sold'),
    set('lap.app', 'price', '$5,000', '$4,500'),
    set('cup.app', 'state', 'reserved', null),
    set('one.app', 'description.de', 'Eins.', 'Nur {domain}.'),
  ]);
  assert.equal(batch, BATCH);
  assert.ok(Math.abs(Date.parse(saved_at) - Date.now()) < 60_000);
  assert.deepEqual(seen.slice(-4), [
    'before change_names: as before',
    'after change_names: as before',
    'before mark_name_changes: written',
    'after mark_name_changes: written',
  ]);
  assert.deepEqual(database.ends(), Array(4).fill('written'));
  const expected = CATALOGUE.replace('    price: $5,000\n', '    price: $4,500\n    state: sold\n')
    .replace('    state: reserved\n', '')
    .replace('de: Eins.', 'de: Nur {domain}.');
  assert.deepEqual(text().replaceAll(/["']/g, ''), expected.replaceAll(/["']/g, ''));
  assert.equal(values('one.app')?.description.de?.value, 'Nur {domain}.');
  undoChange(file, 'own/catalogue.yaml', context.io);
  assert.equal(text(), CATALOGUE);
});

test('the database gets what the pages will have, with defaults and shares of the price', async () => {
  await change([
    set('lap.app', 'price', '$5,000', '$4,000'),
    set('cup.app', 'minimum', null, '€300'),
    set('cup.app', 'state', 'reserved', null),
    set('one.app', 'description.en', 'One.', 'Uno.'),
  ]);
  assert.deepEqual(
    database.listings().map(({ listing }) => listing),
    [
      { price: '$4,000', value: '4000', currency: 'USD', minimum: { amount: '1000', currency: 'USD' } },
      { price: null, value: null, currency: 'EUR', minimum: { amount: '300', currency: 'EUR' } },
      { state: 'for_sale' },
      undefined,
    ],
  );
});

test('values of defaults are shown as such, and a change writes an own one', async () => {
  const { description, minimum, price } = values('lap.app') ?? {};
  assert.deepEqual(minimum, { value: '25%', is_default: true });
  assert.deepEqual(price, { value: '$5,000', is_default: false });
  assert.deepEqual(description, {
    en: { value: 'lap.app is for sale.', is_default: true },
    de: { value: 'lap.app zu kaufen.', is_default: true },
  });
  assert.deepEqual(values('cup.app')?.description, {
    en: { value: 'A cup.', is_default: false },
    de: { value: null, is_default: false },
  });
  await change([set('lap.app', 'description.en', null, 'Fast.'), set('lap.app', 'minimum', null, '25%')]);
  const changed = values('lap.app');
  assert.deepEqual(changed?.description, {
    en: { value: 'Fast.', is_default: false },
    // What pages in German showed stays.
    de: { value: 'lap.app zu kaufen.', is_default: false },
  });
  assert.deepEqual(changed?.minimum, { value: '25%', is_default: false });
  await change(
    [
      set('lap.app', 'minimum', '25%', null),
      set('lap.app', 'description.en', 'Fast.', null),
      set('lap.app', 'description.de', 'lap.app zu kaufen.', null),
    ],
    OTHER,
  );
  assert.deepEqual(values('lap.app')?.minimum, { value: '25%', is_default: true });
  assert.deepEqual(values('lap.app')?.description, description);
  const en = description?.en?.value ?? '';
  await change([set('lap.app', 'description.en', null, en)], randomUUID());
  assert.deepEqual(values('lap.app')?.description.en, { value: en, is_default: false });
});

test('an undo of a description takes the texts of the other languages back, too', async () => {
  const { description } = values('lap.app') ?? {};
  for (const language of ['en', 'de']) {
    const field = `description.${language}`;
    await change([set('lap.app', field, null, 'Fast.')], randomUUID());
    await change([set('lap.app', field, 'Fast.', null)], randomUUID());
    assert.deepEqual(values('lap.app')?.description, description);
  }
  assert.equal(text(), CATALOGUE);
});

test('white space around a value is neither stored nor compared', async () => {
  writeFileSync(file, CATALOGUE.replace('$5,000', '" $5,000 "'));
  await change([set('lap.app', 'price', '$5,000', ' $4,000\n')]);
  assert.equal(database.rows[0]?.to, '$4,000');
  await change([set('lap.app', 'price', '$4,000', '$4,500')], OTHER);
  assert.deepEqual(database.ends(), ['written', 'written']);
  await assert.rejects(
    change([set('lap.app', 'price', '$4,500', '$4,500 ')], randomUUID()),
    rejected('nothing_to_do'),
  );
});

test('one text stays one text, and a second language makes it two', async () => {
  await change([set('cup.app', 'description.en', 'A cup.', 'Two cups.')]);
  assert.match(text(), /\n {4}description: Two cups\.\n/);
  await change([set('cup.app', 'description.de', null, 'Zwei.')], OTHER);
  assert.match(text(), /\n {4}description:\n {6}en: Two cups\.\n {6}de: Zwei\.\n/);
});

for (const [what, wrong, message] of [
  ['minimum', set('lap.app', 'minimum', null, 'much'), /^"much" is not a minimum: write an amount/],
  ['price', set('lap.app', 'price', '$5,000', '  '), /^Price is empty: write a text, such as/],
  ['state', set('lap.app', 'state', null, 'gone'), /^State is not right: write sold or reserved/],
  ['description.en', set('one.app', 'description.en', 'One.', null), /^Description \(en\) has no text in en/],
  ['description.fr', set('one.app', 'description.fr', null, 'Un.'), /^Description \(fr\) is not a language/],
] as const) {
  test(`a wrong ${what} is rejected with the catalogue's own message, and nothing is stored`, async () => {
    await assert.rejects(change([set('cup.app', 'state', 'reserved', 'sold'), wrong]), (error: never) => {
      const { code, details } = error as { code: string; details: { body: { problems: NameProblemLike[] } } };
      assert.equal(code, 'invalid');
      const [problem] = details.body.problems;
      assert.deepEqual([problem?.name, problem?.field], [wrong.name, wrong.field]);
      assert.match(problem?.message ?? '', message);
      return true;
    });
    assert.equal(text(), CATALOGUE);
    assert.deepEqual(database.rows, []);
  });
}
interface NameProblemLike {
  readonly name?: string;
  readonly field?: string;
  readonly message: string;
}

test('a value that changed meanwhile is returned, and nothing is stored', async () => {
  const changed = [{ name: 'lap.app', field: 'price', value: '$5,000' }];
  await assert.rejects(
    change([set('lap.app', 'price', '$4,000', '$3,000'), set('cup.app', 'state', 'reserved', 'sold')]),
    rejected('changed', { details: { body: { changed } } }),
  );
  await assert.rejects(
    change([set('gone.app', 'state', null, 'sold')]),
    rejected('unknown_name', { details: { values: { name: 'gone.app' } } }),
  );
  assert.deepEqual(
    Object.keys(readNames({ action: 'read', names: ['gone.app', 'lap.app'] }, context).names),
    ['lap.app'],
  );
  await assert.rejects(change([set('lap.app', 'state', null, null)]), rejected('nothing_to_do'));
  assert.deepEqual(database.rows, []);
  assert.equal(text(), CATALOGUE);
});

test('a value that other entries use by its anchor is rejected before anything is stored', async () => {
  const anchored = CATALOGUE.replace('price: $5,000', 'price: &price $5,000').replace(
    'state: reserved',
    'price: *price',
  );
  writeFileSync(file, anchored);
  await assert.rejects(change([set('lap.app', 'price', '$5,000', '$4,000')]), (error: Error) => {
    const { code } = error as Error & { code: string };
    assert.equal(code, 'not_possible');
    assert.match(
      error.message,
      /^Line 8 defines &price, which other entries use\. .* write the value itself there first\.$/,
    );
    return true;
  });
  assert.equal(text(), anchored);
  assert.deepEqual(database.rows, []);
});

test('what the database rejects is not written', async () => {
  const changed = [{ name: 'lap.app', field: 'state', value: 'sold' }];
  for (const [outcome, code, details] of [
    [{ outcome: 'limited', wait: 90 }, 'too_many_changes', { retryAfter: 90 }],
    [{ outcome: 'changed', changed }, 'changed', { body: { changed } }],
  ] as const) {
    const call = (async (name: string, args: never) =>
      name === 'change_names' ? outcome : database.call(name as never, args)) as NamesContext['call'];
    const changes = [set('lap.app', 'state', null, 'reserved')];
    await assert.rejects(
      changeNames({ action: 'change', batch: BATCH, changes }, { ...context, call }),
      rejected(code, { details }),
    );
    assert.equal(text(), CATALOGUE);
  }
});

test('a full disk takes the change back in the database, and the next one is made', async () => {
  const failWith = (code: string) =>
    aroundRename((path) => {
      if (path === file) throw Object.assign(new Error('no space'), { code });
    });
  const restore = failWith('ENOSPC');
  await assert.rejects(change([set('cup.app', 'state', 'reserved', 'sold')]), rejected('disk_full'));
  restore();
  assert.equal(text(), CATALOGUE);
  assert.deepEqual(database.ends(), ['dropped: reserved']);
  assert.deepEqual(readdirSync(join(folder, 'own')), ['catalogue.yaml']);
  await assert.rejects(change([set('cup.app', 'state', 'reserved', 'sold')]), rejected('dropped'));
  await change([set('cup.app', 'state', 'reserved', 'sold')], OTHER);
  assert.deepEqual(database.ends(), ['dropped: reserved', 'written']);
  const restoreQuota = failWith('EDQUOT');
  const again = change([set('cup.app', 'state', 'sold', null)], randomUUID());
  await assert.rejects(again, rejected('disk_full'));
  restoreQuota();
});

test('without a database after the write the change is carried out by the next one', async () => {
  database.at((step) => {
    if (step === 'before mark_name_changes') throw new Error('no response');
  });
  await change([set('lap.app', 'state', null, 'sold')]);
  assert.deepEqual(database.ends(), ['open']);
  database.at(() => {});
  await change([set('cup.app', 'state', 'reserved', null)], OTHER);
  assert.deepEqual(database.ends(), ['written', 'written']);
});

test('the same batch again, while the file lacks it, carries it out', async () => {
  database.at((step) => {
    if (step === 'before mark_name_changes') throw new Error('no response');
  });
  const restore = aroundRename(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  const again = () => change([set('lap.app', 'state', null, 'sold')]);
  await assert.rejects(again(), rejected('stored_only'));
  restore();
  database.at(() => {});
  assert.equal((await again()).batch, BATCH);
  assert.deepEqual(database.ends(), ['written']);
  assert.match(text(), /price: \$5,000\n {4}state: sold/);
});

test('where neither the file nor the database takes it, that is said, and a later change makes up for it', async () => {
  database.at((step) => {
    if (step === 'before mark_name_changes') throw new Error('no response');
  });
  const restore = aroundRename(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  await assert.rejects(change([set('lap.app', 'state', null, 'sold')]), rejected('stored_only'));
  restore();
  database.at(() => {});
  assert.deepEqual(await carryOutOpenChanges(context), [BATCH]);
  assert.match(text(), /price: \$5,000\n {4}state: sold/);
});

test('an edit by hand between the database and the file wins, also one that cannot be read', async () => {
  for (const [edited, value] of [
    [CATALOGUE.replace('$5,000', '$6,000'), '$6,000'],
    ['domains: none\n', '$5,000'],
  ] as const) {
    writeFileSync(file, CATALOGUE);
    database.at((step) => step === 'after change_names' && writeFileSync(file, edited));
    const changed = [{ name: 'lap.app', field: 'price', value }];
    await assert.rejects(
      change([set('lap.app', 'price', '$5,000', '$4,000')], randomUUID()),
      rejected('changed', { details: { body: { changed } } }),
    );
    assert.equal(text(), edited);
    assert.equal(database.ends().at(-1), `dropped: ${value}`);
  }
});

test('the same batch again changes nothing twice', async () => {
  const first = await change([set('lap.app', 'state', null, 'sold')]);
  const again = await change([set('lap.app', 'state', null, 'sold')]);
  assert.equal(again.batch, first.batch);
  assert.equal(database.rows.length, 1);
});

test('the same batch again, after another change of its names, is not reported as saved', async () => {
  const again = () =>
    change([set('lap.app', 'state', null, 'sold'), set('lap.app', 'price', '$5,000', '$6')]);
  await again();
  await change([set('lap.app', 'state', 'sold', null)], OTHER);
  const changed = [{ name: 'lap.app', field: 'state', value: null }];
  await assert.rejects(again(), rejected('changed', { details: { body: { changed } } }));
  assert.equal(values('lap.app')?.state.value, null);
});

test('of two changes at once the second has seen too little, and both of different names are made', async () => {
  const results = await Promise.allSettled([
    change([set('lap.app', 'state', null, 'sold')], randomUUID()),
    change([set('lap.app', 'state', null, 'reserved')], randomUUID()),
    change([set('cup.app', 'state', 'reserved', null)], randomUUID()),
  ]);
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'fulfilled', 'rejected']);
  assert.equal(results[2]?.status, 'fulfilled');
  assert.deepEqual(database.ends(), ['written', 'written']);
});

test('a command that holds the lock is reported', { timeout: 30_000 }, async () => {
  const release = await lockCatalogue(folder, 0);
  await assert.rejects(change([set('lap.app', 'state', null, 'sold')]), rejected('locked'));
  release();
});

test('a disk that is too full for the lock is reported as such, and another error in words', async (context) => {
  const exec = context.mock.method(DatabaseSync.prototype, 'exec', () => {
    throw Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13, errstr: 'disk is full' });
  });
  await assert.rejects(change([set('lap.app', 'state', null, 'sold')]), rejected('disk_full'));
  exec.mock.mockImplementation(() => {
    throw Object.assign(new Error('io'), { code: 'ERR_SQLITE_ERROR', errcode: 10, errstr: 'disk I/O error' });
  });
  await assert.rejects(
    change([set('lap.app', 'state', null, 'sold')]),
    /catalogue\.lock .* \(disk I\/O error\)/,
  );
});

test('a wrong file is reported with its problem, and is not written', async () => {
  writeFileSync(file, CATALOGUE.replace('price: $5,000', 'price: 5000'));
  await assert.rejects(change([set('cup.app', 'state', 'reserved', null)]), (error: Error) => {
    assert.match(error.message, /own\/catalogue\.yaml:8:12 {2}entry 1 \(lap\.app\), field price is a number/);
    return true;
  });
});

test('a pasted list is previewed, and added as it was seen', async () => {
  const list = `new.app $500
bücher.example,"1,000 €"
lap.app $4,000

cup.app
names.example.com 5
admin.example.com 5
www.one.app 7 EUR
new.app 9
no name
sold.app verkauft
`;
  const plan = planNames({ action: 'plan', text: list }, context);
  assert.deepEqual(plan.added, [
    { name: 'new.app', price: '$500' },
    { name: 'xn--bcher-kva.example', price: '1,000 €' },
  ]);
  assert.deepEqual(plan.changed, [
    { name: 'lap.app', from: '$5,000', to: '$4,000' },
    { name: 'one.app', from: null, to: '7 EUR' },
  ]);
  assert.deepEqual(plan.unchanged, ['cup.app']);
  assert.deepEqual(
    plan.left_out.map(({ line, text, reason }) => `${line} ${text}: ${reason}`),
    [
      '6 names.example.com 5: is a host of the site (settings, field hosts): remove it there before it can be for sale',
      '7 admin.example.com 5: is the host of the dashboard (ADMIN_HOST): its buyer would get what browsers have stored for it',
      '9 new.app 9: is the same name as in line 1',
      '10 no name: "no" is not a domain name: write it like example.com',
      '11 sold.app verkauft: is "verkauft": add it by hand if you do sell it',
    ],
  );
  // Both hosts of the dashboard's name lead to it.
  const withWww = { ...context, adminHost: 'www.admin.example.com' };
  assert.deepEqual(planNames({ action: 'plan', text: list }, withWww).left_out, plan.left_out);
  const add = (id: string) => addNames({ action: 'add', batch: BATCH, text: list, plan: id }, context);
  await assert.rejects(add('other'), rejected('plan_changed', { details: { body: { plan } } }));
  // A price that was changed since.
  writeFileSync(file, CATALOGUE.replace('$5,000', '$4,500'));
  await assert.rejects(add(plan.id), rejected('plan_changed'));
  writeFileSync(file, CATALOGUE);
  assert.equal(text(), CATALOGUE);
  await add(plan.id);
  assert.match(
    text(),
    /\n {2}- name: new\.app\n {4}price: \$500\n {2}- name: xn--bcher-kva\.example # bücher/,
  );
  assert.deepEqual(
    database.rows.map(({ name, field, from, to }) => [name, field, from, to]),
    [
      ['new.app', 'entry', null, '$500'],
      ['xn--bcher-kva.example', 'entry', null, '1,000 €'],
      ['lap.app', 'price', '$5,000', '$4,000'],
      ['one.app', 'price', null, '7 EUR'],
    ],
  );
});

test('a line of a list that is not added is reported, and one of 500 lines is the last', async () => {
  const plan = (text: string, adminHost?: string) =>
    planNames({ action: 'plan', text }, { ...context, adminHost });
  writeFileSync(file, CATALOGUE.replace('one.app', 'admin.example.com'));
  const { added, changed, left_out, warnings } = plan(
    '\tlap.app reserved\nnew.app reserviert\r\n| two.app | $5 |\n,;|\nadmin.example.com 5\n  three.app 5 EUR \nfour.app " 5 "\n| --- | --- |',
    'admin.example.com',
  );
  assert.deepEqual(added, [
    { name: 'two.app', price: '$5' },
    { name: 'three.app', price: '5 EUR' },
    { name: 'four.app', price: '5' },
  ]);
  assert.deepEqual(changed, []);
  assert.deepEqual(warnings, [{ line: 7, text: 'four.app " 5 "', warning: 'prices without a currency' }]);
  const state = 'has a state in place of a price';
  assert.deepEqual(
    left_out.map(({ line, text, reason }) => [line, text, reason.split(':')[0]]),
    [
      [1, 'lap.app reserved', state],
      [2, 'new.app reserviert', state],
      [5, 'admin.example.com 5', 'is the host of the dashboard (ADMIN_HOST)'],
      [8, '| --- | --- |', '"---" is not a domain name'],
    ],
  );
  for (const name of ['site.example', 'www.site.example']) {
    const [left] = plan(`${name} 5`, 'www.site.example').left_out;
    assert.match(left?.reason ?? '', /^is the host of the dashboard \(ADMIN_HOST\)/, name);
  }
  const more = plan(
    [
      'a.app $6,900, minimum $1,725',
      'b.app\t$500\tMin. $100',
      'c.app 900 € (Mindestgebot 500 €)',
      'd.app\t$500\t2019-04-01\t$80',
      '| e.app | $500 | bought for $80 |',
      'f.app;500;USD',
      'g.app\t500\t€',
      'h.app minted in 2019',
    ].join('\n'),
  );
  assert.deepEqual(more.added, [
    { name: 'f.app', price: '500 USD' },
    { name: 'g.app', price: '500 €' },
    { name: 'h.app', price: 'minted in 2019' },
  ]);
  const minimum = 'has a minimum beside its price, which the page would show';
  const cells = 'has more than a name and a price, which the page would show';
  assert.deepEqual(
    more.left_out.map(({ line, reason }) => [line, reason.split(':')[0]]),
    [
      [1, minimum],
      [2, minimum],
      [3, minimum],
      [4, cells],
      [5, cells],
    ],
  );
  assert.equal(plan('x.app 1\n'.repeat(500)).left_out.length, 499);
  assert.throws(
    () => plan('x.app 1\n'.repeat(501)),
    rejected('too_many_lines', { details: { values: { most: '500' } } }),
  );
});

test('the sample is not changed, and becomes an own catalogue once', async () => {
  rmSync(file);
  mkdirSync(join(folder, 'src/content'), { recursive: true });
  copyFileSync('src/content/catalogue.yaml', join(folder, 'src/content/catalogue.yaml'));
  const sample = readNames({ action: 'read', names: ['lap.app'] }, context);
  const shared = { languages: ['en', 'de'], max_description: 500, names: {} };
  assert.deepEqual(sample, { file: 'sample', shown: 'src/content/catalogue.yaml', ...shared });
  await assert.rejects(change([set('lap.app', 'state', null, 'sold')]), rejected('sample'));
  const { saved_at } = await initCatalogue(context);
  assert.ok(Math.abs(Date.parse(saved_at) - Date.now()) < 60_000);
  const own = readNames({ action: 'read', names: [] }, context);
  assert.deepEqual(own, { file: 'own', shown: 'own/catalogue.yaml', ...shared });
  const made = text();
  await assert.rejects(
    initCatalogue(context),
    rejected('own_catalogue', { details: { values: { shown: 'own/catalogue.yaml' } } }),
  );
  assert.equal(text(), made);
});

test('on a read-only file system nothing is stored or written, and the command that does it is returned', async (t) => {
  t.mock.method(fs, 'accessSync', () => {
    throw Object.assign(new Error('read-only'), { code: 'EROFS' });
  });
  syncBuiltinESMExports();
  try {
    const { command, ...read } = readNames({ action: 'read', names: [] }, context);
    assert.deepEqual(read, {
      ...{ file: 'read_only', problem: 'own/catalogue.yaml is on a read-only file system.' },
      ...{ shown: 'own/catalogue.yaml', languages: ['en', 'de'], max_description: 500, names: {} },
    });
    const details = (words: string) => ({
      details: { values: { problem: read.problem }, body: { command: `${command} ${words}` } },
    });
    await assert.rejects(
      change([set('lap.app', 'state', null, 'sold')]),
      rejected('read_only', details('sold lap.app')),
    );
    assert.equal(text(), CATALOGUE);
    assert.deepEqual(database.rows, []);
    rmSync(file);
    mkdirSync(join(folder, 'src/content'), { recursive: true });
    copyFileSync('src/content/catalogue.yaml', join(folder, 'src/content/catalogue.yaml'));
    await assert.rejects(initCatalogue(context), rejected('read_only', details('init')));
  } finally {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  }
});

for (const step of [
  'before change_names',
  'after change_names',
  'before the copy',
  'after the copy',
  'before the file',
  'after the file',
  'before mark_name_changes',
  'after mark_name_changes',
]) {
  test(`a kill ${step} leaves the file whole, and the next start what was stored`, async () => {
    kill(step);
    const isStored = step !== 'before change_names';
    const isWritten = text() !== CATALOGUE;
    assert.equal(
      isWritten,
      ['after the file', 'before mark_name_changes', 'after mark_name_changes'].includes(step),
    );
    const after = storedChanges(join(folder, 'database.json'));
    const written = await carryOutOpenChanges({ ...context, call: after.call });
    assert.deepEqual(after.ends(), isStored ? ['written'] : []);
    assert.deepEqual(written, isStored && !isWritten ? [after.rows[0]?.batch] : []);
    assert.equal(values('lap.app')?.state.value, isStored ? 'sold' : null);
    if (!isStored) return;
    undoChange(file, 'own/catalogue.yaml', context.io);
    assert.equal(text(), CATALOGUE);
    assert.deepEqual(await carryOutOpenChanges({ ...context, call: after.call }), []);
    assert.equal(text(), CATALOGUE, 'an undo is not undone by the next start');
  });
}

test('an edit by hand after a kill wins, and the history says what was found', async () => {
  kill('before the file');
  const edited = CATALOGUE.replace('    price: $5,000\n', '    price: $5,000\n    state: reserved\n');
  writeFileSync(file, edited);
  const after = storedChanges(join(folder, 'database.json'));
  assert.deepEqual(await carryOutOpenChanges({ ...context, call: after.call }), []);
  assert.deepEqual(after.ends(), ['dropped: reserved']);
  assert.equal(text(), edited);
});

test('an open row of a restored backup is carried out only in a file that still has the former value', async () => {
  const open = (...changes: NameChange[]) => database.call('change_names', { batch: randomUUID(), changes });
  await open(set('lap.app', 'price', '$7,000', '$6,000'), set('gone.app', 'state', null, 'sold'));
  await open(set('lap.app', 'state', null, 'reserved'), set('new.app', 'entry', null, null));
  await open(set('lap.app', 'state', 'reserved', 'sold'), set('cup.app', 'entry', null, '$1'));
  await open(set('lap.app', 'price', '$6,000', '$5,500'), set('cup.app', 'state', 'reserved', null));
  await open(set('cup.app', 'state', null, 'sold'), set('two.app', 'entry', null, '$2'));
  const written = await carryOutOpenChanges(context);
  assert.equal(written.length, 4);
  assert.deepEqual(database.ends(), [
    ...['dropped: $5,000', 'dropped: null'],
    ...['written', 'written', 'written', 'written'],
    ...['dropped: $5,000', 'written', 'written', 'written'],
  ]);
  const of = (name: string) => [values(name)?.state.value, values(name)?.price.value];
  assert.deepEqual(['lap.app', 'cup.app', 'new.app', 'two.app'].map(of), [
    ['sold', '$5,000'],
    ['sold', null],
    [null, null],
    [null, '$2'],
  ]);
});

test('open rows that cannot be written are dropped with what the file has, and are in no build', async () => {
  const changes = [set('lap.app', 'price', '$5,000', '$4,000'), set('cup.app', 'state', null, 'reserved')];
  await database.call('change_names', { batch: BATCH, changes });
  const restore = aroundRename(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  });
  assert.deepEqual(await carryOutOpenChanges(context), []);
  restore();
  assert.deepEqual(database.ends(), ['dropped: $5,000', 'written']);
  assert.equal(text(), CATALOGUE);
  // Half of it is no success, and waiting would change nothing.
  await assert.rejects(change(changes), rejected('dropped'));
});

function kill(step: string): void {
  const script = resolve('server/names/names-kill.fixture.ts');
  const { signal, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, folder, step],
    { encoding: 'utf8' },
  );
  assert.equal(signal, 'SIGKILL', stderr);
}
