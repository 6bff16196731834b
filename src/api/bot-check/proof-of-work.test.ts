import '../settings.stub.ts';
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { Challenge, Proof } from '#contract/bot-check.ts';

const { proofOfWork } = await import('./proof-of-work.ts');

test('each challenge for a domain after the first one is requested as such', async (t) => {
  const fetch = mock.method(globalThis, 'fetch', async (input: string | URL | Request, _init?: RequestInit) =>
    Response.json(challengeOf(new URL(String(input)).searchParams.get('domain') ?? '')),
  );
  Object.assign(globalThis, { Worker: SolvingWorker });
  t.after(() => Reflect.deleteProperty(globalThis, 'Worker'));
  let ready = Promise.withResolvers<string>();
  const running = proofOfWork.start(
    {} as HTMLElement,
    { ready: (token) => ready.resolve(token), expired() {}, failed() {}, unsupported() {} },
    'lap.app',
  );
  t.after(running.stop);
  for (const domain of ['lap.app', 'two.app', 'lap.app']) {
    await ready.promise;
    ready = Promise.withResolvers();
    running.renew(domain);
  }
  await ready.promise;
  assert.deepEqual(
    fetch.mock.calls.map(({ arguments: [url, init] }) => [
      new URL(String(url)).search,
      new Headers(init?.headers).get('x-client-info'),
    ]),
    [
      ['?domain=lap.app', null],
      ['?domain=lap.app', 'again'],
      ['?domain=two.app', null],
      ['?domain=lap.app', 'again'],
    ],
  );
  assert.deepEqual(
    fetch.mock.calls.map(({ arguments: [, init] }) => init?.signal?.aborted),
    [true, true, true, false],
    'a renewed check ends the one before',
  );
});

class SolvingWorker {
  onmessage?: (event: { data: Proof['solution'] }) => void;
  postMessage() {
    this.onmessage?.({ data: { counter: 1, derivedKey: '00' } });
  }
  terminate() {}
}

function challengeOf(domain: string): Challenge {
  return {
    parameters: {
      ...{ algorithm: 'SHA-256', cost: 64, nonce: '', salt: '', keyPrefix: '', keyLength: 32 },
      expiresAt: Math.floor(Date.now() / 1_000) + 300,
      data: { action: 'order-submit', domain },
    },
    signature: '0'.repeat(64),
  };
}
