/** The functions in Deno, where a hosted project runs them. Everything else about them is tested in Node. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { botCheckToken, callFunction } from '../../tests/support/calls.ts';
import { PUBLIC_KEY } from '../../tests/support/product.ts';
import { waitUntil } from '../../tests/support/terminal.ts';
import { DELIVERY, OFFER } from './deliver/delivery.fixture.ts';
import { startSmtpServer } from './deliver/fake-smtp-server.ts';
import { TLS_AUTHORITY } from './deliver/tls.fixture.ts';

const SECRET_KEY = 'sb_secret_t';
/** Those of a hosted project, but for its files. */
const RIGHTS = ['--allow-net', '--allow-env'];
const OPTIONS = ['--quiet', '--no-prompt', '--no-remote', '--node-modules-dir=manual', '--no-lock'];
const DENO = createRequire(import.meta.url)
  .resolve('deno/bin.cjs')
  .replace(/bin\.cjs$/, 'deno');

describe('the functions in Deno', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deno-'));
  const calls: [name: string, args: unknown][] = [];
  const batches = [[DELIVERY]];
  let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  let project: Server;
  let deno: ChildProcess;
  let origin = '';
  let log = '';

  before(async () => {
    const certificate = join(folder, 'cert.pem');
    writeFileSync(certificate, TLS_AUTHORITY);
    smtp = await startSmtpServer({
      authOptional: false,
      secure: true,
      onAuth: ({ username, password }, _, callback) =>
        password === 'p:ss' ? callback(null, { user: username }) : callback(new Error('wrong password')),
    });
    const results: Record<string, () => unknown> = {
      acquire_messages: () => batches.shift() ?? [],
      begin_delivery: () => true,
      begin_sign_in: () => ({ wait: 0, counted_at: '2026-11-24T10:00:00+00:00' }),
      negotiate_as_buyer: () => ({ outcome: 'invalid' }),
      queue_overdue: () => 0,
      report_delivery: () => [],
      read_listings: () => ({ version: 1, hosts: [], language: 'en', states: { 'lap.app': 'for_sale' } }),
      submit_offer: () => ({ outcome: 'stored', id: OFFER.id }),
    };
    project = createServer(async (request, response) => {
      const body = await text(request);
      response.setHeader('content-type', 'application/json');
      if (request.url?.startsWith('/auth/')) {
        response.writeHead(400).end('{}');
        return;
      }
      const name = request.url?.split('/').at(-1) ?? '';
      // The functions call `deliver` by its URL.
      if (name === 'deliver') {
        response.end('{}');
        return;
      }
      calls.push([name, JSON.parse(body)]);
      response.end(JSON.stringify(results[name]?.() ?? null));
    });
    await new Promise<void>((resolve) => project.listen(0, '127.0.0.1', resolve));
    const env = {
      PATH: process.env.PATH,
      DENO_DIR: join(folder, 'deno'),
      DENO_NO_UPDATE_CHECK: '1',
      DENO_CERT: certificate,
      NO_COLOR: '1',
      SUPABASE_URL: `http://127.0.0.1:${(project.address() as AddressInfo).port}`,
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: PUBLIC_KEY }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: SECRET_KEY }),
      SMTP_URL: `smtps://ada:p%3Ass@localhost:${smtp.server.port}`,
      MAIL_FROM: 'offers@mail.example',
      MAIL_TO: 'owner@example.com',
    };
    const program = join(import.meta.dirname, 'deno.fixture.ts');
    deno = spawn(DENO, ['run', ...OPTIONS, ...RIGHTS, program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    deno.stderr?.on('data', (more) => {
      log += more;
    });
    const lines = createInterface(deno.stdout as NodeJS.ReadableStream);
    const port = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      deno.once('exit', () => reject(new Error(log)));
    });
    lines.on('line', (line) => {
      log += `${line}\n`;
    });
    origin = `http://127.0.0.1:${port}`;
  });
  after(async () => {
    deno.kill();
    project.closeAllConnections();
    project.close();
    await smtp[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const call = async (name: string, body: object, apikey = PUBLIC_KEY) => {
    const response = await fetch(`${origin}/functions/v1/${name}`, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('order-submit stores an offer with a proof of work from bot-check', async () => {
    const offer = {
      domain_name: 'lap.app',
      offer_amount: '1',
      customer_name: 'Ada',
      customer_email: 'ada@example.com',
    };
    const turnstile_token = await botCheckToken({ origin });
    const response = await callFunction({ origin }, 'order-submit', { ...offer, turnstile_token });
    assert.deepEqual([response.status, await response.json()], [201, { id: OFFER.id }]);
    assert.ok(calls.some(([name]) => name === 'submit_offer'));
  });

  test('admin-auth rejects a password that the auth server rejects', async () => {
    const { status } = await call('admin-auth', { email: 'owner@example.com', password: 'wrong' });
    assert.equal(status, 401);
  });

  test('negotiation rejects a link that the database does not know', async () => {
    const { status, body } = await call('negotiation', { token: '0'.repeat(32) });
    assert.deepEqual([status, body.code], [404, 'link_invalid']);
  });

  test('deliver sends a mail by host name, with password and TLS, for the secret key alone', async () => {
    assert.equal((await call('deliver', {})).status, 401);
    const { status, body } = await call('deliver', {}, SECRET_KEY);
    assert.deepEqual([status, body], [200, { sent: 1, failed: 0, queued: 0 }]);
    const [mail] = smtp.mails;
    assert.deepEqual([mail?.secure, mail?.user, mail?.to], [true, 'ada', ['owner@example.com']]);
    assert.equal(mail?.parsed.messageId, `<offer.${OFFER.id}@mail.example>`);
    await waitUntil(() => log.includes('"event":"messages"'));
    assert.doesNotMatch(log, /@|owner|Lovelace|lap\.app/i);
  });
});
