import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MAX_NAME_CHANGES, MAX_NAME_VALUE, NameRejectionSchema } from '#contract/names.ts';
import { createHandleNames } from './handle-request.ts';
import { NamesRejected } from './name-rejection.ts';
import type { Call } from './names-worker.ts';
import type { NamesTask } from './thread-messages.ts';

const HOST = 'admin.example.com';
const BATCH = '0190a5b0-1111-4222-8333-444455556666';
const BUILD = { status: 'idle', about_seconds: null, changes: [], live: [] } as const;
const CHANGE = { name: 'lap.app', field: 'state', from: null, to: 'sold' };
const SAVED = { batch: BATCH, saved_at: '2026-11-29T12:00:00.000Z' };

let adminHost: string | undefined = HOST;
let sessionStatus = 200;
let tasks: NamesTask[] = [];
let requested: (string | undefined)[] = [];
let calls: { path: string; authorization: string | undefined }[] = [];
/** Of each call, and what it was sent. */
let keys: [key: string | undefined, body: string][] = [];
let serviceCalls: string[] = [];
/** Calls that the task makes. */
let made: Parameters<Call>[] = [];
let result: unknown = SAVED;
const problems: string[] = [];
const handle = createHandleNames({
  send: async ({ path, headers, body }) => {
    calls.push({ path, authorization: headers.authorization });
    keys.push([headers.apikey, Buffer.from(body).toString()]);
    return { status: sessionStatus, headers: [], body: Buffer.from('5') };
  },
  callAsService: async (name) => {
    serviceCalls.push(name);
    return [];
  },
  publishableKey: 'sb_publishable_test',
  secretKey: 'sb_secret_test',
  worker: {
    perform: async (task, call) => {
      tasks.push(task);
      for (const [name, args] of made) await call(name, args).catch(() => {});
      if (result instanceof Error) throw result;
      return result;
    },
  },
  builds: { request: (batch) => requested.push(batch), state: () => ({ ...BUILD, changes: [], live: [] }) },
  siteHosts: () => ({ names: new Set(['lap.app']), hosts: ['names.example.com'], adminHost }),
  onError: (problem) => problems.push(problem),
});
beforeEach(() => {
  [sessionStatus, tasks, requested, calls, result] = [200, [], [], [], SAVED];
  adminHost = HOST;
  [keys, serviceCalls, made] = [[], [], []];
});

async function send(
  body: unknown,
  { method = 'POST', origin, host = HOST }: { method?: string; origin?: string; host?: string } = {},
) {
  const response = await handle(
    {
      method,
      path: '/admin/catalogue',
      headers: { authorization: 'Bearer token', ...(origin !== undefined && { origin }) },
      body: Buffer.isBuffer(body)
        ? body
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    },
    host,
  );
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: JSON.parse(Buffer.from(response.body).toString()) };
}
const change = (changes: unknown = [CHANGE]) => ({ action: 'change', batch: BATCH, changes });

test('a request is made once the session was checked, and a saved change is built', async () => {
  const { status, headers, body } = await send(change(), { origin: `https://${HOST}` });
  assert.equal(status, 200);
  assert.deepEqual(body, { ...SAVED, build: BUILD });
  assert.match(headers['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(calls, [{ path: '/rest/v1/rpc/schema_version', authorization: 'Bearer token' }]);
  assert.deepEqual(requested, [BATCH]);
  assert.deepEqual((await send('', { method: 'GET' })).body, { build: BUILD });
  result = { id: 'x' };
  assert.deepEqual((await send({ action: 'plan', text: 'lap.app 5' })).body, { id: 'x' });
  result = { names: {} };
  assert.deepEqual((await send({ action: 'read', names: [] })).body, { names: {}, build: BUILD });
  assert.deepEqual(requested, [BATCH], 'reading builds nothing');
  result = { saved_at: SAVED.saved_at };
  assert.deepEqual((await send({ action: 'init' })).body, { ...(result as object), build: BUILD });
  assert.deepEqual(requested, [BATCH, undefined], 'an own catalogue is built');
});

test('each call has the administrator’s token, with the secret key where no route leads to it; others are the service’s', async () => {
  made = [
    ['name_history', { batch: BATCH }],
    ['change_names', { batch: BATCH, changes: [] }],
    ['mark_name_changes', { written: [], dropped: [] }],
  ];
  await send(change());
  assert.deepEqual(
    calls.map(({ path, authorization }) => [path.replace('/rest/v1/rpc/', ''), authorization]),
    ['schema_version', 'name_history', 'change_names'].map((name) => [name, 'Bearer token']),
  );
  assert.deepEqual(keys, [
    ['sb_publishable_test', '{}'],
    ['sb_publishable_test', JSON.stringify({ batch: BATCH })],
    ['sb_secret_test', JSON.stringify({ batch: BATCH, changes: [] })],
  ]);
  assert.deepEqual(serviceCalls, ['mark_name_changes']);
});

test('a body that is wrong is rejected with the path of the field', async () => {
  for (const [body, field] of [
    [{}, 'action'],
    [change([{ ...CHANGE, field: 'price', to: 5 }]), 'changes.0.to'],
    [{ ...change(), force: true }, 'force'],
    [{ ...change(), ['x'.repeat(200)]: true }, 'x'.repeat(100)],
  ] as const)
    assert.match((await send(body)).body.error, new RegExp(`^The field “${field}” is missing`));
});

test('without a valid session nothing is read, written or built', async () => {
  for (const status of [401, 403]) {
    sessionStatus = status;
    for (const request of [change(), { action: 'read', names: [] }, { action: 'init' }]) {
      const { status, body } = await send(request);
      assert.deepEqual([status, body.code], [401, 'session_ended']);
    }
    assert.equal((await send('', { method: 'GET' })).status, 401);
  }
  sessionStatus = 503;
  const { status, headers, body } = await send(change());
  assert.deepEqual([status, body.code, headers['retry-after']], [503, 'unavailable', '5']);
  assert.equal(problems.at(-1), 'The call schema_version failed (503).');
  assert.deepEqual([tasks, requested], [[], []]);
});

test('pages of other origins are rejected, before the session is looked at', async () => {
  for (const origin of [
    'https://evil.example',
    'https://lap.app',
    'https://names.example.com',
    `https://${HOST}.evil.example`,
    `https://evil.example/${HOST}`,
    'null',
    '',
    `file://${HOST}`,
    'http://localhost',
  ]) {
    const { status, body } = await send(change(), { origin });
    assert.deepEqual([status, body.code], [403, 'foreign_origin'], origin);
  }
  assert.deepEqual([calls, tasks], [[], []]);
});

test('without ADMIN_HOST a page of this machine changes names of its own host alone', async () => {
  adminHost = undefined;
  for (const [origin, host, status] of [
    ['http://localhost:4321', 'localhost', 200],
    ['http://localhost:3000', 'names.example.com', 403],
    ['http://127.0.0.1:4321', 'localhost', 403],
    ['https://names.example.com', 'names.example.com', 200],
    ['https://names.example.com', 'localhost', 200],
  ] as const)
    assert.equal((await send(change(), { origin, host })).status, status, `${origin} at ${host}`);
});

const LONG = 'x'.repeat(MAX_NAME_VALUE + 1);
for (const [what, body] of [
  ['no JSON', '{'],
  ['not UTF-8', Buffer.from(JSON.stringify({ action: 'plan', text: 'caf\u00e9.app' }), 'latin1')],
  ['a list', []],
  ['null', 'null'],
  ['no action', {}],
  ['an unknown action', { action: 'remove', names: ['lap.app'] }],
  ['an action of the prototype', { action: '__proto__' }],
  ['a field more', { ...change(), force: true }],
  ['a field of the prototype', '{"action":"init","__proto__":{"admin":true}}'],
  ['a setting', change([{ ...CHANGE, field: 'settings.brokerUrl', to: 'https://evil.example/{domain}' }])],
  ['a link', change([{ ...CHANGE, field: 'buyNow', to: 'https://evil.example' }])],
  ['markup', change([{ ...CHANGE, field: 'about', to: '<script>' }])],
  ['the broker', change([{ ...CHANGE, field: 'hasBroker', to: 'true' }])],
  ['the name', change([{ ...CHANGE, field: 'name', to: 'evil.example' }])],
  ['a new entry as a change', change([{ ...CHANGE, field: 'entry' }])],
  ['a language that is a path', change([{ ...CHANGE, field: 'description.__proto__' }])],
  ['a name that is a path', change([{ ...CHANGE, name: '../../etc/passwd' }])],
  ['a name with YAML', change([{ ...CHANGE, name: 'lap.app\n  - name: evil.example' }])],
  ['a name in capitals', change([{ ...CHANGE, name: 'LAP.APP' }])],
  ['a number as a value', change([{ ...CHANGE, field: 'price', to: 5 }])],
  ['an object as a value', change([{ ...CHANGE, field: 'price', to: { $: 5 } }])],
  ['no value', change([{ name: 'lap.app', field: 'state', from: null }])],
  ['a value that is too long', change([{ ...CHANGE, field: 'price', to: LONG }])],
  ['half a character', change([{ ...CHANGE, field: 'price', to: '\uD800' }])],
  ['no changes', change([])],
  ['a field twice', change([CHANGE, { ...CHANGE, to: 'reserved' }])],
  ['too many changes', change(Array(MAX_NAME_CHANGES + 1).fill(CHANGE))],
  ['a batch that is no UUID', { ...change(), batch: '1; drop table' }],
  ['too many names to read', { action: 'read', names: Array(101).fill('lap.app') }],
  ['a list that is too long', { action: 'plan', text: 'x'.repeat(50_001) }],
  ['no plan', { action: 'add', batch: BATCH, text: 'new.app 5' }],
] as const) {
  test(`a hostile body is rejected with a sentence: ${what}`, async () => {
    const { status, body: sent } = await send(body);
    assert.equal(status, 400);
    const { error, code } = NameRejectionSchema.parse(sent);
    assert.ok(['malformed', 'wrong_field'].includes(code), code);
    assert.match(error, /^(?:That was not readable|The field “[\w.$-]+” is missing, unknown or not right)/);
    assert.deepEqual([calls, tasks, requested], [[], [], []]);
  });
}

test('a rejection has its fields, and an unexpected error no detail', async () => {
  result = new NamesRejected('changed', {
    body: { changed: [{ name: 'lap.app', field: 'state', value: 'sold' }] },
  });
  const changed = await send(change());
  assert.equal(changed.status, 409);
  assert.deepEqual(changed.body.changed, [{ name: 'lap.app', field: 'state', value: 'sold' }]);
  assert.equal(changed.body.request_id, changed.headers['x-request-id']);
  assert.ok(!('retry-after' in changed.headers));
  result = new NamesRejected('too_many_changes', { retryAfter: 61 });
  const limited = await send(change());
  assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '61']);
  assert.match(limited.body.error, /try again in 2 minutes/);
  result = new NamesRejected('too_many_changes', { retryAfter: 60 });
  assert.match((await send(change())).body.error, /try again in a minute/);
  result = new Error('secret of own/catalogue.yaml');
  const failed = await send(change());
  assert.equal(failed.status, 500);
  assert.doesNotMatch(JSON.stringify(failed.body), /secret/);
  assert.match(problems.at(-1) ?? '', /secret/);
  assert.deepEqual(requested, [], 'nothing is built');
});

test('an earlier change that a rejected one carried out is built', async () => {
  result = new NamesRejected('changed');
  // The rejected one's own rows are marked last.
  made = [
    ['mark_name_changes', { written: [1], dropped: [] }],
    ['mark_name_changes', { written: [], dropped: [2] }],
  ];
  assert.equal((await send(change())).status, 409);
  assert.deepEqual(requested, [undefined]);
});
