import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
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
  startBotCheck({} as HTMLElement, {
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

test('an offer goes from editing over submitting to submitted, and its token is given up', async () => {
  answering(receipt);
  const sent = submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'submitting' });
  await sent;
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'lap.app' });
  assert.deepEqual($botCheck.get(), { status: 'working' });
});

test('an offer for a name in letters of its own goes out for its address, and is thanked for as it is read', async () => {
  const fetch = answering(receipt);
  await submitOffer({ ...fields, domain_name: 'xn--mnchen-3ya.example' }, 'münchen.example');
  assert.deepEqual($offer.get(), { status: 'submitted', domain: 'münchen.example' });
  const [, init] = fetch.mock.calls[0]?.arguments ?? [];
  assert.equal(JSON.parse(String(init?.body)).domain_name, 'xn--mnchen-3ya.example');
});

test('two clicks send one offer', async () => {
  const fetch = answering(receipt);
  await Promise.all([submitOffer(fields), submitOffer(fields)]);
  await submitOffer(fields);
  assert.equal(fetch.mock.callCount(), 1);
});

test('without a token nothing is sent', async () => {
  const fetch = answering(receipt);
  botCheck.expired();
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
  assert.equal(fetch.mock.callCount(), 0);
});

test('without a domain nothing is sent', async () => {
  const fetch = answering(receipt);
  await submitOffer({ ...fields, domain_name: '' });
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'no-domain' });
  assert.equal(fetch.mock.callCount(), 0);
});

test('a refusal keeps the function’s sentence, code and field, and asks for a fresh token', async () => {
  const refusal = { error: 'Please fill in your name.', code: 'missing', field: 'customer_name' };
  answering(() => Response.json(refusal, { status: 400 }));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), {
    status: 'failed',
    reason: 'refused',
    code: 'missing',
    field: 'customer_name',
    error: 'Please fill in your name.',
  });
  assert.deepEqual($botCheck.get(), { status: 'working' });
});

test('a refusal without a sentence is a refusal all the same', async () => {
  answering(() => Response.json({}, { status: 500 }));
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'refused' });
});

test('no network is told, and the next attempt may succeed', async () => {
  answering(() => {
    throw new TypeError('network');
  });
  await submitOffer(fields);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });

  mock.restoreAll();
  answering(receipt);
  botCheck.ready('fresh');
  await submitOffer(fields);
  assert.equal($offer.get().status, 'submitted');
});

for (const [story, answer] of [
  ['nothing', () => Response.error()],
  ['an excuse', () => Response.json({ error: 'Later.', code: 'unavailable' }, { status: 500 })],
  ['a fault', () => Response.json({ error: 'Sorry.', code: 'internal' }, { status: 500 })],
  [
    'the word of a server in between',
    () => Response.json({ code: 'TIMEOUT', message: '…' }, { status: 546 }),
  ],
] as const) {
  test(`an offer that was answered by ${story} goes out with its first token, so that it is stored once`, async () => {
    const unheard = answering(answer);
    await submitOffer(fields);
    assert.deepEqual([...new Set(tokensOf(unheard))], ['token']);

    mock.restoreAll();
    const stored = answering(receipt);
    botCheck.ready('fresh');
    await submitOffer(fields);
    assert.deepEqual(tokensOf(stored), ['token']);
    assert.equal($offer.get().status, 'submitted');

    mock.restoreAll();
    startOver();
    const meant = answering(receipt);
    botCheck.ready('third');
    await submitOffer(fields);
    assert.deepEqual(tokensOf(meant), ['third'], 'the same once more, after its thanks, is another offer');
  });
}

test('where the first token is refused, a fresh one takes its place', async () => {
  answering(() => {
    throw new TypeError('network');
  });
  await submitOffer(fields);

  mock.restoreAll();
  const refused = () => Response.json({ error: 'Too old.', code: 'bot_check_expired' }, { status: 400 });
  const answers = [refused, receipt];
  const fetch = answering(() => (answers.shift() ?? receipt)());
  botCheck.ready('fresh');
  await submitOffer(fields);
  assert.deepEqual(tokensOf(fetch), ['token', 'fresh']);
  assert.equal($offer.get().status, 'submitted');
});

test('the fresh token is asked for again after that, because waiting may have taken longer than it is good for', async () => {
  answering(() => Response.error());
  await submitOffer(fields);

  mock.restoreAll();
  botCheck.ready('fresh');
  const fetch = answering(() => {
    botCheck.expired();
    return Response.json({ error: 'Too old.', code: 'bot_check_expired' }, { status: 400 });
  });
  await submitOffer(fields);
  assert.deepEqual(tokensOf(fetch), ['token']);
  assert.deepEqual($offer.get(), { status: 'failed', reason: 'bot-check-missing' });
});

test('another offer has nothing to do with one that was never answered for', async () => {
  answering(() => {
    throw new TypeError('network');
  });
  await submitOffer(fields);

  mock.restoreAll();
  const fetch = answering(receipt);
  botCheck.ready('fresh');
  await submitOffer({ ...fields, offer_amount: 'more' });
  assert.deepEqual(tokensOf(fetch), ['fresh']);
});

function tokensOf({ mock: { calls } }: ReturnType<typeof answering>): string[] {
  return calls.map(({ arguments: [, init] }) => JSON.parse(String(init?.body)).turnstile_token);
}

function answering(answer: () => Response) {
  return mock.method(globalThis, 'fetch', async (_url: string | URL | Request, _init?: RequestInit) =>
    answer(),
  );
}
