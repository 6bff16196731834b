import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { BotCheckProvider, BotCheckReport } from '../api/bot-check/provider.ts';
import type { OfferResult } from '../api/order-submit.ts';

const page = new EventTarget();
const storage = new Map<string, string>();
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  sessionStorage: {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  },
});

const { startBotCheck, stopBotCheck } = await import('./bot-check.ts');
const { $calls } = await import('./calls.ts');
const { $offer, startOver } = await import('./offer.ts');
const { $selected, selectDomain } = await import('./selection.ts');
const { $press, endPress, pressOffer, restorePress, storePress, takePressBack } = await import('./press.ts');

/** With another amount in each test: offers without a response are remembered. */
const fields = {
  domain_name: 'lap.app',
  offer_amount: '',
  customer_name: 'Ada',
  customer_email: 'ada@example.com',
};
const LIFETIME_MS = 15 * 60_000;

let botCheck: BotCheckReport;
/** The tokens sent, and the result of each request; `hold` answers one. */
let tokens: string[] = [];
let result: OfferResult = { status: 'stored' };
let gate: PromiseWithResolvers<void> | undefined;

beforeEach(() => {
  fields.offer_amount += '1';
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 });
  const provider: BotCheckProvider = {
    boundToDomain: false,
    start(_host, report) {
      botCheck = report;
      return { renew() {}, stop() {} };
    },
  };
  $calls.set({
    provider,
    async sendOffer({ turnstile_token }) {
      tokens.push(turnstile_token);
      await gate?.promise;
      return result;
    },
  });
  startBotCheck({} as HTMLElement);
  tokens = [];
  result = { status: 'stored' };
  gate = undefined;
});
afterEach(() => {
  endPress();
  stopBotCheck();
  startOver();
  $selected.set(null);
  storage.clear();
  mock.timers.reset();
});

test('a press with a token is sent at once, and ends with its result', async () => {
  botCheck.ready('token');
  press();
  assert.deepEqual($press.get(), { status: 'waiting', tries: 1, retryAt: 0 });
  await settle();
  assert.deepEqual(tokens, ['token']);
  assert.equal($offer.get().status, 'submitted');
  assert.equal($press.get(), undefined);

  startOver();
  result = { status: 'rejected', rejection: { error: 'Sorry.', code: 'unknown_domain' } };
  botCheck.ready('other');
  press();
  await settle();
  assert.equal($offer.get().status, 'failed');
  assert.equal($press.get(), undefined, 'a response is the end, too');
});

test('a press waits for the bot check over each of its failures', async () => {
  press();
  for (const retryAt of [1_005_000, 1_015_000]) botCheck.failed(retryAt);
  botCheck.expired();
  assert.equal($press.get()?.status, 'waiting');
  botCheck.ready('token');
  await settle();
  assert.deepEqual(tokens, ['token']);
  assert.equal($offer.get().status, 'submitted');
});

test('a browser that cannot do the check ends a press', () => {
  press();
  botCheck.unsupported();
  assert.equal($press.get(), undefined);
});

test('a request that failed is sent again with its token, after pauses that grow', async () => {
  result = { status: 'unexpected' };
  botCheck.ready('first');
  press();
  const pauses: number[] = [];
  for (const token of ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']) {
    await settle();
    assert.deepEqual($offer.get(), { status: 'failed', reason: 'unexpected' });
    const state = $press.get();
    assert.ok(state?.status === 'waiting');
    const pauseMs = state.retryAt - Date.now();
    pauses.push(pauseMs / 1_000);
    botCheck.ready(token);
    const before = tokens.length;
    mock.timers.tick(pauseMs - 1);
    assert.equal(tokens.length, before, 'not earlier');
    mock.timers.tick(1);
    assert.equal(tokens.length, before + 1, 'by itself');
    assert.equal($offer.get().status, 'submitting');
  }
  await settle();
  assert.deepEqual(pauses, [5, 10, 20, 40, 60, 60]);
  assert.deepEqual([...new Set(tokens)], ['first']);

  result = { status: 'stored' };
  // The pause is over before there is a token.
  mock.timers.tick(60_000);
  assert.equal(tokens.length, 7);
  botCheck.ready('eighth');
  await settle();
  assert.deepEqual([...new Set(tokens)], ['first']);
  assert.equal($offer.get().status, 'submitted');
  assert.equal($press.get(), undefined);
  assert.equal(storage.has('press'), false);
});

test('a request that failed is sent again at once when the browser comes online, and only that', async () => {
  result = { status: 'unexpected' };
  page.dispatchEvent(new Event('online'));
  assert.equal($press.get(), undefined);
  botCheck.ready('first');
  press();
  await settle();
  botCheck.ready('second');
  result = { status: 'stored' };
  page.dispatchEvent(new Event('online'));
  await settle();
  assert.deepEqual(tokens, ['first', 'first']);
  page.dispatchEvent(new Event('online'));
  await settle();
  assert.equal(tokens.length, 2);
});

for (const [what, edit] of [
  ['editing a field', () => endPress('changed')],
  [
    'another card',
    () => {
      selectDomain({ name: 'sample.app' });
      endPress('changed');
    },
  ],
  ['15 minutes', () => mock.timers.tick(LIFETIME_MS)],
] as const) {
  const reason = what === '15 minutes' ? 'late' : 'changed';

  test(`${what} before a request ends a press, with a message`, async () => {
    press();
    botCheck.failed(1_005_000);
    edit();
    assert.deepEqual($press.get(), { status: reason });
    storePress();
    assert.equal(storage.has('press'), false);
    botCheck.ready('token');
    await settle();
    assert.deepEqual(tokens, []);
  });

  test(`${what} after a request that failed ends a press, and no message says that nothing was sent`, async () => {
    result = { status: 'unexpected' };
    botCheck.ready('token');
    press();
    await settle();
    edit();
    assert.deepEqual($press.get(), { status: 'left' });
    botCheck.ready('other');
    mock.timers.tick(60_000);
    await settle();
    assert.deepEqual(tokens, ['token']);
  });

  test(`${what} during a request that fails ends a press`, async () => {
    result = { status: 'unexpected' };
    botCheck.ready('token');
    gate = Promise.withResolvers();
    press();
    edit();
    if (what !== '15 minutes') assert.deepEqual($press.get(), { status: 'left' });
    gate.resolve();
    await settle();
    botCheck.ready('other');
    mock.timers.tick(60_000);
    await settle();
    assert.deepEqual(tokens, ['token']);
    assert.deepEqual($press.get(), { status: 'left' });
  });
}

test('a press that a sleeping device carries out an hour later sends nothing', async () => {
  press();
  mock.timers.setTime(1_000_000 + 3_600_000);
  botCheck.ready('token');
  await settle();
  assert.deepEqual(tokens, []);
  assert.deepEqual($press.get(), { status: 'late' });
});

test('a press that becomes too old during a longer pause says so at its end', async () => {
  result = { status: 'unexpected' };
  botCheck.ready('first');
  pressOffer(fields, 'lap.app', Date.now() + 10);
  await settle();
  mock.timers.tick(10);
  assert.deepEqual($press.get(), { status: 'left' });
});

test('another press during the pause sends at once', async () => {
  result = { status: 'unexpected' };
  botCheck.ready('first');
  press();
  await settle();
  botCheck.ready('second');
  press();
  await settle();
  assert.deepEqual(tokens, ['first', 'first']);
});

test('two presses send one offer, and an edit after them does not say that nothing was sent', async () => {
  botCheck.ready('token');
  press();
  press();
  await settle();
  botCheck.ready('other');
  await settle();
  assert.deepEqual(tokens, ['token']);

  startOver();
  gate = Promise.withResolvers();
  press();
  press();
  endPress('changed');
  assert.deepEqual($press.get(), { status: 'left' });
  gate.resolve();
  await settle();
});

test('a press whose token expired in use waits for the next one', async () => {
  result = { status: 'unexpected' };
  botCheck.ready('first');
  press();
  await settle();
  botCheck.ready('second');
  gate = Promise.withResolvers();
  mock.timers.tick(5_000);
  result = { status: 'rejected', rejection: { error: 'Too old.', code: 'bot_check_expired' } };
  botCheck.expired();
  gate.resolve();
  await settle();
  assert.equal($press.get()?.status, 'waiting');
  assert.equal($offer.get().status, 'editing');
  result = { status: 'stored' };
  botCheck.ready('third');
  await settle();
  assert.deepEqual(tokens, ['first', 'first', 'third']);
  assert.equal($offer.get().status, 'submitted');
});

test('a press that was stored is restored once, with its token and its end', async () => {
  result = { status: 'unexpected' };
  botCheck.ready('first');
  press();
  await settle();
  storePress();
  const stored = storage.get('press') ?? '';
  // As a page of its own would.
  storage.delete('press');
  takePressBack();
  assert.equal($press.get(), undefined, 'taken by another page');

  startOver();
  const restore = (others = {}) => {
    storage.set('press', stored);
    return restorePress(() => ({ ...fields, ...others }));
  };
  assert.equal(restore({ offer_amount: 'more' }), undefined);
  assert.equal(restore({ domain_name: 'sample.app' }), undefined);
  assert.equal(storage.has('press'), false);
  assert.equal($press.get(), undefined);
  assert.equal(restore(), 1_000_000 + LIFETIME_MS);
  assert.equal(storage.has('press'), false);
  assert.equal(
    restorePress(() => fields),
    undefined,
    'nothing is stored any more',
  );
  result = { status: 'stored' };
  botCheck.ready('second');
  await settle();
  assert.deepEqual(tokens, ['first', 'first']);
  assert.equal($offer.get().status, 'submitted');

  startOver();
  restore();
  endPress('changed');
  assert.deepEqual(
    $press.get(),
    { status: 'left' },
    'what was sent before the reload is not said to be unsent',
  );
});

test('a page that was hidden goes on with its press, and one that ended leaves nothing behind', async () => {
  press();
  storePress();
  takePressBack();
  assert.equal($press.get()?.status, 'waiting');
  assert.equal(storage.has('press'), false);
  storePress();
  botCheck.ready('token');
  await settle();
  assert.equal($offer.get().status, 'submitted');
  assert.equal(storage.has('press'), false);
});

test('a press that became too old while the page was hidden says so when the page is visible again', () => {
  press();
  storePress();
  mock.timers.tick(LIFETIME_MS);
  takePressBack();
  assert.deepEqual($press.get(), { status: 'late' });
});

function press(): void {
  pressOffer(fields, 'lap.app', Date.now() + LIFETIME_MS);
}

/** Lets what was started go on, without the time. */
function settle(): Promise<void> {
  return new Promise(setImmediate);
}
