import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { BotCheckProvider, BotCheckReport } from '../api/bot-check/provider.ts';

const storage = new Map<string, string>();
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  },
});

const { selectForBotCheck, startBotCheck, stopBotCheck, $botCheck } = await import('./bot-check.ts');
const { $calls } = await import('./calls.ts');
const { sendOffer } = await import('../api/order-submit.ts');
const { $offer, startOver, submitOffer } = await import('./offer.ts');

const fields = {
  domain_name: 'lap.app',
  offer_amount: 'a reasonable sum',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
};
const storedOffer = () => Response.json({ id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' }, { status: 201 });

/** The running bot check, as its provider would report. */
let botCheck: BotCheckReport;

beforeEach(() => {
  stopBotCheck();
  const provider: BotCheckProvider = {
    boundToDomain: false,
    start(_host, report) {
      botCheck = report;
      return { renew() {}, stop() {} };
    },
  };
  $calls.set({ provider, sendOffer });
  startBotCheck({} as HTMLElement);
  botCheck.ready('token');
});
afterEach(() => {
  mock.restoreAll();
  startOver();
});

test('an offer goes from editing over submitting to submitted, and its token is dropped', async () => {
  respondWith(storedOffer);
  const sent = submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'submitting' });
  startOver();
  assert.deepEqual($offer.get(), { status: 'submitting' }, 'it is in flight');
  assert.ok(storage.has('unconfirmed'));
  await sent;
  assert.ok(!storage.has('unconfirmed'), 'a name and an email stay nowhere');
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'lap.app', offer: fields });
  assert.deepEqual($botCheck.get(), { status: 'working' });
});

test('an offer for an internationalised name is sent as punycode and shown decoded', async () => {
  const fetch = respondWith(storedOffer);
  const offer = { ...fields, domain_name: 'xn--mnchen-3ya.example' };
  await submitOffer(offer, 'münchen.example');
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'münchen.example', offer });
  const [, init] = fetch.mock.calls[0]?.arguments ?? [];
  assert.equal(JSON.parse(String(init?.body)).domain_name, 'xn--mnchen-3ya.example');
});

test('two clicks send one offer', async () => {
  const fetch = respondWith(storedOffer);
  await Promise.all([submitOffer(fields), submitOffer(fields)]);
  botCheck.ready('another');
  await submitOffer(fields);
  assert.equal(fetch.mock.callCount(), 1);
});

test('after a low offer another one can be sent', async () => {
  const fetch = respondWith(() => Response.json({ id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162', low: true }));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'lap.app', offer: fields, low: true });
  botCheck.ready('another');
  await submitOffer({ ...fields, offer_amount: 'more' });
  assert.equal(fetch.mock.callCount(), 2);
});

test('nothing is sent without a token', async () => {
  const fetch = respondWith(storedOffer);
  botCheck.expired();
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
  assert.equal(fetch.mock.callCount(), 0);
});

test('a token for one domain is sent with an offer for that one alone', async () => {
  const fetch = respondWith(storedOffer);
  stopBotCheck();
  const { provider } = $calls.get() ?? assert.fail();
  $calls.set({ provider: { ...provider, boundToDomain: true }, sendOffer });
  selectForBotCheck('lap.app');
  startBotCheck({} as HTMLElement);
  botCheck.ready('bound');
  await submitOffer({ ...fields, domain_name: 'sample.app' });
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
  assert.equal(fetch.mock.callCount(), 0);
  await submitOffer(fields);
  assert.equal($offer.get().status, 'submitted');
});

test('nothing is sent without a domain', async () => {
  const fetch = respondWith(storedOffer);
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
  failWithoutResponse();
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });

  mock.restoreAll();
  respondWith(storedOffer);
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
    const stored = respondWith(storedOffer);
    botCheck.ready('fresh');
    await submitOffer(fields);
    assert.deepEqual(tokensOf(stored), ['token']);
    assert.equal($offer.get().status, 'submitted');

    mock.restoreAll();
    startOver();
    const meant = respondWith(storedOffer);
    botCheck.ready('third');
    await submitOffer(fields);
    assert.deepEqual(tokensOf(meant), ['third'], 'the same once more, after its thanks, is another offer');
  });
}

test('an offer whose page was reloaded before its response is sent with its first token', async () => {
  const offer = { ...fields, offer_amount: 'reloaded' };
  const { promise: reloaded, resolve: reload } = Promise.withResolvers<void>();
  const unheard = mock.method(globalThis, 'fetch', () => {
    reload();
    return new Promise<Response>(() => {});
  });
  const pageOf = (name: string): Promise<typeof import('./offer.ts')> => import(`./offer.ts?${name}`);
  const former = await pageOf('former');
  void former.submitOffer(offer);
  await reloaded;
  assert.equal(unheard.mock.callCount(), 1);

  mock.restoreAll();
  const fetch = respondWith(storedOffer);
  botCheck.ready('fresh');
  const later = await pageOf('later');
  await later.submitOffer(offer);
  assert.deepEqual(tokensOf(fetch), ['token']);
  assert.ok(!storage.get('unconfirmed')?.includes('reloaded'));
});

test('a fresh token replaces a rejected first one', async () => {
  failWithoutResponse();
  await submitOffer(fields);

  mock.restoreAll();
  const rejected = () => Response.json({ error: 'Too old.', code: 'bot_check_expired' }, { status: 400 });
  const responses = [rejected, storedOffer];
  const fetch = respondWith(() => (responses.shift() ?? storedOffer)());
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
  failWithoutResponse();
  await submitOffer(fields);

  mock.restoreAll();
  const fetch = respondWith(storedOffer);
  botCheck.ready('fresh');
  await submitOffer({ ...fields, offer_amount: 'more' });
  assert.deepEqual(tokensOf(fetch), ['fresh']);
});

test('a token of another domain is not used', async () => {
  stopBotCheck();
  const provider: BotCheckProvider = {
    boundToDomain: true,
    start(_host, report) {
      report.ready('for sample.app');
      return { renew() {}, stop() {} };
    },
  };
  $calls.set({ provider, sendOffer });
  startBotCheck({} as HTMLElement, 'sample.app');
  const fetch = respondWith(storedOffer);
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
  assert.equal(fetch.mock.callCount(), 0);
});

/** No request gets a response, and the pauses before its repetitions are over at once. */
function failWithoutResponse(): void {
  const wait = globalThis.setTimeout;
  mock.method(globalThis, 'setTimeout', (callback: () => void, ms: number) =>
    wait(callback, ms > 2_000 ? ms : 0),
  );
  respondWith(() => {
    throw new TypeError('network');
  });
}

function tokensOf({ mock: { calls } }: ReturnType<typeof respondWith>): string[] {
  return calls.map(({ arguments: [, init] }) => JSON.parse(String(init?.body)).turnstile_token);
}

function respondWith(response: () => Response) {
  return mock.method(globalThis, 'fetch', async (_url: string | URL | Request, _init?: RequestInit) =>
    response(),
  );
}
