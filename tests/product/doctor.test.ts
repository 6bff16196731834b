/** `npm run doctor` against a product behind TLS, with DNS and certificates of the test's own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, request as send } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import type { Finding } from '../../commands/doctor/finding.ts';
import type { Report } from '../../commands/doctor/report.ts';
import { BASE_ENV } from '../support/base-environment.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { seedOffers } from '../support/calls.ts';
import { makeAuthority, makeCertificate } from '../support/certificates.ts';
import { type FakeDnsServer, startDnsServer } from '../support/dns-server.ts';
import { freePort } from '../support/free-port.ts';
import { type Product, startProduct } from '../support/product.ts';
import { NODE, newFolder } from '../support/terminal.ts';

const NAMES = ['sample.app', 'lap.app', 'site.example', 'host.example'];
const ADMIN_HOST = 'admin.names.test';
const HERE = { A: ['127.0.0.1'] };

const dataDir = newDataFolder();
const authorityFile = join(newFolder(), 'authority.pem');
const authority = makeAuthority();
const servers: Server[] = [];
let product: Product;
let dns: FakeDnsServer;
let ports: { https: number; http: number };
/** Port of the product to which the proxy forwards. */
let upstreamPort: number;
/** Days until certificates end that begin to be served. */
let days = 60;

before(async () => {
  writeFileSync(authorityFile, authority.cert);
  product = await startProduct({ dataDir, env: { ADMIN_HOST, TRUSTED_PROXIES: '1' } });
  upstreamPort = product.port;
  dns = await startDnsServer({
    [ADMIN_HOST]: HERE,
    ...Object.fromEntries(NAMES.map((name) => [name, HERE])),
    ...Object.fromEntries(NAMES.map((name) => [`www.${name}`, { CNAME: name }])),
    'mail.test': { TXT: ['v=spf1 mx -all'] },
    's1._domainkey.mail.test': { TXT: ['v=DKIM1; p=MIGf'] },
    '_dmarc.mail.test': { TXT: ['v=DMARC1; p=none'] },
  });
  const secure = createSecureServer(
    {
      SNICallback: (host, done) =>
        done(null, createSecureContext(makeCertificate([host], host === 'lap.app' ? days : 60, authority))),
    },
    forward,
  );
  const plain = createServer((request, response) => {
    response.writeHead(308, { location: `https://${request.headers.host}/` }).end();
  });
  ports = { https: await listen(secure), http: await listen(plain) };
});
after(async () => {
  for (const server of servers) server.close();
  await dns[Symbol.asyncDispose]();
  await product.stop();
  rmSync(dataDir, { recursive: true });
});

/** As a proxy does. */
const forward: RequestListener = (request, response) => {
  const { method, url: path, headers } = request;
  const onward = send({ port: upstreamPort, method, path, headers, agent: false }, (received) => {
    response.writeHead(received.statusCode ?? 0, received.headers);
    received.pipe(response);
  });
  onward.on('error', () => response.writeHead(502).end());
  request.pipe(onward);
};

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Runs the command without blocking this process, whose servers respond to it. */
async function doctor(args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(
    NODE,
    [
      ...['--disable-warning=ExperimentalWarning', 'commands/doctor.ts', '--resolver', dns.address],
      ...['--https-port', String(ports.https), '--http-port', String(ports.http), '--timeout', '60', ...args],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...BASE_ENV,
        DATA_DIR: dataDir,
        PORT: String(upstreamPort),
        ADMIN_HOST,
        TRUSTED_PROXIES: '1',
        SMTP_URL: 'smtps://smtp.mail.test',
        MAIL_FROM: 'offers@mail.test',
        MAIL_TO: 'owner@mail.test',
        NODE_EXTRA_CA_CERTS: authorityFile,
        ...env,
      },
    },
  );
  const [out, error] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out: out.join(''), error: error.join('') };
}

async function reportOf(args: string[] = [], env: Record<string, string> = {}) {
  const { code, out, error } = await doctor(['--json', ...args], env);
  assert.equal(error, '');
  return { code, report: JSON.parse(out) as Report };
}

function notable({ findings }: Report, ...statuses: Finding['status'][]): string[] {
  return findings
    .filter(({ status }) => statuses.includes(status))
    .map(({ status, check, subject }) => [status, check, subject].filter(Boolean).join(' '));
}

test('a product that works exits with 0, also with warnings, and each problem with 1', async () => {
  days = 60;
  const good = await reportOf(['--dkim-selector', 's1']);
  // The sample is used here.
  assert.deepEqual(notable(good.report, 'fail', 'warn', 'skip'), ['warn catalogue', 'warn broker']);
  assert.equal(good.code, 0);
  assert.equal(good.report.status, 'warn');
  assert.deepEqual([good.report.names, good.report.hosts], [4, 9]);
  assert.equal(good.report.counts.ok, good.report.findings.length - 2);
  const ofHost = good.report.findings.filter(({ subject }) => subject === 'www.lap.app');
  assert.deepEqual(
    ofHost.map(({ check, daysLeft }) => [check, daysLeft]),
    [
      ['dns', undefined],
      ['certificate', 60],
      ['page', undefined],
      ['redirect', undefined],
    ],
  );
  assert.match(
    ofHost[0]?.message ?? '',
    /127\.0\.0\.1 \(this server\)\. It is an alias \(CNAME\) of lap\.app/,
  );

  days = 5;
  delete dns.zone['site.example'];
  dns.zone['www.site.example'] = { A: ['127.0.0.9'] };
  await seedOffers(product, 40);
  const bad = await reportOf([], { TRUSTED_PROXIES: '0' });
  assert.equal(bad.code, 1);
  assert.deepEqual(notable(bad.report, 'fail', 'warn', 'skip').toSorted(), [
    'fail dns site.example',
    'fail page www.site.example',
    'fail proxies',
    'skip dkim mail.test',
    'warn broker',
    'warn catalogue',
    'warn certificate lap.app',
    'warn offers',
  ]);
});

test('one name is checked alone, and the table has a row for each host', async () => {
  days = 5;
  const { code, out } = await doctor(['--name', 'lap.app']);
  assert.equal(code, 0);
  const [head, ...rows] = out.trim().split('\n');
  assert.match(head ?? '', /^status +check +what +found$/);
  assert.match(rows[0] ?? '', /^warn +certificate +lap\.app +The certificate is valid for 5 more days only/);
  assert.ok(
    rows.some((row) => /^ok +host +www\.lap\.app .* The page equals the served build\./.test(row)),
    out,
  );
  assert.ok(!out.includes('sample.app'));
});

test('wrong use exits with 2, wrong settings with 1', async () => {
  for (const [args, message] of [
    [['--name', 'other.example'], /^other\.example is neither in the catalogue nor /],
    [['--resolver', 'dns.example'], /^--resolver must be the IP address/],
    [['--timeout', '0'], /^--timeout is "0"\. It must be a whole number from 1 to 60\. npm run doctor takes/],
    [['now'], /^The argument "now" is one too many\. npm run doctor takes/],
  ] as const) {
    const { code, out, error } = await doctor([...args]);
    assert.deepEqual([code, out], [2, ''], error);
    assert.match(error.trim(), message);
    assert.doesNotMatch(error, /\n {4}at /);
  }
  const { code, report } = await reportOf([], { TURNSTILE_SITE_KEY: '0x1' });
  assert.equal(code, 1);
  assert.match(report.findings[0]?.message ?? '', /^TURNSTILE_SITE_KEY is set without TURNSTILE_SECRET_KEY/);
});

test('without a running product the report shows that, and no database is started', async (t) => {
  const stopped = newDataFolder();
  upstreamPort = await freePort();
  t.after(() => {
    upstreamPort = product.port;
    rmSync(stopped, { recursive: true });
  });
  const { code, report } = await reportOf([], { DATA_DIR: stopped });
  assert.equal(code, 1);
  const messageOf = (check: Finding['check']) =>
    report.findings.find((one) => one.check === check)?.message ?? '';
  assert.match(
    messageOf('product'),
    /^The product does not run at .* \(ECONNREFUSED\): start it with npm start/,
  );
  assert.match(messageOf('offers'), /^Not checked: this user reaches no running product/);
  assert.match(messageOf('page'), /It responds with 502/);
});
