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

beforeEach(() => {
  stopBotCheck();
  reports = [];
  calls = [];
});

test('it waits for the first contact, then works, then has a token', () => {
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  startBotCheck(host, provider);
  assert.deepEqual($botCheck.get(), { status: 'working' });
  reports[0]?.ready('token');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'token' });
});

test('further contacts start nothing', () => {
  startBotCheck(host, provider);
  startBotCheck(host, provider);
  reports[0]?.ready('token');
  startBotCheck(host, provider);
  assert.deepEqual(calls, ['start']);
});

test('an expired token is gone until the next one', () => {
  startBotCheck(host, provider);
  reports[0]?.ready('old');
  reports[0]?.expired();
  assert.deepEqual($botCheck.get(), { status: 'working' });
  reports[0]?.ready('new');
  assert.deepEqual($botCheck.get(), { status: 'ready', token: 'new' });
});

test('a used token is gone at once, and a fresh one is asked for', () => {
  startBotCheck(host, provider);
  reports[0]?.ready('used');
  renewBotCheck();
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start', 'renew']);
});

test('a failure shows, and the next contact tries again', () => {
  startBotCheck(host, provider);
  reports[0]?.failed();
  assert.deepEqual($botCheck.get(), { status: 'failed' });
  startBotCheck(host, provider);
  assert.deepEqual($botCheck.get(), { status: 'working' });
  assert.deepEqual(calls, ['start', 'renew']);
});

test('after the end nothing is heard of it any more', () => {
  startBotCheck(host, provider);
  stopBotCheck();
  reports[0]?.ready('late');
  assert.deepEqual($botCheck.get(), { status: 'idle' });
  assert.deepEqual(calls, ['start', 'stop']);
});
