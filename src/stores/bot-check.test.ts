import '../api/settings.stub.ts';
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { BotCheckProvider, BotCheckReport } from '../api/bot-check/provider.ts';

const { $botCheck, renewBotCheck, startBotCheck, stopBotCheck } = await import('./bot-check.ts');

const host = {} as HTMLElement;
let reports: BotCheckReport[] = [];
let calls: string[] = [];

const provider: BotCheckProvider = {
  start(_host, report) {
    reports.push(report);
    calls.push('start');
    return { renew: () => calls.push('renew'), stop: () => calls.push('stop') };
  },
};
const load = async () => provider;

beforeEach(() => {
  stopBotCheck();
  reports = [];
  calls = [];
});

test('it waits for the first contact, then works, then has a token', async () => {
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  await startBotCheck(host, load);
  assert.deepEqual($botCheck.get(), { status: 'working' });
  reports[0]?.ready('token');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'token' });
});

test('further contacts start nothing', async () => {
  await Promise.all([startBotCheck(host, load), startBotCheck(host, load)]);
  reports[0]?.ready('token');
  await startBotCheck(host, load);
  assert.deepEqual(calls, ['start']);
});

test('an expired token is gone until the next one', async () => {
  await startBotCheck(host, load);
  reports[0]?.ready('old');
  reports[0]?.expired();
  assert.deepEqual($botCheck.get(), { status: 'working' });
  reports[0]?.ready('new');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'new' });
});

test('a used token is gone at once, and a fresh one is asked for', async () => {
  await startBotCheck(host, load);
  reports[0]?.ready('used');
  renewBotCheck();
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start', 'renew']);
});

test('a failure shows, and the next contact tries again', async () => {
  await startBotCheck(host, load);
  reports[0]?.failed();
  assert.deepEqual($botCheck.get(), { status: 'failed' });
  await startBotCheck(host, load);
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start', 'renew']);
});

test('a provider that does not load is a failure, too', async () => {
  await startBotCheck(host, () => Promise.reject(new Error('no such chunk')));
  assert.deepEqual($botCheck.get(), { status: 'failed' });
  await startBotCheck(host, load);
  assert.deepEqual(calls, ['start']);
});

test('after the end nothing is heard of it any more', async () => {
  await startBotCheck(host, load);
  stopBotCheck();
  reports[0]?.ready('late');
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  assert.deepEqual(calls, ['start', 'stop']);
});

test('an end while the provider is loading starts nothing', async () => {
  const started = startBotCheck(host, load);
  stopBotCheck();
  await started;
  assert.deepEqual(calls, []);
  assert.deepEqual($botCheck.get(), { status: 'idle' });
});
