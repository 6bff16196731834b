import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { UserError } from '../../process/user-error.ts';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { newIo } from '../../tests/support/run-command.ts';
import { sendTestMessages } from './send-test-messages.ts';

const SITE_URL = 'http://localhost:4321';
const NONE = { mail: undefined, webhooks: { urls: [], secret: undefined }, siteUrl: undefined };

test('a test sends one of each message to each target, and prints the servers’ responses', async (t) => {
  await using smtp = await startSmtpServer();
  const posted: string[] = [];
  const hook = createServer((request, response) => {
    posted.push(`${request.method} ${request.url}`);
    request.resume();
    response.writeHead(posted.length < 11 ? 204 : 404).end('no such hook');
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  t.after(() => hook.close());
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
  const io = newIo();

  const accepted = await sendTestMessages(
    {
      mail: {
        server: smtp.server,
        from: { name: 'Offers', address: 'offers@example.com' },
        to: ['ada@example.com'],
        confirm: true,
      },
      webhooks: { urls: [url], secret: undefined },
      siteUrl: undefined,
    },
    { siteUrl: 'https://admin.example.com', language: 'en' },
    io,
  );

  assert.equal(accepted, false);
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    Array.from({ length: 16 }, () => ['ada@example.com']),
  );
  assert.deepEqual(
    smtp.mails.map(({ parsed }) => parsed.subject?.replace(/(?<=since |by )\w+day, .*|(?<=since ).*/, '…')),
    [
      'Test: $1,000 for test.example',
      'Test: Still pending: $1,000 for test.example',
      'Test: 1 offer below your minimum',
      'Test: Agreed: $1,200 for test.example',
      'Test: Your counter-offer to Ada Test for test.example has ended',
      'Test: Nothing heard from Ada Test about test.example for 7 days',
      'Test: Not paid yet: test.example, by Ada Test',
      'Test: The link to pay for test.example was changed',
      'Test: Sign-in: somebody with your password entered three wrong codes',
      'Test: Sign-in: somebody with your password signed in with a recovery code',
      'Test: 12 messages waited since …',
      'Test: Your offer for test.example has arrived',
      'Test: Counter-offer for test.example',
      'Test: Agreed: $1,200 for test.example',
      'Test: Your offer for test.example is declined',
      'Test: Reminder: pay $1,200 for test.example by …',
    ],
  );
  assert.match(smtp.mails[0]?.parsed.text ?? '', /https:\/\/admin\.example\.com\/admin\/dashboard#offer=/);
  assert.deepEqual(
    posted,
    Array.from({ length: 11 }, () => 'POST /hook'),
  );
  const toOwner = [
    'offer',
    'overdue',
    'low',
    'move',
    'expired',
    'silent',
    'unpaid',
    'pay_link',
    'wrong_codes',
    'recovery_code',
    'recovered',
  ];
  const printed = io.text().split('\n');
  assert.deepEqual(
    printed.map((line) => line.slice(0, line.indexOf(':'))),
    [
      ...[...toOwner, 'confirmation', 'reply (counter)', 'reply (accept)', 'reply (decline)', 'reminder'].map(
        (kind) => `✓ ${kind} to ada@example.com`,
      ),
      ...toOwner.map((kind) => `${kind === 'recovered' ? '✗' : '✓'} ${kind} to 127.0.0.1`),
    ],
  );
  assert.match(printed.at(-1) ?? '', /404/);
});

test('where a server does not answer the other messages to it are not tried', async (t) => {
  const hook = createServer((_, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  t.after(() => hook.close());
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`;
  const targets = { ...NONE, webhooks: { urls: [url], secret: undefined } };
  const port = await freePort();
  const io = newIo();
  const mail = {
    server: { host: 'localhost', port, secure: false, requireTls: false, auth: undefined },
    from: { name: 'Offers', address: 'offers@example.com' },
    to: ['ada@example.com', 'grace@example.com'],
    confirm: false,
  };
  assert.equal(
    await sendTestMessages({ ...targets, mail }, { siteUrl: SITE_URL, language: 'en' }, io),
    false,
  );
  const [first, rest, ...others] = io.text().split('\n');
  assert.equal(
    first,
    `✗ offer to ada@example.com: The mail server localhost:${port} does not answer (ECONNREFUSED): check that it runs, and SMTP_URL.`,
  );
  assert.equal(rest, '  The other 14 messages to ada@example.com were not tried.');
  assert.equal(others.length, 2 + 11);
  assert.match(others.at(-1) ?? '', /^✓ /);
});

test('a test without any target says what to set', async () => {
  await assert.rejects(sendTestMessages(NONE, { siteUrl: SITE_URL, language: 'en' }, newIo()), (error) => {
    assert.ok(error instanceof UserError);
    assert.match(error.message, /SMTP_URL, MAIL_FROM and MAIL_TO, or NOTIFY_URL/);
    return true;
  });
});
