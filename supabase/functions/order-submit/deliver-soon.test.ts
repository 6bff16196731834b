import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { createDeliverSoon } from './deliver-soon.ts';

const HERE = { url: 'https://project.example', secretKey: 'sb_secret_t' };

let log = '';
beforeEach(() => {
  mock.restoreAll();
  log = '';
  mock.method(console, 'error', (line: string) => {
    log += line;
  });
});

/** Requests wait until `respond` is called. */
function start() {
  const responses: ((response: Response) => void)[] = [];
  const secondCall = Promise.withResolvers<void>();
  const fetch = mock.method(globalThis, 'fetch', () => {
    const response = new Promise<Response>((resolve) => responses.push(resolve));
    if (fetch.mock.callCount() === 1) secondCall.resolve();
    return response;
  });
  let ended: Promise<unknown> = Promise.resolve();
  const runtime = {
    waitUntil: (promise: Promise<unknown>) => {
      ended = promise;
    },
  };
  const soon = createDeliverSoon({ ...HERE, runtime });
  const respond = (status = 200) => responses.shift()?.(Response.json({}, { status }));
  return { fetch, soon, respond, ended: () => ended, secondCall: secondCall.promise };
}

test('calls deliver with the secret key, and lets the function live until it has responded', async () => {
  const { fetch, soon, respond, ended } = start();
  soon();
  const [url, init] = fetch.mock.calls[0]?.arguments ?? [];
  assert.equal(url, 'https://project.example/functions/v1/deliver');
  assert.equal(init?.method, 'POST');
  assert.equal(new Headers(init?.headers).get('apikey'), 'sb_secret_t');
  respond();
  await ended();
  assert.equal(fetch.mock.callCount(), 1);
  assert.equal(log, '');
});

test('offers during a call make one more call after it', async () => {
  const { fetch, soon, respond, ended, secondCall } = start();
  soon();
  for (let offer = 0; offer < 5; offer += 1) soon();
  assert.equal(fetch.mock.callCount(), 1);
  respond();
  await secondCall;
  respond();
  await ended();
  assert.equal(fetch.mock.callCount(), 2);
  soon();
  assert.equal(fetch.mock.callCount(), 3);
  respond();
  await ended();
});

test('a call that fails is logged without the key, and the next one is made', async () => {
  const { fetch, soon, respond, ended } = start();
  soon();
  respond(503);
  await ended();
  assert.match(log, /"event":"deliver_failed".*"reason":"status 503"/);
  fetch.mock.mockImplementation(() => Promise.reject(new TypeError('no route to sb_secret_t')));
  soon();
  await ended();
  assert.match(log, /"reason":"TypeError"/);
  assert.doesNotMatch(log, /sb_secret/);
});

test('on the embedded backend nothing is called', () => {
  const { fetch } = start();
  createDeliverSoon({ ...HERE, runtime: undefined })();
  assert.equal(fetch.mock.callCount(), 0);
});
