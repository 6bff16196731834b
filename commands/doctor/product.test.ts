/** The product and a hosted project, as fakes on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { readSettings } from '../../config/settings.ts';
import { runCommand } from '../../tests/support/run-command.ts';
import { run as doctor } from '../doctor.ts';
import { checkBackend, checkOffers, checkProduct, checkSite } from './product.ts';
import type { Report } from './report.ts';

/** More than a response takes on a machine with other work. */
const TIMEOUT_MS = 60_000;

async function serve(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the product’s health is judged by its parts', async (context) => {
  let [status, body] = [200, '{"status":"ok"}'];
  const origin = await serve(context, (_request, response) => response.writeHead(status).end(body));
  const judge = async (isHosted = false) => {
    const { isRunning, finding } = await checkProduct(origin, isHosted, TIMEOUT_MS);
    return `${isRunning} ${finding.status} ${finding.message}`;
  };
  assert.match(await judge(), /^true ok The product runs at http:/);
  [status, body] = [503, '{"status":"degraded","reasons":{"database":"It is being restarted."}}'];
  assert.match(await judge(), /^true fail .*database: It is being restarted\./);
  [status, body] = [200, '{"status":"degraded"}'];
  assert.match(await judge(), /^true warn .*GET \/health of the admin host/);
  [status, body] = [200, '<h1>Another program</h1>'];
  assert.match(await judge(), /^false fail Another program responds/);
});

test('a product that does not run or respond is a failure here, and none where a project is hosted', async (context) => {
  const nowhere = 'http://127.0.0.1:9';
  assert.equal((await checkProduct(nowhere, false, TIMEOUT_MS)).finding.status, 'fail');
  assert.equal((await checkProduct(nowhere, true, TIMEOUT_MS)).finding.status, 'skip');
  const silent = await serve(context, () => {});
  assert.match((await checkProduct(silent, false, 300)).finding.message, /no response in time/);
});

test('the backend gets an offer without fields and an anonymous read, both with the public key', async (context) => {
  const requests: string[] = [];
  const origin = await serve(context, (request, response) => {
    requests.push(
      `${request.method} ${request.url} ${request.headers.apikey} ${request.headers.authorization}`,
    );
    response.writeHead(request.method === 'POST' ? 400 : 200).end('[]');
  });
  const findings = await checkBackend(origin, 'sb_publishable_x', TIMEOUT_MS);
  assert.deepEqual(requests.toSorted(), [
    'GET /rest/v1/offers?select=id&limit=1 sb_publishable_x undefined',
    'POST /functions/v1/order-submit sb_publishable_x undefined',
  ]);
  assert.deepEqual(
    findings.map(({ status, check }) => `${status} ${check}`),
    ['ok order-submit', 'fail data-api'],
  );
});

test('what a login page, a pause or a limit sends is no alarm about open offers', async (context) => {
  let [status, body] = [200, '<h1>Welcome to the hotel</h1>'];
  const origin = await serve(context, (_request, response) => response.writeHead(status).end(body));
  const env = { SUPABASE_URL: origin, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' };
  const settings = readSettings({ ...env, SUPABASE_SECRET_KEY: 'sb_secret_x' });
  const judge = async () => {
    const findings = await checkBackend(origin, 'sb_publishable_x', TIMEOUT_MS);
    return [...findings, await checkOffers(settings, TIMEOUT_MS)].map(({ message }) => message).join('\n');
  };
  for (const sent of [body, '', 'null', '{"a":1}', '[{"a']) {
    body = sent;
    const found = await judge();
    assert.match(
      found,
      /instead of order-submit \(200\).*\n.*instead of the data API \(200\).*login page/,
      sent,
    );
    assert.match(
      found,
      /offers could not be read: read_unanswered .*(?:the response is no JSON \(200\)|something else than it should)/,
      sent,
    );
    assert.doesNotMatch(found, /VISITORS CAN READ|Cannot read|<h1>/, sent);
  }
  [status, body] = [540, '{"message":"Project paused"}'];
  assert.match(await judge(), /^The project is paused \(540\).*\nThe project is paused \(540\)/);
});

test('a hosted project counts its unanswered offers with the secret key', async (context) => {
  const requests: string[] = [];
  let status = 200;
  const url = await serve(context, async (request, response) => {
    if (request.headers.apikey !== 'sb_secret_x') {
      response.writeHead(401).end('{}');
      return;
    }
    requests.push(`${request.method} ${request.url} ${await text(request)}`);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 200 ? '{"count":7,"oldest":"2026-01-01T00:00:00+00:00"}' : '{"message":"no"}');
  });
  const env = { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x' };
  const settings = readSettings({ ...env, SUPABASE_SECRET_KEY: 'sb_secret_x' });
  const { status: found, message } = await checkOffers(settings, TIMEOUT_MS);
  assert.equal(found, 'warn');
  assert.match(message, /^7 offers have been new for more than 24 hours, the oldest for \d+ days/);
  await checkOffers(settings, TIMEOUT_MS, '3 days');
  assert.deepEqual(requests, [
    'POST /rest/v1/rpc/read_unanswered {"hours":24}',
    'POST /rest/v1/rpc/read_unanswered {"hours":72}',
  ]);
  status = 500;
  assert.match(
    (await checkOffers(settings, TIMEOUT_MS)).message,
    /^The offers could not be read: read_unanswered failed on .* it responded with 500/,
  );
  assert.equal((await checkOffers(readSettings(env), TIMEOUT_MS)).status, 'skip');
});

test('an ADMIN_HOST that is for sale, and a catalogue with problems, are failures among the others', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const CATALOGUE = join(folder, 'catalogue.yaml');
  const find = (catalogue: string, more: Record<string, string> = {}) => {
    writeFileSync(CATALOGUE, catalogue);
    const env = { CATALOGUE, ...more };
    const { findings } = checkSite(readSettings(env), { env, cwd: () => process.cwd() });
    return findings.map(({ status, check, message }) => `${status} ${check} ${message}`);
  };
  const [first, ...others] = find(
    'settings: { brokerUrl: "https://b.example/{domain}" }\ndomains: [{ name: lap.app }]\n',
    { ADMIN_HOST: 'www.lap.app' },
  );
  assert.match(first ?? '', /^fail settings ADMIN_HOST is “www\.lap\.app”, which is for sale/);
  assert.equal(others.length, 3);
  assert.ok(!others.some((line) => line.includes(' catalogue ')));
  const [broken, build, ...rest] = find('domains: []\n');
  assert.match(broken ?? '', /^fail catalogue .*section domains is empty/s);
  assert.match(build ?? '', /^(?:ok|warn|fail) build /);
  assert.deepEqual(rest, []);
});

test('hosts whose turn did not come within 30 minutes are a failure', async (context) => {
  let now = 0;
  context.mock.method(performance, 'now', () => {
    now += 31 * 60_000;
    return now;
  });
  const { code, text: printed } = await runCommand(doctor, ['--name', 'lap.app', '--json']);
  const { findings } = JSON.parse(printed) as Report;
  assert.deepEqual([code, findings.map(({ status, check }) => `${status} ${check}`)], [1, ['fail names']]);
  assert.match(
    findings[0]?.message ?? '',
    /^2 hosts were not checked within 30 minutes, from lap\.app on: .*--timeout/,
  );
});
