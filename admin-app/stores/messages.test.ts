import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { MessageStatus, MessageStatusApi } from '../api/message-status.ts';
import { createMessages, type Messages } from './messages.ts';

beforeEach(() => {
  mock.restoreAll();
  mock.method(console, 'error', () => {});
});

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

function messagesOf(status: Partial<MessageStatus> | 'unavailable' = {}) {
  const api = {
    readMessageStatus: mock.fn<MessageStatusApi['readMessageStatus']>(async () =>
      status === 'unavailable' ? status : { ...SENT, ...status },
    ),
    retryMessages: mock.fn<MessageStatusApi['retryMessages']>(async () => 2),
    dismissMessage: mock.fn<MessageStatusApi['dismissMessage']>(async () => 1),
  };
  const onRetried = mock.fn();
  const { signal } = new AbortController();
  const messages = createMessages(api, onRetried);
  return { ...messages, api, onRetried, check: () => messages.checkMessages(signal) };
}

const failure = { reason: REASON, target_kind: 'mail', retry_at: RETRY_AT } as const;
const GIVEN_UP = {
  id: 7,
  kind: 'offer',
  domain: 'lap.app',
  offers: 1,
  reason: '550 no such user',
  target_kind: 'mail',
} as const;
const CASES: [title: string, status: Partial<MessageStatus>, shown: Messages][] = [
  ['nothing is configured', { mail: 0, webhooks: 0 }, { status: 'off' }],
  ['nothing is configured any more', { mail: 0, last_failure: failure }, { status: 'off' }],
  ['all is sent', {}, { status: 'sent', lastSentAt: SENT.last_sent_at ?? undefined }],
  ['nothing was sent yet', { sent: 0, last_sent_at: null }, { status: 'sent', lastSentAt: undefined }],
  ['messages are on the way', { webhooks: 1, queued: 2 }, { status: 'sending', queued: 2 }],
  [
    'a first try failed',
    { queued: 2, last_failure: failure },
    { status: 'failing', unsent: 2, reason: REASON, targetKind: 'mail', retryAt: RETRY_AT, failures: [] },
  ],
  [
    'a message is given up',
    { failed: 1, last_failure: { ...failure, target_kind: 'webhook', retry_at: null } },
    { status: 'failing', unsent: 1, reason: REASON, targetKind: 'webhook', retryAt: undefined, failures: [] },
  ],
  [
    'a message is given up while others are tried again',
    { queued: 1, failed: 1, last_failure: failure, failures: [GIVEN_UP] },
    {
      status: 'failing',
      unsent: 2,
      reason: REASON,
      targetKind: 'mail',
      retryAt: RETRY_AT,
      failures: [GIVEN_UP],
    },
  ],
  ['messages are paused by a restore', { paused: 4, queued: 1 }, { status: 'paused', paused: 4 }],
];
for (const [title, status, shown] of CASES) {
  test(`shows that ${title}`, async () => {
    const { $messages, check } = messagesOf(status);
    assert.deepEqual($messages.get(), { status: 'checking' });
    await check();
    assert.deepEqual($messages.get(), shown);
  });
}

test('a server without the function is called once, and nothing is shown', async () => {
  const { $messages, check, api } = messagesOf('unavailable');
  await check();
  await check();
  assert.deepEqual($messages.get(), { status: 'unknown' });
  assert.equal(api.readMessageStatus.mock.callCount(), 1);
});

test('a failed check is reported to the poller and leaves what was known', async () => {
  const { $messages, check, api } = messagesOf();
  const fail = () => Promise.reject(new Error('offline'));
  api.readMessageStatus.mock.mockImplementationOnce(fail);
  await assert.rejects(check(), /offline/);
  assert.deepEqual($messages.get(), { status: 'unknown' });
  await check();
  api.readMessageStatus.mock.mockImplementationOnce(fail);
  await assert.rejects(check(), /offline/);
  assert.equal($messages.get().status, 'sent');
});

test('the same status is not shown anew', async () => {
  const { $messages, check } = messagesOf();
  await check();
  const changes = mock.fn();
  $messages.listen(changes);
  await check();
  assert.equal(changes.mock.callCount(), 0);
});

test('Retry calls the server once at a time, then checks again', async () => {
  const { $retry, check, retryMessages, api, onRetried } = messagesOf({ failed: 1, last_failure: failure });
  await check();
  const response = Promise.withResolvers<number>();
  api.retryMessages.mock.mockImplementationOnce(() => response.promise);
  const retrying = retryMessages();
  await retryMessages();
  assert.equal($retry.get(), 'retrying');
  assert.equal(onRetried.mock.callCount(), 0);
  response.resolve(1);
  await retrying;
  assert.equal($retry.get(), 'queued');
  assert.equal(api.retryMessages.mock.callCount(), 1);
  assert.equal(onRetried.mock.callCount(), 1);
});

test('after Retry the messages are queued until their next try has failed or sent them', async () => {
  for (const after of [{ failed: 1, last_failure: failure }, {}]) {
    const { $retry, check, retryMessages, api } = messagesOf({ failed: 1, last_failure: failure });
    await check();
    await retryMessages();
    api.readMessageStatus.mock.mockImplementation(async () => ({ ...SENT, queued: 1 }));
    await check();
    assert.equal($retry.get(), 'queued');
    api.readMessageStatus.mock.mockImplementation(async () => ({ ...SENT, ...after }));
    await check();
    assert.equal($retry.get(), 'idle');
  }
});

test('a failed Retry is shown until it is tried again or no longer needed', async () => {
  const { $retry, check, retryMessages, api } = messagesOf({ failed: 1, last_failure: failure });
  await check();
  const fail = () => Promise.reject(new Error('offline'));
  api.retryMessages.mock.mockImplementation(fail);
  await retryMessages();
  assert.equal($retry.get(), 'failed');
  api.readMessageStatus.mock.mockImplementation(async () => SENT);
  await check();
  assert.equal($retry.get(), 'idle');
});

test('Dismiss calls the server, then checks again; a failed one changes nothing', async () => {
  const { $messages, check, dismissMessage, api, onRetried } = messagesOf({
    failed: 1,
    failures: [GIVEN_UP],
  });
  await check();
  await dismissMessage(7);
  assert.deepEqual(api.dismissMessage.mock.calls[0]?.arguments, [7]);
  assert.equal(onRetried.mock.callCount(), 1);
  api.dismissMessage.mock.mockImplementation(() => Promise.reject(new Error('offline')));
  await dismissMessage(7);
  assert.equal($messages.get().status, 'failing');
  assert.equal(onRetried.mock.callCount(), 1);
});

test('offers whose confirmation was rejected are known until signing out', async () => {
  const { $messages, $rejectedConfirmations, check, forgetMessages } = messagesOf({
    rejected_confirmations: ['a', 'b'],
  });
  const changes = mock.fn();
  await check();
  $rejectedConfirmations.listen(changes);
  await check();
  assert.deepEqual([...$rejectedConfirmations.get()], ['a', 'b']);
  assert.equal(changes.mock.callCount(), 0);
  assert.equal($messages.get().status, 'sent', 'no fault');
  forgetMessages();
  assert.equal($rejectedConfirmations.get().size, 0);
});

test('responses after signing out are dropped', async () => {
  const { $messages, $retry, api, checkMessages, retryMessages, forgetMessages } = messagesOf();
  const polling = new AbortController();
  const status = Promise.withResolvers<MessageStatus>();
  const retried = Promise.withResolvers<number>();
  api.readMessageStatus.mock.mockImplementationOnce(() => status.promise);
  api.retryMessages.mock.mockImplementationOnce(() => retried.promise);
  const late = [checkMessages(polling.signal), retryMessages()];
  polling.abort();
  forgetMessages();
  status.resolve(SENT);
  retried.reject(new Error('offline'));
  await Promise.all(late);
  assert.deepEqual($messages.get(), { status: 'checking' });
  assert.equal($retry.get(), 'idle');
});
