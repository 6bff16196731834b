import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { CatalogueRejection, createCatalogueApi } from './catalogue.ts';
import { SessionEnded } from './with-fresh-token.ts';

const BUILD = { status: 'idle', about_seconds: null, changes: [], live: [] };
const READ = {
  file: 'own',
  languages: ['en'],
  max_description: 160,
  shown: 'own/catalogue.yaml',
  names: {},
  build: BUILD,
};
const BATCH = '00000000-0000-4000-8000-000000000001';

function apiOf(...responses: [status: number, body: unknown][]) {
  const request = mock.fn(async (_url: unknown, _init?: RequestInit) => {
    const [status, body] = responses.shift() ?? [500, ''];
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  });
  let tokens = 1;
  const auth = {
    getSession: async () => ({ data: { session: { access_token: `token-${tokens}` } } }),
    refreshSession: async () => {
      tokens += 1;
      return { error: null };
    },
  } as unknown as Parameters<typeof createCatalogueApi>[0];
  return { ...createCatalogueApi(auth, request as typeof fetch), request };
}

test('a change is sent with the token of the session, and again with a renewed one', async () => {
  const { change, request } = apiOf(
    [401, { error: 'x', code: 'session_ended' }],
    [200, { batch: BATCH, saved_at: 'now', build: BUILD }],
  );
  const saved = await change(BATCH, [{ name: 'lap.app', field: 'state', from: null, to: 'sold' }]);
  assert.deepEqual(saved.build, BUILD);
  const sent = request.mock.calls.map(({ arguments: [url, init] }) => [
    url,
    init?.method,
    new Headers(init?.headers).get('authorization'),
    new Headers(init?.headers).get('content-type'),
  ]);
  assert.deepEqual(sent, [
    ['/admin/catalogue', 'POST', 'Bearer token-1', 'application/json'],
    ['/admin/catalogue', 'POST', 'Bearer token-2', 'application/json'],
  ]);
  const { action, batch, changes } = JSON.parse(String(request.mock.calls[1]?.arguments[1]?.body));
  assert.deepEqual([action, batch, changes.length], ['change', BATCH, 1]);
});

test('the build is read by GET', async () => {
  const { readBuild, request } = apiOf([200, { build: BUILD }]);
  assert.deepEqual(await readBuild(), BUILD);
  assert.equal(request.mock.calls[0]?.arguments[1]?.method, undefined);
});

test('a server without the path has no file', async () => {
  for (const body of ['<!doctype html>', { error: 'x', code: 'not_found' }])
    assert.equal(await apiOf([404, body]).readFile([]), 'unavailable');
  assert.deepEqual(await apiOf([200, READ]).readFile([]), READ);
});

test('a rejection carries its code, message and what goes with it', async () => {
  const changed = [{ name: 'lap.app', field: 'price', value: '$9' }];
  const { change } = apiOf([409, { error: 'Changed.', code: 'changed', changed }]);
  await assert.rejects(change(BATCH, []), (error) => {
    assert.ok(error instanceof CatalogueRejection);
    assert.deepEqual([error.message, error.rejection.changed], ['Changed.', changed]);
    return true;
  });
});

test('an ended session is reported, and neither a response of a proxy nor the browser has a message', async () => {
  const ended: [number, unknown] = [401, { error: 'x', code: 'session_ended' }];
  await assert.rejects(apiOf(ended, ended).readBuild(), SessionEnded);
  for (const body of ['<html>', '{}', { ok: true }])
    await assert.rejects(apiOf([502, body]).readBuild(), { message: '' });
  const { readBuild, request } = apiOf();
  request.mock.mockImplementationOnce(() => Promise.reject(new TypeError('Failed to fetch')));
  await assert.rejects(readBuild(), { message: '' });
});
