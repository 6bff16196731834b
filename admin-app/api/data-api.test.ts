import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDataApi } from './data-api.ts';

const URL_OF_PROJECT = 'https://project.example';
const KEY = 'sb_publishable_test';
const WITHOUT_SESSION = async () => undefined;

function apiOf(respond: (request: Request) => Response | Promise<Response>, readToken = async () => 'a1') {
  return createDataApi(URL_OF_PROJECT, KEY, readToken, async (input, init) =>
    respond(new Request(input, init)),
  );
}

test('a read, a call and a change name the key, the session and the schema', async () => {
  const requests: Request[] = [];
  const requestData = apiOf((request) => {
    requests.push(request);
    return Response.json([]);
  });
  await requestData('offers?select=*');
  await requestData('rpc/offer_counts', { method: 'POST', body: {} });
  await requestData('offers?id=eq.1', { method: 'PATCH', body: { status: 'accepted' } });
  const sent = requests.map(async (request) => ({
    request: `${request.method} ${request.url}`,
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  }));
  const always = { apikey: KEY, authorization: 'Bearer a1' };
  const change = { ...always, 'content-profile': 'public', 'content-type': 'application/json' };
  assert.deepEqual(await Promise.all(sent), [
    {
      request: `GET ${URL_OF_PROJECT}/rest/v1/offers?select=*`,
      headers: { ...always, 'accept-profile': 'public' },
      body: '',
    },
    { request: `POST ${URL_OF_PROJECT}/rest/v1/rpc/offer_counts`, headers: change, body: '{}' },
    {
      request: `PATCH ${URL_OF_PROJECT}/rest/v1/offers?id=eq.1`,
      headers: { ...change, prefer: 'return=representation' },
      body: '{"status":"accepted"}',
    },
  ]);
});

test('without a session there is no token', async () => {
  const requestData = createDataApi(URL_OF_PROJECT, KEY, WITHOUT_SESSION, async (_, init) =>
    Response.json(new Headers(init?.headers).has('authorization')),
  );
  assert.deepEqual(await requestData('offers'), { status: 200, body: false });
});

test('the body is what JSON says, null without a content, and undefined where it is no JSON', async () => {
  const bodyOf = async (response: Response) => (await apiOf(() => response)('offers')).body;
  assert.deepEqual(await bodyOf(Response.json({ message: 'No.' }, { status: 403 })), { message: 'No.' });
  assert.equal(await bodyOf(new Response(null, { status: 204 })), null);
  assert.equal(await bodyOf(new Response('')), null);
  assert.equal(await bodyOf(new Response('<h1>Hotel</h1>')), undefined);
});

test('without a response the status is 0, and the reason is kept', async () => {
  const cause = new TypeError('Failed to fetch');
  const offline = apiOf(() => Promise.reject(cause));
  assert.deepEqual(await offline('offers'), { status: 0, body: cause });
  const noSession = apiOf(
    () => assert.fail('a request'),
    () => Promise.reject(cause),
  );
  assert.deepEqual(await noSession('offers'), { status: 0, body: cause });
});

test('one that breaks off is no response, whatever its status was', async () => {
  const cause = new TypeError('terminated');
  for (const status of [200, 401, 404]) {
    const broken = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('[')),
      pull: (stream) => stream.error(cause),
    });
    const requestData = apiOf(() => new Response(broken, { status }));
    assert.deepEqual(await requestData('offers'), { status: 0, body: cause });
  }
});

test('a request carries the signal that aborts it', async () => {
  const polling = new AbortController();
  const requestData = createDataApi(
    URL_OF_PROJECT,
    KEY,
    WITHOUT_SESSION,
    (_, init) =>
      new Promise((_, fail) => {
        init?.signal?.addEventListener('abort', () => fail(polling.signal.reason));
        polling.abort();
        // After it, for a request without that signal.
        fail(new Error('not aborted'));
      }),
  );
  const { signal } = polling;
  assert.deepEqual(await requestData('offers', { signal }), { status: 0, body: signal.reason });
});
