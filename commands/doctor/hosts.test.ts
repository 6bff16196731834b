/** Hosts with every kind of certificate and page, on loopback. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { after, before, test } from 'node:test';
import { createSecureContext, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeAuthority, makeCertificate } from '../../tests/support/certificates.ts';
import type { Addresses } from './dns.ts';
import { checkHost, judgeDns } from './hosts.ts';
import type { Network } from './visit.ts';

const ROOT = Buffer.from('<title>All names</title>');
const pageOf = (host: string, build = 'this build') =>
  Buffer.from(`<link rel="canonical" href="https://${host}/">${build}`);

/** Hosts that resolve to these addresses instead of 127.0.0.1, where the servers listen. */
const ADDRESSES: Record<string, string[]> = {
  'closed.app': ['127.0.0.3'],
  'slow.app': ['127.0.0.4'],
  'half.app': ['127.0.0.1', '127.0.0.3'],
  // A connection to a multicast address fails like one on a machine without IPv6.
  'v6.app': ['127.0.0.1', 'ff02::1'],
  'v4.app': ['224.0.0.1'],
  'twice.app': ['127.0.0.1', '127.0.0.1'],
  'plain.example': ['127.0.0.5'],
  'plain.app': ['127.0.0.5'],
};

/** What the hosts respond with over https, instead of their page. */
const SECURE: Record<string, RequestListener> = {
  'parked.app': (_request, response) => response.end('<h1>This domain is parked</h1>'),
  'other.app': (_request, response) => response.end(pageOf('lap.app')),
  'root.app': (_request, response) => response.end(ROOT),
  'old.app': (_request, response) => response.end(pageOf('old.app', 'last build')),
  'down.app': (_request, response) => response.writeHead(502).end(),
  'unknown.app': (_request, response) => response.writeHead(404).end(pageOf('unknown.app')),
  'sold.app': (_request, response) => response.writeHead(302, { location: 'https://buyer.example/x' }).end(),
  'circle.app': (_request, response) =>
    response.writeHead(301, { location: 'https://www.circle.app/' }).end(),
  'www.circle.app': (_request, response) =>
    response.writeHead(301, { location: 'https://circle.app/' }).end(),
  'www.lap.app': (_request, response) => response.writeHead(301, { location: 'https://lap.app/' }).end(),
  'back.app': (_request, response) => response.writeHead(301, { location: 'http://back.app/' }).end(),
  'insecure.app': (_request, response) => response.writeHead(301, { location: 'http://insecure.app/' }).end(),
  'upgrade.app': (_request, response) =>
    response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
};

const servers: Server[] = [];
let network: Network;
const trusted = getCACertificates();

before(async () => {
  const authority = makeAuthority();
  setDefaultCACertificates([...trusted, authority.cert]);
  const special: Record<string, ReturnType<typeof makeCertificate>> = {
    'expired.app': makeCertificate(['expired.app'], -3, authority),
    'soon.app': makeCertificate(['soon.app'], 13, authority),
    'undated.app': makeCertificate(['undated.app'], Number.NaN, authority),
    'wrong.app': makeCertificate(['another.app', 'www.another.app'], 60, authority),
    'self.app': makeCertificate(['self.app'], 60),
    'chain.app': makeCertificate(['chain.app'], 60, makeAuthority('Unknown authority')),
  };
  const secure = createSecureServer(
    {
      SNICallback: (host, done) => {
        if (host === 'refused.app') return done(new Error('no certificate'));
        done(null, createSecureContext(special[host] ?? makeCertificate([host], 60, authority)));
      },
    },
    (request, response) => {
      const host = request.headers.host ?? '';
      const own = SECURE[host];
      if (own) return own(request, response);
      response.end(pageOf(host));
    },
  );
  const plain = createServer((request, response) => {
    const host = request.headers.host ?? '';
    if (['unsafe.app', 'insecure.app'].includes(host)) response.end(pageOf(host));
    else if (host === 'hijacked.app') response.writeHead(301, { location: 'http://ads.example/' }).end();
    else response.writeHead(308, { location: `https://${host}/` }).end();
  });
  const httpsPort = await listen(secure, 0, '127.0.0.1');
  const httpPort = await listen(plain, 0, '127.0.0.1');
  const silent = () => createTcpServer(() => {});
  await listen(silent(), httpsPort, '127.0.0.4');
  await listen(silent(), httpPort, '127.0.0.4');
  await listen(
    createServer((request, response) => response.end(pageOf(request.headers.host ?? ''))),
    httpPort,
    '127.0.0.5',
  );
  const addressesOf = async (host: string): Promise<Addresses> => ({
    addresses: ADDRESSES[host] ?? ['127.0.0.1'],
    alias: undefined,
    code: undefined,
  });
  network = { dns: { addressesOf }, httpsPort, httpPort, timeoutMs: 60_000 };
});
after(() => {
  setDefaultCACertificates(trusted);
  for (const server of servers) server.close();
});

async function listen(server: Server, port: number, address: string): Promise<number> {
  servers.push(server);
  server.listen(port, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** `status check message` of each finding but that of DNS. */
async function findingsOf(host: string, expected = pageOf(host)): Promise<string[]> {
  const target = { host, path: '/', name: host };
  const patience = host === 'slow.app' ? { timeoutMs: 300 } : {};
  const readExpected = () => ({ page: expected, root: ROOT });
  const { findings } = await checkHost(target, { ...network, ...patience }, new Set(), readExpected);
  return findings.slice(1).map(({ status, check, message }) => `${status} ${check} ${message}`);
}

const CERTIFICATE_OK = 'ok certificate The certificate is valid for 60 more days.';
const REDIRECT_OK = 'ok redirect http redirects to https.';
const PAGE_OK = 'ok page The page equals the served build.';

const CASES: Record<string, (string | RegExp)[]> = {
  'lap.app': [CERTIFICATE_OK, PAGE_OK, REDIRECT_OK],
  'expired.app': [
    /^fail certificate The certificate ended on \d{4}-\d\d-\d\d: renew it/,
    PAGE_OK,
    REDIRECT_OK,
  ],
  'soon.app': [
    /^warn certificate The certificate is valid for 13 more days only, until /,
    PAGE_OK,
    REDIRECT_OK,
  ],
  'wrong.app': [
    'fail certificate The certificate is for another.app, www.another.app, not for this host: get one for it.',
    PAGE_OK,
    REDIRECT_OK,
  ],
  'undated.app': [/^fail certificate The certificate has no readable end/, PAGE_OK, REDIRECT_OK],
  'self.app': [/^fail certificate Browsers reject .*DEPTH_ZERO.*it is self-signed/, PAGE_OK, REDIRECT_OK],
  'chain.app': [/^fail certificate Browsers reject .*\(UNABLE_TO.* \(fullchain\.pem\)/, PAGE_OK, REDIRECT_OK],
  'refused.app': [/^fail certificate The TLS handshake failed \(/, /^fail page https:.* failed/],
  'parked.app': [CERTIFICATE_OK, /^fail page 127\.0\.0\.1 .* not of this site/, REDIRECT_OK],
  'other.app': [
    CERTIFICATE_OK,
    /^fail page It responds with the page of lap\.app\. .* Host header/,
    REDIRECT_OK,
  ],
  'root.app': [CERTIFICATE_OK, /^fail page .* the page of unknown hosts\. .* Host header/, REDIRECT_OK],
  'old.app': [CERTIFICATE_OK, /^fail page .* of another build: run npm run build/, REDIRECT_OK],
  'down.app': [CERTIFICATE_OK, /^fail page It responds with 502: .* Is it running/, REDIRECT_OK],
  'unknown.app': [CERTIFICATE_OK, /^fail page It responds with 404: .* Host header/, REDIRECT_OK],
  'sold.app': [CERTIFICATE_OK, /^skip page /, /^fail redirect .* another site: https:\/\/buyer\.example\/x /],
  'circle.app': [CERTIFICATE_OK, /^skip page /, /^fail redirect It redirects in a circle/],
  'back.app': [CERTIFICATE_OK, /^skip page /, /^fail redirect It redirects in a circle/],
  'insecure.app': [
    CERTIFICATE_OK,
    PAGE_OK,
    /^fail redirect https redirects back to http:\/\/insecure\.app\/ /,
  ],
  'upgrade.app': [CERTIFICATE_OK, /^fail page https:\/\/upgrade\.app\/ failed \(UPGRADE\)/],
  'unsafe.app': [CERTIFICATE_OK, PAGE_OK, /^warn redirect http responds with 200 without a redirect/],
  'hijacked.app': [CERTIFICATE_OK, PAGE_OK, /^fail redirect http redirects to another site: http:\/\/ads/],
  'closed.app': [
    'fail page Nothing listens at 127.0.0.3 for http or https: start the proxy, or correct the DNS record.',
  ],
  'slow.app': [/^fail page 127\.0\.0\.4 does not respond in time/],
  'plain.example': [
    /^warn certificate https does not respond \(ECONNREFUSED\)/,
    /^warn page The page equals the served build, but over http only/,
  ],
  'plain.app': [/^fail certificate .* Browsers open this ending over https only/, /^warn page /],
  'v6.app': [
    /^ok certificate 127\.0\.0\.1: /,
    /^ok page 127\.0\.0\.1: /,
    /^skip page ff02::1 was not visited: .* no route/,
    /^ok redirect 127\.0\.0\.1: /,
  ],
  'v4.app': [/^fail page Neither http nor https responds at 224\.0\.0\.1 \(ENETUNREACH\)/],
  'twice.app': [CERTIFICATE_OK, PAGE_OK, REDIRECT_OK],
  'half.app': [
    `ok certificate 127.0.0.1: ${CERTIFICATE_OK.slice('ok certificate '.length)}`,
    /^ok page 127\.0\.0\.1: /,
    /^fail page Nothing listens at 127\.0\.0\.3 /,
    /^ok redirect 127\.0\.0\.1: /,
  ],
};

for (const [host, wanted] of Object.entries(CASES)) {
  test(`${host}: ${wanted.map(String).join(', ').slice(0, 90)}`, async () => {
    const found = await findingsOf(host);
    const sorted = found.toSorted((a, b) => (a.split(' ')[1] ?? '').localeCompare(b.split(' ')[1] ?? ''));
    assert.equal(sorted.length, wanted.length, found.join('\n'));
    for (const [index, one] of wanted.entries()) {
      if (typeof one === 'string') assert.equal(sorted[index], one);
      else assert.match(sorted[index] ?? '', one);
    }
  });
}

test('www. may redirect to the name itself', async () => {
  assert.deepEqual(await findingsOf('www.lap.app', pageOf('lap.app')), [
    CERTIFICATE_OK,
    PAGE_OK,
    REDIRECT_OK,
  ]);
});

test('a page that the build does not have is reported', async () => {
  const target = { host: 'new.app', path: '/', name: 'new.app' };
  const { findings, over } = await checkHost(target, network, new Set(), () => ({
    page: undefined,
    root: ROOT,
  }));
  assert.match(findings[2]?.message ?? '', /^The served build has no page for it: run npm run build/);
  assert.deepEqual(over, []);
});

test('a build that goes live while a page is compared is no difference', async () => {
  const target = { host: 'old.app', path: '/', name: 'old.app' };
  const [served, other] = [pageOf('old.app', 'last build'), pageOf('old.app')];
  for (const builds of [
    [served, other],
    [other, served],
  ]) {
    const readExpected = () => ({ page: builds.shift(), root: ROOT });
    const { findings, over } = await checkHost(target, network, new Set(), readExpected);
    assert.equal(findings[2]?.status, 'ok');
    assert.deepEqual(over, ['https']);
  }
});

test('each way to have no address has its own message', () => {
  const judge = (host: string, code: string, alias?: string) => {
    const target = { host, path: '/', name: 'lap.app' };
    const { status, message } = judgeDns(target, { addresses: [], alias, code }, new Set());
    return `${status} ${message}`;
  };
  assert.match(
    judge('lap.app', 'ENOTFOUND'),
    /^fail There is no such name in DNS \(NXDOMAIN\)\. Is it registered/,
  );
  assert.match(judge('lap.app', 'ENODATA'), /^fail It has neither an A nor an AAAA record\. Add an A record/);
  assert.match(
    judge('www.lap.app', 'ENOTFOUND'),
    /^warn .*NXDOMAIN\)\. Add a CNAME record to the name without www\./,
  );
  assert.match(
    judge('lap.app', 'ENOTFOUND', 'gone.example'),
    /^fail It is an alias \(CNAME\) of gone\.example, which has no address/,
  );
  assert.match(judge('lap.app', 'ETIMEOUT'), /^fail DNS failed \(ETIMEOUT\)\. Run this again/);
  assert.match(judge('lap.app', 'ESERVFAIL'), /^fail DNS failed \(ESERVFAIL\)\. .* DNSSEC/);
});

test('this server is recognized by its addresses', () => {
  const target = { host: 'www.lap.app', path: '/', name: 'lap.app' };
  const found = { addresses: ['192.0.2.1', '2001:db8::1'], alias: 'lap.app', code: undefined };
  const judge = (own: string[]) => judgeDns(target, found, new Set(own)).message;
  const rest = ' It is an alias (CNAME) of lap.app.';
  assert.equal(judge(['192.0.2.1']), `Points to 192.0.2.1, 2001:db8::1.${rest}`);
  assert.equal(judge(['192.0.2.1', '2001:db8::1']), `Points to 192.0.2.1, 2001:db8::1 (this server).${rest}`);
});
