/**
 * The table of hosts: the Node server sends the same page, status and headers directly as through nginx and Caddy with the
 * configurations of docs/deploy.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { ADMIN_HEADERS, headersOf, SECURITY_HEADERS } from '../../src/serving/headers.ts';
import { breakThread, FOR_EVER_MS } from '../support/break-thread.ts';
import { botCheckToken } from '../support/calls.ts';
import { ADMIN_HOST_OF_TABLE, CATALOGUE_OF_HOSTS, HOST_CASES, type HostCase } from '../support/host-cases.ts';
import {
  copyOfBuiltProject,
  type ProductProcess,
  PUBLIC_KEY,
  startProductProcess,
} from '../support/product.ts';
import { type LiteralResponse, sendLiterally } from '../support/send-literally.ts';
import { missingPackages, startCaddy, startNginx, type WebServer } from '../support/web-servers.ts';

/** Headers of our definition, in the responses of every server. ETags differ: Caddy always requests a compressed form. */
const DEFINED = [
  ...Object.keys({
    ...SECURITY_HEADERS,
    ...ADMIN_HEADERS,
    ...headersOf('/', { everywhere: '', pages: {} }),
  }),
  'strict-transport-security',
  'clear-site-data',
  'content-encoding',
  'allow',
  'location',
];

const PAGES = ['index.html', 'sites/lap.app/index.html', 'admin/login/index.html'];
/** Hosts of the table with a certificate. */
const CERTIFIED: ReadonlySet<string> = new Set(
  CATALOGUE_OF_HOSTS.domains
    .flatMap(({ name }) => [name, `www.${name}`])
    .concat(CATALOGUE_OF_HOSTS.settings.hosts, ADMIN_HOST_OF_TABLE),
);

const missing = missingPackages();

// In this order, because the last step breaks the backend. With three servers and a build it takes 20 s on a quiet machine.
test('the table of hosts', {
  skip: missing.length > 0 && `not installed here: ${missing.join(', ')}`,
  timeout: 300_000,
}, async (t) => {
  const project = copyOfBuiltProject();
  const servers: WebServer[] = [];
  let product: ProductProcess;
  let folder = '';
  /** Path of a script of that build. */
  let script = '';

  t.before(async () => {
    const catalogue = join(project.folder, 'hosts.yaml');
    writeFileSync(catalogue, JSON.stringify(CATALOGUE_OF_HOSTS));
    product = await startProductProcess({
      project: project.folder,
      isBreakable: true,
      env: { CATALOGUE: catalogue, ADMIN_HOST: ADMIN_HOST_OF_TABLE, TRUSTED_PROXIES: '1' },
    });
    const { port } = product;
    const node: WebServer = { name: 'Node', port, isTls: false, log: () => '', stop: async () => {} };
    servers.push(node, await startNginx(port), await startCaddy(port));
    folder = join(project.folder, 'dist');
    const scripts = readdirSync(join(folder, 'client/_astro'));
    script = `_astro/${scripts.find((name) => name.endsWith('.js'))}`;
  });
  t.after(async () => {
    for (const server of servers) await server.stop();
    await product?.stop();
    project.remove();
  });

  await t.test('every server sends the same page, status and headers', async () => {
    const problems: string[] = [];
    for (const one of HOST_CASES) {
      const responses = await Promise.all(servers.map((server) => send(server, one)));
      const [first] = responses;
      for (const [n, response] of responses.entries()) {
        for (const problem of problemsOf(one, response, first)) {
          problems.push(`${servers[n]?.name}: ${one.what} (${one.host}${one.path}): ${problem}`);
        }
      }
    }
    assert.deepEqual(problems, []);
  });

  await t.test('every server sends pages whole, and a page that the client has as 304', async () => {
    for (const server of servers) {
      const page = bytesOf('sites/lap.app/index.html');
      const notFound = bytesOf('404-for-sale/index.html');
      const get = (path: string, headers: Record<string, string> = {}) =>
        send(server, { host: 'lap.app', path, headers });
      const etagOf = async (path: string) => (await get(path)).headers.etag ?? '';
      const range = { range: 'bytes=0-9' };
      for (const [path, headers, status, body] of [
        ['/', range, 200, page],
        ['/', { range: 'bytes=999999-' }, 200, page],
        ['/nothing', range, 404, notFound],
        // Browsers cache error pages too.
        ['/nothing', { 'if-none-match': await etagOf('/nothing') }, 404, notFound],
        ['/nothing', { 'if-none-match': '*' }, 404, notFound],
        ['/', { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 200, page],
        ['/', { 'if-none-match': await etagOf('/') }, 304, Buffer.alloc(0)],
      ] as const) {
        const response = await get(path, headers);
        const what = `${server.name}: ${path} ${JSON.stringify(headers)}`;
        assert.deepEqual([response.status, response.body.equals(body)], [status, true], what);
        assert.equal(response.headers['content-range'], undefined, what);
      }
    }
  });

  await t.test('an offer is accepted through every server, and /tls/ask is none of their paths', async () => {
    for (const server of servers) {
      const offer = {
        domain_name: 'lap.app',
        offer_amount: '$12,000',
        customer_name: 'Ada Lovelace',
        customer_email: 'ada@example.com',
        turnstile_token: await botCheckToken(product),
      };
      const headers = {
        origin: `https://www.lap.app:${server.port}`,
        apikey: PUBLIC_KEY,
        'content-type': 'application/json',
      };
      const host = `www.lap.app:${server.port}`;
      const path = '/functions/v1/order-submit';
      const { status, body } = await send(server, { host, path, headers }, 'POST', JSON.stringify(offer));
      assert.equal(status, 201, `${server.name}: ${body}`);

      const response = await send(server, { host, path: '/tls/ask?domain=lap.app' });
      if (server.name === 'Node') assert.equal(response.body.toString(), 'This host belongs to the site.\n');
      else
        assert.deepEqual(
          [response.status, response.body.equals(bytesOf('404-for-sale/index.html'))],
          [404, true],
          server.name,
        );
    }
  });

  await t.test('Caddy gets certificates for own hosts alone, also with a backend that hangs', async () => {
    assert.ok(await breakThread(product.process, FOR_EVER_MS));
    for (const { name, port } of servers.filter(({ isTls }) => isTls)) {
      for (const own of ['www.xn--bcher-kva.example', 'sold.example', ADMIN_HOST_OF_TABLE]) {
        assert.deepEqual(await namesOfCertificate(port, own), [`DNS:${own}`], name);
      }
      for (const other of ['unknown.example', 'mail.lap.app', 'www.localhost']) {
        await assert.rejects(namesOfCertificate(port, other), /alert/, `${name}: ${other}`);
      }
    }
  });

  /** The server name of a handshake is the host where there is a certificate for it. */
  function send(
    server: WebServer,
    { host, path, headers = {}, method: ofCase }: Pick<HostCase, 'host' | 'path' | 'headers' | 'method'>,
    method: string = ofCase ?? 'GET',
    body?: string,
  ): Promise<LiteralResponse> {
    const hosts = [host].flat();
    const [name = ''] = (hosts[0] ?? '').split(':');
    const request = {
      method,
      target: path.replace('{script}', script),
      headers: [...hosts.map((one) => ['host', one] as const), ...Object.entries(headers)],
      ...(body === undefined ? {} : { body }),
    };
    const serverName = CERTIFIED.has(name) ? name : 'lap.app';
    return sendLiterally(server.port, request, server.isTls ? serverName : undefined);
  }

  function problemsOf(
    one: HostCase,
    response: LiteralResponse,
    first: LiteralResponse | undefined,
  ): string[] {
    if (one.status === '4xx') {
      const isPage = PAGES.some((file) => response.body.equals(bytesOf(file)));
      return Math.floor(response.status / 100) === 4 && !isPage ? [] : [`${response.status}`];
    }
    const problems: string[] = [];
    if (response.status !== one.status) problems.push(`status ${response.status}, not ${one.status}`);
    const body = one.method === 'HEAD' ? Buffer.alloc(0) : one.shows && bytesOf(one.shows);
    if (body && !response.body.equals(body))
      problems.push(`not ${one.shows}: ${response.body.toString('latin1', 0, 200)}`);
    for (const [name, value] of Object.entries({ ...(first && defined(first)), ...one.expects })) {
      if (response.headers[name] !== value) problems.push(`${name}: ${response.headers[name]}, not ${value}`);
    }
    return problems;
  }

  function bytesOf(file: string): Buffer {
    return readFileSync(join(folder, 'client', file.replace('{script}', script)));
  }
});

function defined({ headers }: LiteralResponse) {
  return Object.fromEntries(DEFINED.map((name) => [name, headers[name]]));
}

/** @throws where the handshake fails */
function namesOfCertificate(port: number, servername: string): Promise<string[]> {
  return new Promise((done, fail) => {
    const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () => {
      done(socket.getPeerCertificate().subjectaltname?.split(', ') ?? []);
      socket.destroy();
    }).on('error', fail);
  });
}
