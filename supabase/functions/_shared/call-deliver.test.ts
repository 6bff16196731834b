import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { callDeliver, deliverByRequest, deliverSoonOf } from './call-deliver.ts';
import { createLog } from './log.ts';
import { readSettings } from './settings.ts';

const SETTINGS = readSettings({
  SUPABASE_URL: 'https://project.example',
  SUPABASE_SECRET_KEY: 'sb_secret_t',
  NOTIFY_URL: 'https://hooks.example/a',
});

let log = '';
beforeEach(() => {
  mock.restoreAll();
  log = '';
  mock.method(console, 'error', (line: string) => {
    log += line;
  });
});

const settled = () => new Promise(setImmediate);

/** Requests wait until `respond` is called. */
function start() {
  const requests: Request[] = [];
  const responses: PromiseWithResolvers<Response>[] = [];
  let ended: Promise<unknown> = Promise.resolve();
  const context = {
    settings: SETTINGS,
    log: createLog(console),
    deliver: deliverByRequest(SETTINGS, (...request) => {
      requests.push(new Request(...request));
      const response = Promise.withResolvers<Response>();
      responses.push(response);
      return response.promise;
    }),
    waitUntil: (promise: Promise<unknown>) => {
      ended = promise;
    },
  };
  const soon = deliverSoonOf(context, 'negotiation');
  assert.ok(soon);
  const respond = async (status = 200) => {
    await settled();
    responses.shift()?.resolve(Response.json({}, { status }));
  };
  return { context, soon, requests, responses, respond, ended: () => ended };
}

test('calls deliver with the secret key, and lets the function live until it has responded', async (t) => {
  const timeout = t.mock.method(AbortSignal, 'timeout');
  const { soon, requests, respond, ended } = start();
  soon();
  await respond();
  await ended();
  const [request] = requests;
  assert.equal(request?.url, 'https://project.example/functions/v1/deliver');
  assert.equal(request?.method, 'POST');
  assert.equal(request?.headers.get('apikey'), 'sb_secret_t');
  assert.equal(request?.headers.get('content-type'), 'application/json');
  assert.deepEqual(
    timeout.mock.calls.map(({ arguments: [ms] }) => ms),
    [90_000],
  );
  assert.equal(requests.length, 1);
  assert.equal(log, '');
});

test('offers during a call make one more call after it', async () => {
  const { soon, requests, respond, ended } = start();
  soon();
  await settled();
  for (let offer = 0; offer < 5; offer += 1) soon();
  await settled();
  assert.equal(requests.length, 1);
  await respond();
  await respond();
  await ended();
  assert.equal(requests.length, 2);
  soon();
  await respond();
  await ended();
  assert.equal(requests.length, 3);
});

test('a call that fails is logged without the key, and the next one is made', async () => {
  const { soon, responses, respond, ended } = start();
  soon();
  await respond(503);
  await ended();
  assert.match(log, /"event":"deliver_failed","function":"negotiation","reason":"status 503"/);
  soon();
  await settled();
  responses.shift()?.reject(new TypeError('no route to sb_secret_t'));
  await ended();
  assert.match(log, /"reason":"TypeError"/);
  assert.doesNotMatch(log, /sb_secret/);
});

test('a notice is sent in the body, and nothing is called where no messages are configured', async () => {
  const { context, requests, respond } = start();
  const called = callDeliver(context, 'admin-auth', { notice: 'wrong_codes' });
  await respond();
  await called;
  assert.deepEqual(await requests[0]?.json(), { notice: 'wrong_codes' });
  for (const [env, calls] of [
    [{}, false],
    [{ NOTIFY_URL: 'https://hooks.example/a' }, true],
    [{ SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'a@x.example', MAIL_TO: 'b@x.example' }, true],
  ] as const) {
    const settings = { ...SETTINGS, messages: readSettings(env).messages };
    assert.equal(deliverSoonOf({ ...context, settings }, 'order-submit') !== undefined, calls);
  }
});
