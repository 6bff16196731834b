import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { type Challenge, ProofSchema } from '#contract/bot-check.ts';
import type { BotCheckReport } from '../api/bot-check/provider.ts';

const { startBotCheck, stopBotCheck, $botCheck } = await import('./bot-check.ts');
const { $offer, startOver, submitOffer } = await import('./offer.ts');

const fields = {
  domain_name: 'lap.app',
  offer_amount: 'a reasonable sum',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
};
const receipt = () => Response.json({ id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' }, { status: 201 });

/** The running bot check, as its provider would report. */
let botCheck: BotCheckReport;

beforeEach(() => {
  stopBotCheck();
  startBotCheck({} as HTMLElement, undefined, {
    boundToDomain: false,
    start(_host, report) {
      botCheck = report;
      return { renew() {}, stop() {} };
    },
  });
  botCheck.ready('token');
});
afterEach(() => {
  mock.restoreAll();
  startOver();
});

test('an offer goes from editing over submitting to submitted, and its token is dropped', async () => {
  respondWith(receipt);
  const sent = submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'submitting' });
  await sent;
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'lap.app', offer: fields });
  assert.deepEqual($botCheck.get(), { status: 'working' });
});

test('an offer for an internationalised name is sent as punycode and shown decoded', async () => {
  const fetch = respondWith(receipt);
  const offer = { ...fields, domain_name: 'xn--mnchen-3ya.example' };
  await submitOffer(offer, 'münchen.example');
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'münchen.example', offer });
  const [, init] = fetch.mock.calls[0]?.arguments ?? [];
  assert.equal(JSON.parse(String(init?.body)).domain_name, 'xn--mnchen-3ya.example');
});

test('two clicks send one offer', async () => {
  const fetch = respondWith(receipt);
  await Promise.all([submitOffer(fields), submitOffer(fields)]);
  await submitOffer(fields);
  assert.equal(fetch.mock.callCount(), 1);
});

test('nothing is sent without a token', async () => {
  const fetch = respondWith(receipt);
  botCheck.expired();
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
  assert.equal(fetch.mock.callCount(), 0);
});

test('nothing is sent without a domain', async () => {
  const fetch = respondWith(receipt);
  await submitOffer({ ...fields, domain_name: '' });
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'no-domain' });
  assert.equal(fetch.mock.callCount(), 0);
});

test('a rejection keeps the function’s message, code and field, and requests a fresh token', async () => {
  const rejection = { error: 'Please fill in your name.', code: 'missing', field: 'customer_name' };
  respondWith(() => Response.json(rejection, { status: 400 }));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), {
    status: 'failed',
    reason: 'rejected',
    code: 'missing',
    field: 'customer_name',
    error: 'Please fill in your name.',
  });
  assert.deepEqual($botCheck.get(), { status: 'working' });
});

test('a rejection without a message is still a rejection', async () => {
  respondWith(() => Response.json({}, { status: 500 }));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'rejected' });
});

test('a network error is shown, and the next attempt may succeed', async () => {
  respondWith(() => {
    throw new TypeError('network');
  });
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });

  mock.restoreAll();
  respondWith(receipt);
  botCheck.ready('fresh');
  await submitOffer(fields);
  assert.equal($offer.get().status, 'submitted');
});

for (const [condition, response] of [
  ['a network error', () => Response.error()],
  ['a temporary error', () => Response.json({ error: 'Later.', code: 'unavailable' }, { status: 500 })],
  ['an internal error', () => Response.json({ error: 'Sorry.', code: 'internal' }, { status: 500 })],
  ['an error of a proxy', () => Response.json({ code: 'TIMEOUT', message: '…' }, { status: 546 })],
] as const) {
  test(`an offer that got ${condition} is sent again with its first token, so that it is stored once`, async () => {
    const unheard = respondWith(response);
    await submitOffer(fields);
    assert.deepEqual([...new Set(tokensOf(unheard))], ['token']);

    mock.restoreAll();
    const stored = respondWith(receipt);
    botCheck.ready('fresh');
    await submitOffer(fields);
    assert.deepEqual(tokensOf(stored), ['token']);
    assert.equal($offer.get().status, 'submitted');

    mock.restoreAll();
    startOver();
    const meant = respondWith(receipt);
    botCheck.ready('third');
    await submitOffer(fields);
    assert.deepEqual(tokensOf(meant), ['third'], 'the same once more, after its thanks, is another offer');
  });
}

test('a fresh token replaces a rejected first one', async () => {
  respondWith(() => {
    throw new TypeError('network');
  });
  await submitOffer(fields);

  mock.restoreAll();
  const rejected = () => Response.json({ error: 'Too old.', code: 'bot_check_expired' }, { status: 400 });
  const responses = [rejected, receipt];
  const fetch = respondWith(() => (responses.shift() ?? receipt)());
  botCheck.ready('fresh');
  await submitOffer(fields);
  assert.deepEqual(tokensOf(fetch), ['token', 'fresh']);
  assert.equal($offer.get().status, 'submitted');
});

test('the fresh token is requested again after a rejection, because it may have expired meanwhile', async () => {
  respondWith(() => Response.error());
  await submitOffer(fields);

  mock.restoreAll();
  botCheck.ready('fresh');
  const fetch = respondWith(() => {
    botCheck.expired();
    return Response.json({ error: 'Too old.', code: 'bot_check_expired' }, { status: 400 });
  });
  await submitOffer(fields);
  assert.deepEqual(tokensOf(fetch), ['token']);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
});

test('another offer does not use the token of an offer without a response', async () => {
  respondWith(() => {
    throw new TypeError('network');
  });
  await submitOffer(fields);

  mock.restoreAll();
  const fetch = respondWith(receipt);
  botCheck.ready('fresh');
  await submitOffer({ ...fields, offer_amount: 'more' });
  assert.deepEqual(tokensOf(fetch), ['fresh']);
});

test('a token of another domain is not used', async () => {
  stopBotCheck();
  startBotCheck({} as HTMLElement, 'sample.app', {
    boundToDomain: true,
    start(_host, report) {
      report.ready('for sample.app');
      return { renew() {}, stop() {} };
    },
  });
  const fetch = respondWith(receipt);
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
  assert.equal(fetch.mock.callCount(), 0);
});

test('a harder challenge is solved silently, and the same offer is sent with its proof', async () => {
  const solved = workersThatSolve();
  const responses = [harder(1), harder(3), receipt];
  const fetch = respondWith(() => (responses.shift() ?? receipt)());
  const states: string[] = [];
  const unbind = $offer.listen(({ status }) => states.push(status));
  await submitOffer(fields);
  unbind();
  assert.deepEqual(states, ['submitting', 'submitted']);
  const bodies = fetch.mock.calls.map(({ arguments: [, init] }) => JSON.parse(String(init?.body)));
  assert.deepEqual(
    bodies.map(({ turnstile_token: _, ...offer }) => offer),
    [fields, fields, fields],
  );
  const [first = '', ...proofs] = tokensOf(fetch);
  assert.equal(first, 'token');
  assert.deepEqual(
    proofs.map((token) => ProofSchema.parse(JSON.parse(atob(token))).challenge.signature[0]),
    ['1', '3'],
  );
  assert.equal(solved.terminated(), solved.started());
});

test('an offer whose harder proof got no response is sent with that proof again', async () => {
  workersThatSolve();
  const responses = [harder(1), Response.error, Response.error];
  const lost = respondWith(() => (responses.shift() ?? Response.error)());
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });
  const [, proof] = tokensOf(lost);

  mock.restoreAll();
  const stored = respondWith(receipt);
  botCheck.ready('fresh');
  await submitOffer(fields);
  assert.deepEqual(tokensOf(stored), [proof]);
  assert.equal($offer.get().status, 'submitted');
});

test('a lost offer that needs more work is sent with its proof, not with a fresh token', async () => {
  respondWith(() => Response.error());
  await submitOffer(fields);

  mock.restoreAll();
  workersThatSolve();
  const responses = [harder(2), receipt];
  const fetch = respondWith(() => (responses.shift() ?? receipt)());
  botCheck.ready('fresh');
  await submitOffer(fields);
  const [first, second = ''] = tokensOf(fetch);
  assert.equal(first, 'token');
  assert.equal(ProofSchema.parse(JSON.parse(atob(second))).challenge.signature[0], '2');
  assert.equal($offer.get().status, 'submitted');
});

test('an offer whose harder challenge cannot be solved is sent with its token next time', async () => {
  globalThis.Worker = class {
    constructor() {
      throw new Error('no worker');
    }
  } as unknown as typeof Worker;
  respondWith(harder(1));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });

  mock.restoreAll();
  const fetch = respondWith(receipt);
  botCheck.ready('fresh');
  await submitOffer(fields);
  assert.deepEqual(tokensOf(fetch), ['token']);
});

test('harder challenges are solved a limited number of times', async () => {
  workersThatSolve();
  const fetch = respondWith(harder(4));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });
  assert.equal(fetch.mock.callCount(), 5);
});

/** A response that asks for the work of a step; its challenge's signature begins with the step. */
function harder(step: number): () => Response {
  const challenge: Challenge = {
    parameters: {
      algorithm: 'SHA-256',
      cost: ([64, 128, 256, 512, 1024] as const)[step] ?? 64,
      nonce: '00',
      salt: '00',
      keyPrefix: '00',
      keyLength: 32,
      expiresAt: 1,
    },
    signature: `${step}`.padEnd(64, '0'),
  };
  return () => Response.json({ error: 'More work.', code: 'harder_check', challenge }, { status: 403 });
}

/** Workers that have a solution at once. */
function workersThatSolve() {
  let started = 0;
  let terminated = 0;
  globalThis.Worker = class {
    onmessage?: (event: { data: unknown }) => void;
    postMessage() {
      started += 1;
      queueMicrotask(() => this.onmessage?.({ data: { counter: 1, derivedKey: '00' } }));
    }
    terminate() {
      terminated += 1;
    }
  } as unknown as typeof Worker;
  return { started: () => started, terminated: () => terminated };
}

function tokensOf({ mock: { calls } }: ReturnType<typeof respondWith>): string[] {
  return calls.map(({ arguments: [, init] }) => JSON.parse(String(init?.body)).turnstile_token);
}

function respondWith(response: () => Response) {
  return mock.method(globalThis, 'fetch', async (_url: string | URL | Request, _init?: RequestInit) =>
    response(),
  );
}
