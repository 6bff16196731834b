import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { BotCheckProvider, BotCheckReport } from '../api/bot-check/provider.ts';

const page = new EventTarget();
Object.assign(globalThis, { addEventListener: page.addEventListener.bind(page) });

const { $botCheck, renewBotCheck, selectForBotCheck, startBotCheck, stopBotCheck } = await import(
  './bot-check.ts'
);
const { $calls } = await import('./calls.ts');
const { sendOffer } = await import('../api/order-submit.ts');

const host = {} as HTMLElement;
let reports: BotCheckReport[] = [];
let calls: string[] = [];

const providerOf = (boundToDomain: boolean): BotCheckProvider => ({
  boundToDomain,
  start(_host, report, domain = 'any') {
    reports.push(report);
    calls.push(`start ${domain}`);
    return {
      renew: (other = 'any') => calls.push(`renew ${other}`),
      stop: () => calls.push('stop'),
    };
  },
});
const provider = providerOf(true);

beforeEach(() => {
  stopBotCheck();
  $calls.set({ provider, sendOffer });
  reports = [];
  calls = [];
});

test('the bot check waits for the first contact, then works, then has a token', () => {
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  startBotCheck(host, 'lap.app');
  assert.deepEqual($botCheck.get(), { status: 'working' });
  reports[0]?.ready('token');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'token', domain: 'lap.app' });
  assert.deepEqual(calls, ['start lap.app']);
});

test('a check that is bound to a domain starts once one is selected', () => {
  startBotCheck(host);
  assert.deepEqual($botCheck.get(), { status: 'waiting' });
  assert.deepEqual(calls, []);
  selectForBotCheck('lap.app');
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start lap.app']);
});

test('a check that begins before its script is there works, and starts once it is', () => {
  $calls.set(undefined);
  startBotCheck(host, 'lap.app');
  selectForBotCheck('sample.app');
  assert.deepEqual($botCheck.get(), { status: 'working' });
  $calls.set({ provider, sendOffer });
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start sample.app']);
  stopBotCheck();
  $calls.set(undefined);
  startBotCheck(host);
  $calls.set({ provider, sendOffer });
  assert.deepEqual($botCheck.get(), { status: 'waiting' });
});

test('a domain selected before the first contact counts, and not that of the page', () => {
  selectForBotCheck('sample.app');
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  startBotCheck(host, 'lap.app');
  assert.deepEqual(calls, ['start sample.app']);
});

test('another domain renews the check, and its token is dropped at once', () => {
  startBotCheck(host, 'lap.app');
  reports[0]?.ready('token');
  selectForBotCheck('lap.app');
  assert.equal($botCheck.get().status, 'ready', 'the same domain again');
  selectForBotCheck('sample.app');
  assert.deepEqual($botCheck.get(), { status: 'working' });
  selectForBotCheck('lap.app');
  assert.deepEqual(calls, ['start lap.app', 'renew sample.app', 'renew lap.app']);
  reports[0]?.ready('other');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'other', domain: 'lap.app' });
});

test('a check that is good for any domain starts without one, and selecting one changes nothing', () => {
  $calls.set({ provider: providerOf(false), sendOffer });
  startBotCheck(host);
  selectForBotCheck('sample.app');
  reports[0]?.ready('token');
  selectForBotCheck('lap.app');
  startBotCheck(host, 'lap.app');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'token', domain: undefined });
  assert.deepEqual(calls, ['start any']);
});

test('further contacts start nothing', () => {
  startBotCheck(host, 'lap.app');
  startBotCheck(host, 'lap.app');
  reports[0]?.ready('token');
  startBotCheck(host, 'lap.app');
  assert.deepEqual(calls, ['start lap.app']);
});

test('an expired token is dropped until the next one', () => {
  startBotCheck(host, 'lap.app');
  reports[0]?.ready('old');
  reports[0]?.expired();
  assert.deepEqual($botCheck.get(), { status: 'working' });
  reports[0]?.ready('new');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'new', domain: 'lap.app' });
});

test('a used token is dropped at once, and a fresh one for the same domain is fetched', () => {
  startBotCheck(host, 'lap.app');
  reports[0]?.ready('used');
  renewBotCheck();
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start lap.app', 'renew lap.app']);
});

test('a failure shows, and the next contact retries', () => {
  startBotCheck(host, 'lap.app');
  reports[0]?.failed(5_000);
  assert.deepEqual($botCheck.get(), { status: 'failed', retryAt: 5_000 });
  startBotCheck(host, 'lap.app');
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start lap.app', 'renew lap.app']);
});

test('a check that failed is tried again at once when the browser comes online, and no other', () => {
  page.dispatchEvent(new Event('online'));
  startBotCheck(host, 'lap.app');
  page.dispatchEvent(new Event('online'));
  reports[0]?.ready('token');
  page.dispatchEvent(new Event('online'));
  assert.deepEqual(calls, ['start lap.app']);
  reports[0]?.failed(5_000);
  page.dispatchEvent(new Event('online'));
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start lap.app', 'renew lap.app']);
});

test('a stopped check reports nothing', () => {
  startBotCheck(host, 'lap.app');
  stopBotCheck();
  reports[0]?.ready('late');
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  assert.deepEqual(calls, ['start lap.app', 'stop']);
});

test('a check that this browser cannot do is not repeated at the next field', () => {
  startBotCheck(host, 'lap.app');
  reports[0]?.unsupported();
  startBotCheck(host, 'lap.app');
  assert.deepEqual($botCheck.get(), { status: 'unsupported' });
  assert.deepEqual(calls, ['start lap.app']);
});

test('a check that throws as it starts is reported as unsupported', () => {
  const broken: BotCheckProvider = {
    boundToDomain: true,
    start() {
      throw new ReferenceError('AbortController is not defined');
    },
  };
  $calls.set({ provider: broken, sendOffer });
  startBotCheck(host, 'lap.app');
  assert.deepEqual($botCheck.get(), { status: 'unsupported' });
});
