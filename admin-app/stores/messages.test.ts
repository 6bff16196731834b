import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MutationObserver } from '@tanstack/react-query';
import { describeProblem } from '#contract/server-problem.ts';
import type { Call } from '../api/call.ts';
import { settled } from './dashboard.fixture.ts';
import { createMessages, type MessageStatus, type Messages, messagesOf } from './messages.ts';
import { createSessionCache } from './session-cache.ts';

const SENT: MessageStatus = {
  mail: 1,
  webhooks: 0,
  queued: 0,
  failed: 0,
  sent: 3,
  last_sent_at: '2026-11-23T05:00:00+00:00',
  paused: 0,
  last_failure: null,
};
const REASON = '535 5.7.8 Authentication failed';
const RETRY_AT = '2026-11-23T06:00:00+00:00';

const failure = { reason: REASON, target_kind: 'mail', retry_at: RETRY_AT } as const;
const GIVEN_UP = {
  id: 7,
  kind: 'offer',
  domain: 'lap.app',
  offers: 1,
  reason: '550 no such user',
  target_kind: 'mail',
} as const;
const PROBLEM = {
  problem: 'The mail server smtp.x.example does not accept the login.',
  waiting: 2,
  next_try_at: RETRY_AT,
};
const CASES: [title: string, status: Partial<MessageStatus>, shown: Messages][] = [
  ['nothing is configured', { mail: 0, webhooks: 0 }, { status: 'off' }],
  ['nothing is configured any more', { mail: 0, last_failure: failure }, { status: 'off' }],
  ['all is sent', {}, { status: 'sent' }],
  ['messages are on the way', { webhooks: 1, queued: 2 }, { status: 'sending', queued: 2 }],
  [
    'a first try failed',
    { queued: 2, last_failure: failure },
    {
      status: 'failing',
      unsent: 2,
      problems: [],
      reason: REASON,
      targetKind: 'mail',
      retryAt: RETRY_AT,
      failures: [],
    },
  ],
  [
    'a message is given up',
    { failed: 1, last_failure: { ...failure, target_kind: 'webhook', retry_at: null } },
    {
      status: 'failing',
      unsent: 1,
      problems: [],
      reason: REASON,
      targetKind: 'webhook',
      retryAt: undefined,
      failures: [],
    },
  ],
  [
    'a message is given up, and none is tried again',
    { failed: 1, failures: [GIVEN_UP] },
    {
      status: 'failing',
      unsent: 1,
      problems: [],
      reason: undefined,
      targetKind: 'mail',
      retryAt: undefined,
      failures: [GIVEN_UP],
    },
  ],
  [
    'a message is given up while others are tried again',
    { queued: 1, failed: 1, last_failure: failure, failures: [GIVEN_UP] },
    {
      status: 'failing',
      unsent: 2,
      problems: [],
      reason: REASON,
      targetKind: 'mail',
      retryAt: RETRY_AT,
      failures: [GIVEN_UP],
    },
  ],
  [
    'a server takes no message',
    {
      queued: 12,
      last_failure: failure,
      problems: [
        { problem: 'The mail server x does not accept the login.', waiting: 12, next_try_at: RETRY_AT },
      ],
    },
    {
      status: 'failing',
      unsent: 12,
      problems: ['The mail server x does not accept the login. 12 messages wait.'],
      reason: REASON,
      targetKind: 'mail',
      retryAt: RETRY_AT,
      failures: [],
    },
  ],
  ['messages are paused by a restore', { paused: 4, queued: 1 }, { status: 'paused', paused: 4 }],
];
for (const [title, status, shown] of CASES) {
  test(`shows that ${title}`, () => assert.deepEqual(messagesOf({ ...SENT, ...status }), shown));
}

const NUMBERS = [0, 1, 3];
const LAST = [null, failure, { ...failure, target_kind: 'webhook', retry_at: null, reason: '' }] as const;
test('of several states the most urgent is shown: off, failing, paused, sending, sent', () => {
  const every = NUMBERS.flatMap((mail) =>
    NUMBERS.flatMap((webhooks) =>
      NUMBERS.flatMap((queued) =>
        NUMBERS.flatMap((failed) => NUMBERS.map((paused) => ({ mail, webhooks, queued, failed, paused }))),
      ),
    ),
  );
  for (const numbers of every)
    for (const last_failure of LAST)
      for (const failures of [undefined, [GIVEN_UP]])
        for (const problems of [undefined, [PROBLEM]]) {
          const { mail, webhooks, queued, failed, paused } = numbers;
          const lists = { ...(failures && { failures }), ...(problems && { problems }) };
          const status = { ...SENT, ...numbers, last_failure, ...lists };
          const shown = messagesOf(status);
          const what = JSON.stringify(status);
          if (mail === 0 && webhooks === 0) assert.deepEqual(shown, { status: 'off' }, what);
          else if (last_failure !== null || failed > 0 || problems) {
            const { reason, targetKind, retryAt, ...others } = shown as Extract<
              Messages,
              { status: 'failing' }
            >;
            const described = problems ? [describeProblem(PROBLEM)] : [];
            const list = { failures: failures ?? [], problems: described };
            assert.deepEqual(others, { status: 'failing', unsent: queued + failed, ...list }, what);
            const expected = {
              none: [undefined, 'mail', undefined],
              mail: [REASON, 'mail', RETRY_AT],
              webhook: [undefined, 'webhook', undefined],
            }[last_failure?.target_kind ?? 'none'];
            assert.deepEqual([reason, targetKind, retryAt], expected, what);
          } else if (paused > 0) assert.deepEqual(shown, { status: 'paused', paused }, what);
          else assert.deepEqual(shown, queued > 0 ? { status: 'sending', queued } : { status: 'sent' }, what);
        }
});

function statusOf() {
  mock.method(console, 'error', () => {});
  const api = {
    message_status: mock.fn(async () => SENT),
    retry_messages: mock.fn(async () => 2),
    dismiss_message: mock.fn(async (_: { id: number }) => 1),
  };
  const cache = createSessionCache(() => {});
  const { client } = cache;
  const { messagesQuery, ...mutations } = createMessages(
    ((name: keyof typeof api, args: { id: number }) => api[name](args)) as Call,
    cache,
  );
  const isOutdated = async () => {
    await settled();
    return client.getQueryState(messagesQuery.queryKey)?.isInvalidated;
  };
  client.setQueryData(messagesQuery.queryKey, SENT);
  return { ...mutations, api, client, isOutdated };
}

test('Retry and Dismiss call the server, then the status is read again', async () => {
  for (const act of ['retry', 'dismiss'] as const) {
    const { retryMessages, dismissMessage, api, client, isOutdated } = statusOf();
    if (act === 'retry') await new MutationObserver(client, retryMessages).mutate();
    else await new MutationObserver(client, dismissMessage).mutate(7);
    assert.deepEqual(
      api.dismiss_message.mock.calls[0]?.arguments,
      act === 'dismiss' ? [{ id: 7 }] : undefined,
    );
    assert.equal(api.retry_messages.mock.callCount(), act === 'retry' ? 1 : 0);
    assert.equal(await isOutdated(), true);
    client.clear();
  }
});

test('Retry fails where the call fails', async () => {
  const { retryMessages, api, client, isOutdated } = statusOf();
  api.retry_messages.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await assert.rejects(new MutationObserver(client, retryMessages).mutate(), /offline/);
  assert.equal(await isOutdated(), false);
  client.clear();
});

test('Dismiss that fails leaves the failure as it is', async () => {
  const { dismissMessage, api, client, isOutdated } = statusOf();
  api.dismiss_message.mock.mockImplementationOnce(() => Promise.reject(new Error('offline')));
  await assert.rejects(new MutationObserver(client, dismissMessage).mutate(7), /offline/);
  assert.equal(await isOutdated(), false);
  client.clear();
});
