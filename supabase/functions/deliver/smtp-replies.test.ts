/** What each reply of a mail server means for the message and for the others: a server on loopback gives each of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELIVERY, MAIL, SITE_URL } from './delivery.fixture.ts';
import type { Delivery } from './delivery.ts';
import { startScriptedSmtpServer } from './fake-smtp-server.ts';
import { createSendMail } from './send-mail.ts';
import { codesOf, type Stage } from './smtp-replies.ts';

const CONFIRMATION: Delivery = { ...DELIVERY, kind: 'confirmation', target: 'mailto:ada@x.example' };

/**
 * `server`: the others wait from the first message on; `suspect`: from the second different one on; `final`: not tried again;
 * `later`: this message is tried again.
 */
type Meaning = 'server' | 'suspect' | 'final' | 'later';

/** To a visitor's address a reply after RCPT TO or DATA is never of the server. */
const REPLIES: [stage: Stage, reply: string, toOwner: Meaning, toVisitor: Meaning, problem?: RegExp][] = [
  ['connection', '421 4.3.2 Service not available', 'server', 'server', /connection/],
  ['connection', '554 5.7.1 Your network is blocked', 'server', 'server', /connection/],
  ['login', '535 5.7.8 Username and Password not accepted', 'server', 'server', /the login/],
  [
    'login',
    '535 5.7.139 Authentication unsuccessful, basic authentication is disabled.',
    'server',
    'server',
    /the login/,
  ],
  [
    'login',
    '534-5.7.9 Application-specific password required.\r\n534 5.7.9 gsmtp',
    'server',
    'server',
    /the login/,
  ],
  ['login', '454 4.7.0 Too many login attempts', 'server', 'server', /the login/],
  ['login', '550 5.7.30 Basic authentication is not supported', 'server', 'server', /the login/],
  ['sender', '530 5.7.0 Authentication Required', 'server', 'server', /the login/],
  ['sender', '530 5.7.57 Client not authenticated to send mail', 'server', 'server', /the login/],
  ['sender', '550 5.1.8 Sender rejected', 'server', 'server', /the sender/],
  ['sender', '553 Sender address not owned by user', 'server', 'server', /the sender/],
  ['sender', '550 5.7.60 No permissions to send as this sender', 'server', 'server', /the sender/],
  ['sender', '550 5.4.5 Daily user sending limit exceeded', 'server', 'server', /a limit/],
  ['sender', '550 5.7.501 Service unavailable. Sender is banned', 'server', 'server', /the account/],
  ['sender', '451 4.7.500 Server busy', 'server', 'server', /for the moment/],
  ['sender', '421 4.7.0 Try again later', 'server', 'server', /for the moment/],
  ['sender', '552 5.3.4 Message too big', 'final', 'final'],
  ['recipient', '550 5.1.1 no such user', 'final', 'final'],
  ['recipient', '550 no such user', 'final', 'final'],
  ['recipient', '553 5.1.3 bad address', 'final', 'final'],
  ['recipient', '552 5.2.2 mailbox full', 'final', 'final'],
  ['recipient', '450 4.2.1 receiving too quickly', 'later', 'later'],
  ['recipient', '451 4.7.1 Greylisted', 'later', 'later'],
  ['recipient', '550 5.7.1 Relaying denied', 'suspect', 'final', /the messages/],
  ['recipient', '554 Relay access denied', 'suspect', 'final', /the messages/],
  ['recipient', '530 5.7.0 Authentication Required', 'suspect', 'later', /the login/],
  ['recipient', '550 5.4.5 Daily sending quota exceeded', 'suspect', 'later', /a limit/],
  ['recipient', '421 4.7.0 closing', 'suspect', 'later', /for the moment/],
  ['text', '554 5.7.1 message refused as spam', 'final', 'final'],
  ['text', '550 rejected', 'final', 'final'],
  ['text', '552 5.2.3 too large', 'final', 'final'],
  ['text', '554 5.6.0 malformed', 'final', 'final'],
  ['text', '452 4.3.1 Insufficient storage', 'later', 'later'],
  ['text', '550 5.7.60 SendAsDenied', 'suspect', 'later', /the sender/],
  ['text', '554 5.2.252 SendAsDenied', 'suspect', 'later', /the sender/],
  ['text', '550-5.7.26 Unauthenticated.\r\n550 5.7.26 gsmtp', 'suspect', 'later', /the sender/],
  ['text', '550 5.4.5 Daily user sending limit exceeded', 'suspect', 'later', /a limit/],
  ['text', '554 5.1.90 Daily limit reached', 'suspect', 'later', /a limit/],
  ['text', '454 Throttling failure: Daily message quota exceeded', 'suspect', 'later', /a limit/],
  ['text', '550 5.7.708 Access denied, traffic not accepted from this IP', 'suspect', 'later', /the account/],
  ['text', '421 4.7.0 closing', 'suspect', 'later', /for the moment/],
];

for (const [stage, reply, toOwner, toVisitor, problem] of REPLIES) {
  test(`after ${stage}, ${reply.split('\r')[0]}: ${toOwner}, to a visitor’s address ${toVisitor}`, async () => {
    await using smtp = await startScriptedSmtpServer(stage, reply);
    const sendMail = createSendMail(
      { ...MAIL, server: { ...smtp.server, auth: { user: 'ada', pass: 'secret' } } },
      5_000,
    );
    for (const [delivery, meaning] of [
      [DELIVERY, toOwner],
      [CONFIRMATION, toVisitor],
    ] as const) {
      const outcome = await sendMail(delivery, { siteUrl: SITE_URL, language: 'en' });
      assert.ok(outcome.status === 'failed');
      const { permanent, addressRejected = false, failure, reason } = outcome;
      const found = failure ? (failure.certain ? 'server' : 'suspect') : permanent ? 'final' : 'later';
      assert.equal(found, meaning, JSON.stringify(outcome));
      assert.ok(!failure || !permanent);
      // A reply about the server is no fault of the address, also where only this message is tried again.
      const isNamed = stage === 'recipient' || stage === 'text';
      assert.equal(addressRejected, isNamed && problem === undefined);
      assert.ok(reply.endsWith(reason), reason);
      if (!failure) continue;
      assert.match(failure.problem, new RegExp(`^The mail server 127.0.0.1 .*${problem?.source}`));
      assert.equal(failure.lasting, reply.startsWith('5'));
      assert.equal(failure.reply, `${stage} ${codesOf(reply.split('\r\n').at(-1) ?? '')}`);
    }
  });
}

test('a connection that ends while a mail is sent may end because of it, and never fails for a visitor’s address', async () => {
  for (const stage of ['recipient', 'text'] as const) {
    await using smtp = await startScriptedSmtpServer(stage, undefined);
    const sendMail = createSendMail({ ...MAIL, server: smtp.server }, 5_000);
    const outcomes = [];
    for (const delivery of [DELIVERY, CONFIRMATION]) {
      const outcome = await sendMail(delivery, { siteUrl: SITE_URL, language: 'en' });
      outcomes.push(outcome.status === 'failed' && [outcome.permanent, outcome.failure?.certain]);
    }
    assert.deepEqual(outcomes, [
      [false, false],
      [false, undefined],
    ]);
  }
});

test('a mail that cannot be composed, or has no recipient that a server could take, is no failure of the server', async () => {
  await using smtp = await startScriptedSmtpServer('text', '250 fine');
  const sendMail = createSendMail({ ...MAIL, server: smtp.server }, 5_000);
  for (const [delivery, permanent] of [
    // Without a move.
    [{ ...CONFIRMATION, kind: 'reply' }, false],
    [{ ...CONFIRMATION, target: 'mailto:' }, true],
  ] as const) {
    const outcome = await sendMail(delivery, { siteUrl: SITE_URL, language: 'en' });
    assert.ok(outcome.status === 'failed', JSON.stringify(outcome));
    assert.deepEqual([outcome.permanent, outcome.failure], [permanent, undefined], outcome.reason);
  }
});

test('a reply of 300,000 characters is a failure with a short reason', async () => {
  await using smtp = await startScriptedSmtpServer('text', `451 4.3.0 ${'a'.repeat(300_000)}`);
  const sendMail = createSendMail({ ...MAIL, server: smtp.server }, 10_000);
  const outcome = await sendMail(DELIVERY, { siteUrl: SITE_URL, language: 'en' });
  assert.ok(outcome.status === 'failed');
  assert.ok(outcome.reason.length <= 300);
});
