/** The senders in Deno, where the product runs them, with rights for the hosts of the settings and no others. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { SMTPServerOptions } from 'smtp-server';
import { denoArguments, denoBinary } from '../../../node/embedded-backend/functions-process.ts';
import { botCheckToken, callFunction } from '../../../tests/support/calls.ts';
import { freePort } from '../../../tests/support/free-port.ts';
import { PUBLIC_KEY } from '../../../tests/support/product.ts';
import { waitUntil } from '../../../tests/support/terminal.ts';
import { hostsOfMessages, readMessageSettings } from '../_shared/contract/message-settings.ts';
import { DELIVERY, OFFER } from './delivery.fixture.ts';
import type { Delivery, Outcome } from './delivery.ts';
import { startSmtpServer } from './fake-smtp-server.ts';
import { TLS_AUTHORITY } from './tls.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'deliver-'));
after(() => rmSync(folder, { recursive: true }));
const certificate = join(folder, 'cert.pem');
writeFileSync(certificate, TLS_AUTHORITY);

const PROGRAM = join(import.meta.dirname, 'deno.fixture.ts');

async function sendInDeno(
  settings: Record<string, string>,
  deliveries: Delivery[],
  { hosts }: { hosts?: string[] } = {},
): Promise<Outcome[]> {
  const read = readMessageSettings(settings);
  assert.equal(read.problem, undefined);
  const rights = denoArguments({ SUPABASE_URL: 'http://127.0.0.1:1' }, undefined, PROGRAM).map((argument) =>
    argument.startsWith('--allow-net=')
      ? `--allow-net=${(hosts ?? hostsOfMessages(read.settings)).join(',')}`
      : argument,
  );
  const env = {
    PATH: process.env.PATH,
    DENO_DIR: join(folder, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    DENO_CERT: certificate,
    NO_COLOR: '1',
    DELIVERIES: JSON.stringify(deliveries),
    ...settings,
  };
  const { stdout } = await promisify(execFile)(denoBinary(), rights, { env });
  return JSON.parse(stdout) as Outcome[];
}

const signedIn = { authOptional: false, secure: true } as const;
const smtpServer = (secure: boolean, options: SMTPServerOptions = {}) =>
  startSmtpServer({
    ...signedIn,
    secure,
    ...options,
    onAuth: ({ username, password }, _, callback) =>
      password === 'p:ss' ? callback(null, { user: username }) : callback(new Error('wrong password')),
  });

const MAIL_FROM = 'offers@mail.example';
const confirmation: Delivery = { ...DELIVERY, kind: 'confirmation', target: 'mailto:ada@example.com' };

for (const secure of [true, false]) {
  test(`sends mail in Deno by host name, with password and ${secure ? 'TLS' : 'STARTTLS'}`, async () => {
    await using smtp = await smtpServer(secure);
    const scheme = secure ? 'smtps' : 'smtp';
    const SMTP_URL = `${scheme}://ada:p%3Ass@localhost:${smtp.server.port}`;
    const settings = { SMTP_URL, MAIL_FROM, MAIL_TO: 'owner@example.com', MAIL_CONFIRM: 'yes' };
    const outcomes = await sendInDeno(settings, [DELIVERY, confirmation]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['sent', 'sent'],
      JSON.stringify(outcomes),
    );
    assert.deepEqual(
      smtp.mails.map(({ parsed, secure, user }) => [parsed.subject, secure, user]),
      [
        ['Offer for lap.app: $12,000', true, 'ada'],
        ['Your offer for lap.app has arrived', true, 'ada'],
      ],
    );
    assert.equal(smtp.mails[0]?.parsed.messageId, `<offer.${OFFER.id}@mail.example>`);
  });
}

test('in Deno a certificate of another host and a missing right are temporary failures', async () => {
  await using smtp = await smtpServer(true);
  const settings = { MAIL_FROM, MAIL_TO: 'owner@example.com' };
  const SMTP_URL = `smtps://ada:p%3Ass@127.0.0.2:${smtp.server.port}`;
  for (const hosts of [undefined, ['127.0.0.1:1']]) {
    const [outcome] = await sendInDeno({ ...settings, SMTP_URL }, [DELIVERY], hosts && { hosts });
    assert.equal(outcome?.status, 'failed');
    assert.deepEqual([outcome.permanent, outcome.responded], [false, false], outcome.reason);
  }
  assert.equal(smtp.mails.length, 0);
});

test('in Deno a reason names TLS, port and scheme where they do not fit', async () => {
  const settings = { MAIL_FROM, MAIL_TO: 'owner@example.com' };
  const reasonOf = async (SMTP_URL: string) => {
    const [outcome] = await sendInDeno({ ...settings, SMTP_URL }, [DELIVERY]);
    return outcome?.status === 'failed' ? outcome.reason : JSON.stringify(outcome);
  };
  // Loopback, by an address that is not known to be.
  const host = '[::ffff:127.0.0.1]';
  await using plain = await startSmtpServer({ disabledCommands: ['STARTTLS'] });
  const { port } = plain.server;
  assert.match(
    await reasonOf(`smtp://${host}:${port}`),
    new RegExp(`^Port ${port} rejects STARTTLS, which smtp:// `),
  );
  assert.match(
    await reasonOf(`smtps://${host}:${port}`),
    new RegExp(`^Port ${port} has no TLS from the start, `),
  );
  await using secure = await startSmtpServer({ secure: true });
  assert.match(
    await reasonOf(`smtps://${host}:${secure.server.port}`),
    new RegExp(`^TLS failed at port ${secure.server.port} \\(smtps://\\): .*certificate`),
  );
  const stalling = createTcpServer((socket) => void socket.on('error', () => {}).write('220-'));
  await new Promise<void>((resolve) => stalling.listen(0, '127.0.0.1', resolve));
  // Each takes all of the time.
  const [silent, stalled] = await Promise.all(
    [secure.server, stalling.address() as AddressInfo].map(({ port }) =>
      reasonOf(`smtp://localhost:${port}`),
    ),
  );
  stalling.close();
  assert.match(silent ?? '', /^No response within 15 seconds\. Port \d+ sends no greeting: /);
  assert.equal(stalled, 'No response within 15 seconds.');
});

test('sends webhooks in Deno, follows no redirect, and keeps the URL out of reasons', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    text(request).then((body) => {
      bodies.push(body);
      if (request.url?.startsWith('/redirect')) response.writeHead(302, { location: '/hook-of-the-owner' });
      if (request.url?.startsWith('/error')) response.writeHead(500);
      response.end('no luck');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const targets = ['hook-of-the-owner', 'redirect-of-the-owner', 'error-of-the-owner'].map(
    (path) => `http://127.0.0.1:${port}/${path}`,
  );
  const closed = `http://127.0.0.1:${await freePort()}/closed-hook-of-the-owner`;
  const outcomes = await sendInDeno(
    { NOTIFY_URL: [...targets, closed].join(), NOTIFY_SECRET: 'key' },
    [...targets, closed].map((target) => ({ ...DELIVERY, target })),
  );
  server.close();
  assert.equal(bodies.length, 3);
  const [sent, redirected, error, refused] = outcomes.map((outcome) =>
    outcome.status === 'sent' ? outcome.response : outcome.reason,
  );
  assert.equal(sent, 'HTTP 200');
  assert.match(redirected ?? '', /^HTTP (302|redirect) \(redirects are not followed\)/);
  assert.equal(error, 'HTTP 500: no luck');
  assert.match(refused ?? '', /^Could not connect: .*refused/i);
  assert.doesNotMatch(outcomes.map((outcome) => JSON.stringify(outcome)).join(), /of-the-owner/);
});

test('the functions’ process delivers what is due, for the secret key alone and after an offer', async () => {
  /** The mail server responds to a mail once this resolves. */
  let accepted = Promise.resolve();
  await using smtp = await smtpServer(true, {
    onData: (stream, session, callback) => {
      smtp
        .receive(stream, session)
        .then(() => accepted)
        .then(() => callback(), callback);
    },
  });
  const calls: [string, unknown][] = [];
  const batches: Delivery[][] = [[DELIVERY, { ...confirmation, ids: [2] }]];
  const marked = () => calls.flatMap(([, args]) => (args as { sent?: number[] }).sent ?? []);
  const database = createServer((request, response) => {
    text(request).then((body) => {
      const name = request.url?.split('/').at(-1) ?? '';
      response.setHeader('content-type', 'application/json');
      if (name === 'read_listings') {
        response.end(
          JSON.stringify({ version: 1, hosts: [], language: 'en', states: { 'lap.app': 'for_sale' } }),
        );
        return;
      }
      calls.push([name, JSON.parse(body)]);
      const results: Record<string, () => unknown> = {
        acquire_messages: () => batches.shift() ?? [],
        begin_bot_check: () => ({ outcome: 'new' }),
        submit_offer: () => ({ outcome: 'stored', id: OFFER.id }),
      };
      response.end(JSON.stringify(results[name]?.() ?? null));
    });
  });
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
  const env = {
    PATH: process.env.PATH ?? '',
    DENO_DIR: join(folder, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    DENO_CERT: certificate,
    SUPABASE_URL: `http://127.0.0.1:${(database.address() as AddressInfo).port}`,
    SUPABASE_PUBLISHABLE_KEY: PUBLIC_KEY,
    SUPABASE_SECRET_KEY: 'sb_secret_t',
    SMTP_URL: `smtps://ada:p%3Ass@localhost:${smtp.server.port}`,
    MAIL_FROM,
    MAIL_TO: 'owner@example.com',
    MAIL_CONFIRM: 'yes',
  };
  const rights = denoArguments(env, undefined).map((argument) =>
    argument.startsWith('--allow-net=') ? `${argument},localhost:${smtp.server.port}` : argument,
  );
  const child = spawn(denoBinary(), rights, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(child.stdout);
    const first = await new Promise<string>((resolve) => lines.once('line', resolve));
    const { port } = JSON.parse(first) as { port: number };
    const log: string[] = [];
    lines.on('line', (line) => log.push(line));
    const deliver = async (apikey: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/functions/v1/deliver`, {
        method: 'POST',
        headers: { apikey, 'content-type': 'application/json' },
        body: '{"retry":true}',
      });
      return { status: response.status, body: (await response.json()) as unknown };
    };
    assert.equal((await deliver(PUBLIC_KEY)).status, 401);
    assert.equal(calls.length, 0);
    const expected = { status: 200, body: { sent: 2, failed: 0, queued: 0 } };
    assert.deepEqual(await deliver('sb_secret_t'), expected);
    assert.deepEqual(
      new Set(calls.map(([name]) => name)),
      new Set(['report_delivery', 'make_messages_due', 'queue_overdue', 'acquire_messages']),
    );
    assert.deepEqual(calls[2], ['queue_overdue', { targets: ['mailto:owner@example.com'] }]);
    assert.deepEqual(new Set(marked()), new Set([1, 2]));
    assert.equal(smtp.mails.length, 2);
    // They go over two connections, in any order.
    const mail = smtp.mails.find(({ to }) => to[0] === 'owner@example.com');
    assert.ok(String(mail?.parsed.text).includes('http://localhost:4321/admin/dashboard#offer='));
    batches.push([{ ...DELIVERY, ids: [3] }]);
    const product = { origin: `http://127.0.0.1:${port}` };
    const offer = {
      domain_name: 'lap.app',
      offer_amount: '1',
      customer_name: 'Ada',
      customer_email: 'a@example.com',
    };
    const { promise, resolve } = Promise.withResolvers<void>();
    accepted = promise;
    const turnstile_token = await botCheckToken(product);
    const stored = await callFunction(product, 'order-submit', { ...offer, turnstile_token });
    assert.equal(stored.status, 201);
    await waitUntil(() => smtp.mails.length === 3);
    const allRead = once(lines, 'close');
    child.stdin.end();
    const isListening = () => fetch(`${product.origin}/health`).then(Boolean, () => false);
    await waitUntil(async () => !(await isListening()));
    // The process ends after the mail that it is sending: one that was sent and not marked would be sent again.
    resolve();
    await allRead;
    assert.deepEqual(new Set(marked()), new Set([1, 2, 3]));
    assert.match(log.join('\n'), /"event":"messages".*"offer":\{"sent":1,/);
    assert.doesNotMatch(log.join('\n'), /@|owner|Lovelace|lap\.app/i);
  } finally {
    child.kill();
    database.closeAllConnections();
    database.close();
  }
});
