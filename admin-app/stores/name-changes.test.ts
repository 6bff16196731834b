import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { CatalogueRejection } from '../api/catalogue.ts';
import { LIVE_SHOWN_MS } from './name-changes.ts';
import { valuesAfter } from './name-values.ts';
import { nameOf, namesOf, settled, valuesOf } from './names.fixture.ts';

const NAME = nameOf(0);
const OTHER = nameOf(1);

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

/** A page with something typed for a name. */
async function typed(texts: Record<string, string>, total = 3) {
  const page = namesOf(total);
  const close = await page.open();
  for (const [field, text] of Object.entries(texts))
    page.type(NAME, page.values.get(NAME) ?? valuesOf(null), field, text);
  return { ...page, close };
}

test('what was typed is sent with what stood there before, and shown in its row', async () => {
  const { save, api, rows, $drafts, $saves, close } = await typed({
    price: ' $7,500 ',
    state: 'reserved',
    minimum: '',
  });
  save(NAME);
  assert.equal($saves.get()[NAME]?.status, 'saving');
  await settled();
  assert.deepEqual(api.change.mock.calls[0]?.arguments[1], [
    { name: NAME, field: 'price', from: '$1', to: '$7,500' },
    { name: NAME, field: 'state', from: null, to: 'reserved' },
  ]);
  assert.deepEqual([rows()[0]?.price, rows()[0]?.state], ['$7,500', 'reserved']);
  assert.deepEqual($drafts.get(), {});
  assert.equal($saves.get()[NAME]?.status, 'saved');
  close();
});

test('a text without a difference is nothing to save, and blanks at its end stay while one types', async () => {
  const { save, api, $drafts, type, values, close } = await typed({ price: '$1 ' });
  assert.equal($drafts.get()[NAME]?.typed.price, '$1 ');
  save(NAME);
  await settled();
  assert.equal(api.change.mock.callCount(), 0);
  close();
  type(NAME, values.get(NAME) ?? valuesOf(null), 'price', '$1');
  assert.deepEqual($drafts.get(), {});
});

test('a description of its own takes those of the other languages from the default', () => {
  const shared = (value: string) => ({ value, is_default: true });
  const before = valuesOf(null, { description: { en: shared('For sale.'), de: shared('Zu kaufen.') } });
  const change = { name: NAME, field: 'description.en', from: null, to: 'Fast.' };
  assert.deepEqual(valuesAfter(before, [change])?.description, {
    en: { value: 'Fast.', is_default: false },
    de: { value: 'Zu kaufen.', is_default: false },
  });
});

test('what is typed while it is saved stays, beside the value that was saved', async () => {
  const { save, type, values, $drafts, api, close } = await typed({ price: '$2' });
  save(NAME);
  type(NAME, values.get(NAME) ?? valuesOf(null), 'price', '$3');
  await settled();
  assert.equal($drafts.get()[NAME]?.typed.price, '$3');
  save(NAME);
  await settled();
  assert.deepEqual(api.change.mock.calls[1]?.arguments[1], [
    { name: NAME, field: 'price', from: '$2', to: '$3' },
  ]);
  close();
});

test('a value that others have set meanwhile is shown, and replaced by the next press alone', async () => {
  const { save, write, values, $saves, rows, close } = await typed({ price: '$2' });
  write([{ name: NAME, field: 'price', to: '$9' }]);
  save(NAME);
  await settled();
  const failed = $saves.get()[NAME];
  assert.ok(failed?.status === 'failed');
  assert.deepEqual(failed.meanwhile, { price: '$9' });
  assert.equal(rows()[0]?.price, '$9');
  assert.equal(values.get(NAME)?.price.value, '$9');
  save(NAME);
  await settled();
  assert.equal(values.get(NAME)?.price.value, '$2');
  close();
});

test('messages of the catalogue stand at their fields, and what was typed stays', async () => {
  const { save, api, $saves, $drafts, close } = await typed({ price: 'x', minimum: '120%' });
  const problems = [
    { name: NAME, field: 'minimum', message: 'is no share of the price' },
    { message: 'catalogue.yaml is wrong' },
  ];
  api.change.mock.mockImplementationOnce(() =>
    Promise.reject(new CatalogueRejection({ error: 'Invalid.', code: 'invalid', problems })),
  );
  save(NAME);
  await settled();
  const failed = $saves.get()[NAME];
  assert.ok(failed?.status === 'failed');
  assert.deepEqual(failed.problems, { minimum: 'is no share of the price' });
  assert.match(failed.message, /^Nothing was saved: .* catalogue\.yaml is wrong$/);
  assert.equal($drafts.get()[NAME]?.typed.minimum, '120%');
  close();
});

for (const [title, error, message, command] of [
  [
    'of a file that cannot be written has the command',
    new CatalogueRejection({ error: 'Read-only.', code: 'read_only', command: 'sudo x' }),
    'Read-only.',
    'sudo x',
  ],
  ['without a response has a message', new Error(''), 'Failed to save. Please try again.', undefined],
] as const)
  test(`a failure ${title}`, async () => {
    const { save, api, $saves, close } = await typed({ price: '$2' });
    api.change.mock.mockImplementationOnce(() => Promise.reject(error));
    save(NAME);
    await settled();
    const failed = $saves.get()[NAME];
    assert.ok(failed?.status === 'failed');
    assert.deepEqual([failed.message, failed.command], [message, command]);
    close();
  });

test('the same change after a lost response has the same batch, after a rejection another one', async () => {
  const { save, api, close } = await typed({ price: '$2' });
  const rejected = new CatalogueRejection({ error: 'Wait.', code: 'too_many_changes' });
  for (const error of [new Error(''), rejected, undefined]) {
    if (error) api.change.mock.mockImplementationOnce(() => Promise.reject(error));
    save(NAME);
    await settled();
  }
  const [lost, repeated, last] = api.change.mock.calls.map(({ arguments: [batch] }) => batch);
  assert.match(lost ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(repeated, lost);
  assert.notEqual(last, lost);
  close();
});

test('a change is live once the pages show it, for a minute', async (t) => {
  const { save, finishBuild, $saves, close } = await typed({ price: '$2' });
  save(NAME);
  await settled();
  await finishBuild({ live: [] });
  assert.equal($saves.get()[NAME]?.status, 'saved');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const batch = $saves.get()[NAME];
  assert.ok(batch?.status === 'saved');
  await finishBuild({ live: [batch.batch] });
  assert.equal($saves.get()[NAME]?.status, 'live');
  t.mock.timers.tick(LIVE_SHOWN_MS);
  assert.deepEqual($saves.get(), {});
  close();
});

test('the last change of the page is taken back, with all of its names', async () => {
  const { send, undo, values, $lastChange, rows, close } = await typed({});
  const changes = [NAME, OTHER].map((name) => ({ name, field: 'state', from: null, to: 'sold' }));
  assert.equal(await send(changes), true);
  assert.deepEqual($lastChange.get()?.changes, changes);
  assert.deepEqual(
    rows().map(({ state }) => state),
    ['sold', 'sold', 'for_sale'],
  );
  undo();
  await settled();
  assert.equal($lastChange.get(), undefined);
  assert.deepEqual(
    [NAME, OTHER].map((name) => values.get(name)?.state.value),
    [null, null],
  );
  assert.equal(rows()[0]?.state, 'for_sale');
  close();
});

test('of a change that one name prevents, each row says which', async () => {
  const { send, write, $saves, close } = await typed({});
  write([{ name: NAME, field: 'state', to: 'reserved' }]);
  assert.equal(
    await send([NAME, OTHER].map((name) => ({ name, field: 'state', from: null, to: 'sold' }))),
    false,
  );
  const other = $saves.get()[OTHER];
  assert.ok(other?.status === 'failed');
  assert.equal(other.message, `Nothing was saved, because of ${NAME}.`);
  close();
});

test('an own value that is removed gives way to the one of the section defaults, which is read', async () => {
  const { save, fileQuery, client, api, close } = await typed({ price: '' });
  await client.query(fileQuery([NAME]));
  const before = api.readFile.mock.callCount();
  save(NAME);
  await settled();
  assert.deepEqual(api.change.mock.calls[0]?.arguments[1], [
    { name: NAME, field: 'price', from: '$1', to: null },
  ]);
  await client.query({ ...fileQuery([NAME]) });
  assert.equal(api.readFile.mock.callCount(), before + 1);
  close();
});

test('a response after the end of the session changes nothing', async () => {
  const { save, api, cache, $saves, $lastChange, close } = await typed({ price: '$2' });
  const late = Promise.withResolvers<Awaited<ReturnType<typeof api.change>>>();
  api.change.mock.mockImplementationOnce(() => late.promise);
  save(NAME);
  await settled();
  close();
  cache.clear();
  late.resolve({
    saved_at: '2026-11-29T16:31:00Z',
    build: { status: 'idle', about_seconds: 1, changes: [], live: [] },
  });
  await settled();
  assert.deepEqual([$saves.get(), $lastChange.get()], [{}, undefined]);
});
