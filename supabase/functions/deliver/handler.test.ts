import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { checkResults } from '../_shared/call-database.ts';
import { type MessageSettings, readMessageSettings } from '../_shared/contract/message-settings.ts';
import { createLog } from '../_shared/log.ts';
import { DatabaseUnavailable, Rejection } from '../_shared/rejection.ts';
import { DELIVERY } from './delivery.fixture.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { createDeliver } from './handler.ts';

const CONFIGURED = {
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'offers@example.com',
  MAIL_TO: 'owner@example.com',
  NOTIFY_URL: 'https://hooks.example/a,https://hooks.example/b',
};
const SENT: Outcome = { status: 'sent', response: '250 fine' };

let log = '';
beforeEach(() => {
  mock.restoreAll();
  log = '';
  mock.method(console, 'log', (line: string) => {
    log += line;
  });
});

function settingsOf(env: Record<string, string>): MessageSettings {
  const read = readMessageSettings(env);
  assert.equal(read.problem, undefined);
  return read.settings;
}

function requestWith(body: unknown): Request {
  return new Request('http://localhost/functions/v1/deliver', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function deliver(
  body: unknown,
  { env = CONFIGURED as Record<string, string>, taken = [] as Delivery[] } = {},
) {
  const calls: [string, unknown][] = [];
  const batches = [taken];
  const handler = createDeliver({
    log: createLog(console),
    messages: settingsOf(env),
    send: async ({ kind }) =>
      kind === 'overdue' ? { status: 'failed', reason: 'no', permanent: true, responded: true } : SENT,
    callDatabase: checkResults(async (name, args: unknown) => {
      calls.push([name, args]);
      return name === 'acquire_messages' ? (batches.shift() ?? []) : 0;
    }),
  });
  return { result: await handler(requestWith(body)), calls };
}

const TAKE = ['acquire_messages', { max: 50, lease_seconds: 60, sent: [] }];
const REPORT = ['report_delivery', { mail: 1, webhooks: 2 }];
const OVERDUE = [
  'queue_overdue',
  { targets: ['mailto:owner@example.com', 'https://hooks.example/a', 'https://hooks.example/b'] },
];

test('reports the settings, queues alarms, takes and sends, and counts', async () => {
  const taken: Delivery[] = [
    { ...DELIVERY, ids: [1, 2] },
    { ...DELIVERY, ids: [3], kind: 'overdue' },
  ];
  const { result, calls } = await deliver({}, { taken });
  assert.deepEqual(result, { status: 200, body: { sent: 2, failed: 1, queued: 0 } });
  assert.deepEqual(calls.slice(0, 3), [REPORT, OVERDUE, TAKE]);
});

test('makes failed messages due only when it is asked to', async () => {
  assert.deepEqual((await deliver({ retry: true })).calls, [
    ['make_messages_due', {}],
    REPORT,
    OVERDUE,
    TAKE,
  ]);
  assert.deepEqual((await deliver({ retry: false })).calls, [REPORT, OVERDUE, TAKE]);
});

test('without settings it reports that, and queues no alarms', async () => {
  const { calls } = await deliver({}, { env: {} });
  assert.deepEqual(calls, [['report_delivery', { mail: 0, webhooks: 0 }], TAKE]);
});

test('rejects a body of another shape before any call of the database', async () => {
  for (const body of [{ retry: 1 }, { again: true }]) {
    await assert.rejects(deliver(body), (error) => error instanceof Rejection && error.code === 'malformed');
  }
});

test('logs kinds and counts without targets, and nothing where nothing was due', async () => {
  await deliver({});
  assert.equal(log, '');
  await deliver({}, { taken: [DELIVERY] });
  const { time: _, ...line } = JSON.parse(log) as Record<string, unknown>;
  assert.deepEqual(line, {
    event: 'messages',
    function: 'deliver',
    offer: { sent: 1, failed: 0, queued: 0 },
  });
});

test('settings are reported and overdue offers looked for once a minute, however often messages are delivered', async () => {
  let time = 0;
  const called: string[] = [];
  const handler = createDeliver({
    log: createLog(console),
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      return name === 'acquire_messages' ? [] : 0;
    }),
    now: () => time,
  });
  const checks = () =>
    ['report_delivery', 'queue_overdue'].map((name) => called.filter((one) => one === name).length);
  for (let offers = 0; offers < 3; offers += 1) await handler(requestWith({}));
  assert.deepEqual(checks(), [1, 1]);
  time = 60_000;
  await handler(requestWith({}));
  assert.deepEqual(checks(), [2, 2]);
});

test('alarms that could not be queued are queued by the next delivery, not a minute later', async () => {
  const called: string[] = [];
  const handler = createDeliver({
    log: createLog(console),
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      if (called.length === 2) throw new DatabaseUnavailable(name);
      return name === 'acquire_messages' ? [] : 0;
    }),
    now: () => 0,
  });
  await assert.rejects(handler(requestWith({})), DatabaseUnavailable);
  await handler(requestWith({}));
  await handler(requestWith({}));
  assert.deepEqual(called, [
    'report_delivery',
    'queue_overdue',
    'report_delivery',
    'queue_overdue',
    'acquire_messages',
    'acquire_messages',
  ]);
});

test('one delivery at a time: calls during one are delivered together after it, the retry too', async () => {
  const called: string[] = [];
  const taken = Promise.withResolvers<Delivery[]>();
  const handler = createDeliver({
    log: createLog(console),
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      return name === 'acquire_messages' ? await taken.promise : 0;
    }),
    now: () => 0,
  });
  const first = handler(requestWith({}));
  await new Promise(setImmediate);
  const later = [{}, { retry: true }, {}].map((body) => handler(requestWith(body)));
  await new Promise(setImmediate);
  assert.deepEqual(called, ['report_delivery', 'queue_overdue', 'acquire_messages']);
  taken.resolve([]);
  await Promise.all([first, ...later]);
  // A retry takes leases back: never from a delivery under way.
  assert.deepEqual(called.slice(3), ['make_messages_due', 'acquire_messages']);
});

test('a retry that fails is made by the next delivery', async () => {
  const called: string[] = [];
  const handler = createDeliver({
    log: createLog(console),
    messages: settingsOf(CONFIGURED),
    send: async () => SENT,
    callDatabase: checkResults(async (name) => {
      called.push(name);
      if (called.length === 1) throw new DatabaseUnavailable(name);
      return name === 'acquire_messages' ? [] : 0;
    }),
  });
  await assert.rejects(handler(requestWith({ retry: true })), DatabaseUnavailable);
  await handler(requestWith({}));
  assert.deepEqual(called.slice(0, 2), ['make_messages_due', 'make_messages_due']);
});
