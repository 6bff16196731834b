import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { CatalogueRejection } from '../api/catalogue.ts';
import { LIVE_SHOWN_MS } from './name-changes.ts';
import { valuesAfter } from './name-values.ts';
import { IDLE, nameOf, namesOf, settled, valuesOf } from './names.fixture.ts';

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
  assert.deepEqual(valuesAfter(before, [change]).description, {
    en: { value: 'Fast.', is_default: false },
    de: { value: 'Zu kaufen.', is_default: false },
  });
  // One that is removed leaves the others as they are.
  const removed = valuesAfter(before, [{ ...change, from: 'Fast.', to: null }]);
  assert.deepEqual(removed.description.de, shared('Zu kaufen.'));
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

test('what is typed while an own value is removed stays, too', async () => {
  const { save, type, values, $drafts, api, close } = await typed({ price: '' });
  save(NAME);
  type(NAME, values.get(NAME) ?? valuesOf(null), 'minimum', '$5');
  await settled();
  assert.deepEqual($drafts.get()[NAME]?.typed, { minimum: '$5' });
  save(NAME);
  await settled();
  assert.deepEqual(api.change.mock.calls[1]?.arguments[1], [
    { name: NAME, field: 'minimum', from: null, to: '$5' },
  ]);
  type(NAME, values.get(NAME) ?? valuesOf(null), 'price', '$1');
  save(NAME);
  await settled();
  assert.equal(values.get(NAME)?.price.value, '$1');
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
  assert.match(failed.message, /^Nothing was saved: this was changed in the meantime/);
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

test('after a lost response the same change is another batch once its field was changed, and not another name', async () => {
  for (const [between, isSame] of [
    [{ name: OTHER, field: 'price', from: '$2', to: '$3' }, true],
    [{ name: NAME, field: 'price', from: '$2', to: '$1' }, false],
  ] as const) {
    const { send, api, write } = await typed({});
    const change = { name: NAME, field: 'price', from: '$1', to: '$2' };
    api.change.mock.mockImplementationOnce(() => {
      write([change]);
      return Promise.reject(new Error(''));
    });
    for (const one of [change, between, change]) await send([one]);
    const [lost, other, again] = api.change.mock.calls.map(({ arguments: [batch] }) => batch);
    assert.notEqual(other, lost);
    assert.equal(again === lost, isSame);
  }
});

test('after a lost response the same change of two fields is another batch once one of them was changed', async () => {
  const { send, api } = await typed({});
  const change = [
    { name: NAME, field: 'price', from: '$1', to: '$2' },
    { name: NAME, field: 'minimum', from: '', to: '$1' },
  ];
  api.change.mock.mockImplementationOnce(() => Promise.reject(new Error('')));
  for (const one of [change, change.slice(0, 1), change]) await send(one);
  const batches = api.change.mock.calls.map(({ arguments: [batch] }) => batch);
  assert.deepEqual([batches.length, new Set(batches).size], [3, 3]);
});

test('the same change again, after it was undone, is another batch', async () => {
  const { send, api, undo, values } = await typed({});
  const change = [{ name: NAME, field: 'price', from: '$1', to: '$2' }];
  await send(change);
  undo();
  // A second press has nothing left to undo.
  undo();
  await settled();
  assert.equal(values.get(NAME)?.price.value, '$1');
  await send(change);
  const batches = api.change.mock.calls.map(({ arguments: [batch] }) => batch);
  assert.deepEqual([batches.length, new Set(batches).size], [3, 3]);
});

test('an undo without a response can be pressed again, and one that the catalogue rejects cannot', async () => {
  for (const [error, canRepeat] of [
    [new Error(''), true],
    [new CatalogueRejection({ error: 'Changed.', code: 'changed' }), false],
  ] as const) {
    const { send, api, undo, values, $lastChange } = await typed({});
    const change = [{ name: NAME, field: 'price', from: '$1', to: '$2' }];
    await send(change);
    api.change.mock.mockImplementationOnce(() => Promise.reject(error));
    undo();
    await settled();
    assert.deepEqual($lastChange.get()?.changes, canRepeat ? change : undefined);
    undo();
    await settled();
    assert.equal(values.get(NAME)?.price.value, canRepeat ? '$1' : '$2');
    assert.equal($lastChange.get(), undefined);
  }
});

test('an undo without a response leaves the change that was made meanwhile to be undone', async () => {
  const { send, api, undo, $lastChange, close } = await typed({});
  await send([{ name: NAME, field: 'price', from: '$1', to: '$2' }]);
  const undoing = Promise.withResolvers<never>();
  api.change.mock.mockImplementationOnce(() => undoing.promise);
  undo();
  await settled();
  const later = [{ name: OTHER, field: 'state', from: null, to: 'sold' }];
  await send(later);
  undoing.reject(new Error(''));
  await settled();
  assert.deepEqual($lastChange.get()?.changes, later);
  close();
});

test('a second press while a name is saved sends nothing', async () => {
  const { save, discard, api, $saves, $drafts, close } = await typed({ price: '$2' });
  save(NAME);
  save(NAME);
  discard(NAME);
  assert.deepEqual([$drafts.get(), $saves.get()[NAME]?.status], [{}, 'saving']);
  await settled();
  assert.equal(api.change.mock.callCount(), 1);
  close();
});

test('of two changes of a name at once the row waits for the later one', async () => {
  for (const isSaved of [false, true]) {
    const { send, api, $saves, close } = await typed({});
    const first = Promise.withResolvers<Awaited<ReturnType<typeof api.change>>>();
    api.change.mock.mockImplementationOnce(() => first.promise);
    void send([{ name: NAME, field: 'price', from: '$1', to: '$2' }]);
    await settled();
    api.change.mock.mockImplementationOnce(() => new Promise(() => {}));
    void send([{ name: NAME, field: 'state', from: null, to: 'sold' }]);
    if (isSaved) first.resolve({ saved_at: '2026-11-29T16:31:00Z', build: IDLE });
    else first.reject(new Error('offline'));
    await settled();
    assert.equal($saves.get()[NAME]?.status, 'saving');
    close();
  }
});

test('what was typed for a name, and how its change stands, stays while another one is edited', async (t) => {
  const { send, type, discard, values, finishBuild, $drafts, $saves, close } = await typed({ price: 'x' });
  await send([{ name: nameOf(2), field: 'price', from: '$3', to: '$4' }]);
  await send([{ name: OTHER, field: 'price', from: 'wrong', to: '$4' }]);
  type(OTHER, values.get(OTHER) ?? valuesOf(null), 'price', '$7');
  await send([{ name: NAME, field: 'price', from: 'wrong', to: '$4' }]);
  assert.deepEqual(
    [NAME, OTHER].map((name) => $drafts.get()[name]?.typed.price),
    ['x', '$7'],
  );
  const statuses = () => [0, 1, 2].map((n) => $saves.get()[nameOf(n)]?.status);
  assert.deepEqual(statuses(), ['failed', 'failed', 'saved']);
  discard(NAME);
  assert.deepEqual(statuses(), [undefined, 'failed', 'saved']);
  assert.deepEqual(Object.keys($drafts.get()), [OTHER]);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await finishBuild();
  assert.deepEqual(statuses(), [undefined, 'failed', 'live']);
  close();
});

test('after a change what the page has read of names is read again, and the fields show it at once', async () => {
  const { save, client, fileQuery, buildQuery, api, close } = await typed({ price: '$2' });
  await client.query(fileQuery([NAME]));
  const keys = [
    ['names', 'counts'],
    ['names', 'history', ''],
    ['names', 'values', [NAME]],
    ['names', 'file', [NAME]],
  ];
  for (const key of keys.slice(0, 3)) client.setQueryData(key, {});
  save(NAME);
  await settled();
  const batch = api.change.mock.calls[0]?.arguments[0];
  assert.deepEqual(client.getQueryData(buildQuery.queryKey)?.changes, [batch], 'its build is followed');
  const file = client.getQueryData(fileQuery([NAME]).queryKey);
  assert.equal(file !== 'unavailable' && file?.names[NAME]?.price.value, '$2');
  assert.deepEqual(
    keys.map((queryKey) => client.getQueryState(queryKey)?.isInvalidated),
    [true, true, true, false],
  );
  close();
});

test('what was saved or undone is in the fields before the file is read again', async () => {
  const { save, undo, client, fileQuery, api, close } = await typed({ price: '' });
  await client.query(fileQuery([NAME]));
  const price = () => {
    const read = client.getQueryData(fileQuery([NAME]).queryKey);
    return typeof read === 'object' ? read.names[NAME]?.price.value : read;
  };
  api.readFile.mock.mockImplementation(() => new Promise(() => {}));
  save(NAME);
  await settled();
  assert.equal(price(), null);
  assert.equal(client.getQueryState(fileQuery([NAME]).queryKey)?.isInvalidated, true, 'for its default');
  undo();
  await settled();
  assert.equal(price(), '$1');
  close();
});

test('a value that others have set is read again from the file, another failure reads nothing', async () => {
  const { save, write, api, client, fileQuery, close } = await typed({ price: '$2' });
  await client.query(fileQuery([NAME]));
  client.setQueryData(['names', 'values', [NAME]], {});
  const outdated = () =>
    ['file', 'values'].map((about) => client.getQueryState(['names', about, [NAME]])?.isInvalidated);
  api.change.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  save(NAME);
  await settled();
  assert.deepEqual(outdated(), [false, false]);
  write([{ name: NAME, field: 'price', to: '$9' }]);
  save(NAME);
  await settled();
  assert.deepEqual(outdated(), [true, true]);
  close();
});

test('a new description, or no own price, leaves the price in the row', async () => {
  const { send, rows, close } = await typed({});
  await send([
    { name: NAME, field: 'description.en', from: null, to: 'Fast.' },
    { name: OTHER, field: 'price', from: '$2', to: null },
  ]);
  assert.deepEqual(
    rows().map(({ price }) => price),
    ['$1', '$2', '$3'],
  );
  close();
});

test('the build is read often while one is to come, seldom where it stands, and not where all is shown', async () => {
  const { buildQuery } = namesOf(1);
  const intervalOf = buildQuery.refetchInterval as (query: object) => number | false;
  const build = (status: string) => ({ ...IDLE, status, changes: ['batch'] });
  assert.deepEqual(
    [undefined, IDLE, build('waiting'), build('building'), build('failed'), build('idle')].map((data) =>
      intervalOf({ state: { data } }),
    ),
    [false, false, 1_500, 1_500, 15_000, 15_000],
  );
});

test('a change is live once the pages show it, for a minute', async (t) => {
  const { save, finishBuild, $saves, close } = await typed({ price: '$2' });
  save(NAME);
  await settled();
  await finishBuild({ live: [] });
  assert.equal($saves.get()[NAME]?.status, 'saved');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const saved = $saves.get()[NAME];
  assert.ok(saved?.status === 'saved');
  assert.equal(saved.at, '2026-11-29T16:31:00Z');
  await finishBuild({ live: [saved.batch] });
  assert.deepEqual($saves.get()[NAME], { ...saved, status: 'live' });
  t.mock.timers.tick(LIVE_SHOWN_MS - 1);
  // The same is read again meanwhile.
  await finishBuild({ live: [saved.batch] });
  assert.equal($saves.get()[NAME]?.status, 'live');
  t.mock.timers.tick(1);
  assert.deepEqual($saves.get(), {});
  close();
});

test('a change that the pages show with the response is live, and a later one stays after its minute', async (t) => {
  const { send, api, $saves, close } = await typed({});
  t.mock.timers.enable({ apis: ['setTimeout'] });
  api.change.mock.mockImplementationOnce(async (batch) => ({
    batch,
    saved_at: 'now',
    build: { ...IDLE, live: [batch] },
  }));
  await send([NAME, OTHER].map((name) => ({ name, field: 'state', from: null, to: 'sold' })));
  const statuses = () => [NAME, OTHER].map((name) => $saves.get()[name]?.status);
  assert.deepEqual(statuses(), ['live', 'live']);
  await send([{ name: OTHER, field: 'price', from: '$2', to: '$4' }]);
  t.mock.timers.tick(LIVE_SHOWN_MS);
  assert.deepEqual(statuses(), [undefined, 'saved']);
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

test('of a change with an invalid value of one name, only its row has the message', async () => {
  const { send, api, $saves, close } = await typed({});
  const reject = (problems: { name?: string; field?: string; message: string }[]) =>
    api.change.mock.mockImplementationOnce(() =>
      Promise.reject(new CatalogueRejection({ error: 'Invalid.', code: 'invalid', problems })),
    );
  const failures = () =>
    [NAME, OTHER].map((name) => {
      const save = $saves.get()[name];
      return save?.status === 'failed' && [save.message, save.problems];
    });
  const changes = [NAME, OTHER].map((name) => ({ name, field: 'price', from: null, to: 'x' }));
  reject([{ name: NAME, field: 'price', message: 'is no price' }]);
  await send(changes);
  assert.deepEqual(failures(), [
    ['Nothing was saved: please correct what is marked.', { price: 'is no price' }],
    [`Nothing was saved, because of ${NAME}.`, {}],
  ]);
  reject([{ message: 'catalogue.yaml is wrong' }]);
  await send(changes);
  assert.deepEqual(failures(), [
    ['catalogue.yaml is wrong', {}],
    ['catalogue.yaml is wrong', {}],
  ]);
  reject([]);
  await send(changes);
  assert.equal(
    failures().every((each) => each && each[0] === 'Failed to save. Please try again.'),
    true,
  );
  close();
});

test('several names that get different states show each its own', async () => {
  const { send, rows, close } = await typed({});
  await send([
    { name: NAME, field: 'state', from: null, to: 'sold' },
    { name: OTHER, field: 'state', from: null, to: 'reserved' },
  ]);
  assert.deepEqual(
    rows().map(({ state }) => state),
    ['sold', 'reserved', 'for_sale'],
  );
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

for (const outcome of ['response', 'failure'])
  test(`a ${outcome} after the end of the session changes nothing`, async () => {
    const { save, api, cache, $saves, $lastChange, close } = await typed({ price: '$2' });
    const late = Promise.withResolvers<Awaited<ReturnType<typeof api.change>>>();
    api.change.mock.mockImplementationOnce(() => late.promise);
    save(NAME);
    await settled();
    close();
    cache.clear();
    if (outcome === 'failure') late.reject(new Error('offline'));
    else late.resolve({ saved_at: '2026-11-29T16:31:00Z', build: IDLE });
    await settled();
    assert.deepEqual([$saves.get(), $lastChange.get()], [{}, undefined]);
  });
