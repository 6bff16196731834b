/**
 * What reaches the product through nginx and Caddy with the configurations of docs/deploy, started as the guide says, without
 * ADMIN_HOST: the dashboard stays on this machine, offers come from every host, and Turnstile's tokens not from loopback.
 */
import assert from 'node:assert/strict';
import { request as sendPlain } from 'node:http';
import { request as sendEncrypted } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { BOT_CHECK_ACTION } from '#contract/bot-check.ts';
import { json, type Siteverify, startSiteverify } from '../abuse/siteverify.ts';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, type Product, PUBLIC_KEY, startProduct } from '../support/product.ts';
import { runTool } from '../support/terminal.ts';
import { missingPackages, startCaddy, startNginx, type WebServer } from '../support/web-servers.ts';

const LOOPBACK_HOSTS = ['localhost', 'LOCALHOST:443', '127.0.0.1', '[::1]', '[::1]:4321', 'localhost.'];
const UNKNOWN_HOSTS = ['192.168.1.5', 'tunnel.example', 'shop.lap.app'];
const JSON_TYPE = { apikey: PUBLIC_KEY, 'content-type': 'application/json' };
const SIGN_IN = {
  method: 'POST',
  path: '/functions/v1/admin-auth',
  headers: JSON_TYPE,
  body: JSON.stringify(ADMIN),
};

const missing = missingPackages();

describe('behind a proxy', {
  skip: missing.length > 0 && `not installed here: ${missing.join(', ')}`,
}, () => {
  const servers: WebServer[] = [];
  let siteverify: Siteverify;
  let product: Product;

  before(async () => {
    siteverify = await startSiteverify();
    assert.equal(runTool('commands/build-if-needed.ts', [], {}).code, 0);
    product = await startProduct({
      site: 'dist',
      env: {
        TRUSTED_PROXIES: '1',
        TURNSTILE_SITE_KEY: '0x-site-key',
        TURNSTILE_SECRET_KEY: '0x-secret-key',
        TURNSTILE_VERIFY_URL: siteverify.url,
      },
    });
    servers.push(await startNginx(product.port), await startCaddy(product.port));
  });
  after(async () => {
    for (const server of servers) await server.stop();
    await product?.stop();
    siteverify?.close();
  });

  test('a loopback host has no dashboard and no sign-in for the clients of any proxy', async () => {
    for (const server of servers) {
      for (const host of LOOPBACK_HOSTS) {
        for (const claim of [{}, { 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }]) {
          for (const path of [
            '/admin',
            '/admin/login',
            '/%61dmin/login',
            '//admin/login',
            '/admin/dashboard',
          ]) {
            const { status } = await send(server, { path, host, headers: claim });
            assert.ok(status >= 400, `${server.name}: ${host}${path} got ${status}`);
          }
          const signIn = await send(server, { ...SIGN_IN, host, headers: { ...JSON_TYPE, ...claim } });
          assert.equal(signIn.status, 404, `${server.name}: ${host}: ${signIn.text}`);
          const health = await send(server, { path: '/health', host, headers: claim });
          assert.deepEqual(JSON.parse(health.text), { status: 'ok' }, `${server.name}: ${host}`);
        }
      }
    }
  });

  test('a program on this machine has both at the server itself', async () => {
    for (const host of ['localhost', `localhost:${product.port}`, '127.0.0.1', '[::1]']) {
      assert.equal(
        (await sendRequest(product.port, { path: '/admin/login', headers: { host } })).status,
        200,
      );
      const signIn = await sendRequest(product.port, { ...SIGN_IN, headers: { ...JSON_TYPE, host } });
      assert.equal(signIn.status, 200, signIn.text);
    }
  });

  test('headers of 14 KB reach the server, and longer ones get its sentence', async () => {
    for (const server of servers) {
      const responseTo = (bytes: number) =>
        send(server, { path: '/', host: 'lap.app', headers: { cookie: 'x'.repeat(bytes) } });
      assert.equal((await responseTo(14_000)).status, 200, server.name);
      const { status, text } = await responseTo(20_000);
      assert.equal(status, 431, server.name);
      assert.match(text, /^The headers of this request, cookies included, are longer than 16 KB\.\n$/);
    }
  });

  const offerOn = async (server: WebServer, host: string, solvedOn: string) => {
    const token = `token.${crypto.randomUUID()}`;
    const challenge_ts = new Date().toISOString();
    siteverify.respondTo(
      token,
      json({ success: true, hostname: solvedOn, action: BOT_CHECK_ACTION, challenge_ts, 'error-codes': [] }),
    );
    const offer = {
      domain_name: 'lap.app',
      offer_amount: '$12,000',
      customer_name: 'Ada Lovelace',
      customer_email: 'ada@example.com',
      turnstile_token: token,
    };
    const response = await send(server, {
      method: 'POST',
      path: '/functions/v1/order-submit',
      host,
      headers: { ...JSON_TYPE, origin: `${server.isTls ? 'https' : 'http'}://${host.toLowerCase()}` },
      body: JSON.stringify(offer),
    });
    return `${response.status} ${jsonOf(response).code ?? 'stored'}`;
  };

  test('offers are taken from pages of every host, with a token of that host', async () => {
    for (const server of servers) {
      for (const host of UNKNOWN_HOSTS) {
        assert.equal(await offerOn(server, host, host), '201 stored', `${server.name}: ${host}`);
      }
      // Few, because rejected tokens of one IP have a limit.
      assert.equal(await offerOn(server, 'tunnel.example', 'evil.example'), '403 bot_check_failed');
      assert.equal(await offerOn(server, 'lap.app', 'tunnel.example'), '403 bot_check_failed');
      assert.equal(await offerOn(server, 'lap.app', 'lap.app'), '201 stored', server.name);
    }
  });

  test('a token that was solved at localhost is rejected', async () => {
    for (const server of servers) {
      for (const host of ['localhost', 'lap.app.localhost'])
        assert.equal(await offerOn(server, host, host), '403 bot_check_failed', `${server.name}: ${host}`);
    }
  });
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly host: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a web server. Its certificate is one for lap.app, whatever the Host header names. */
function send(
  { port, isTls }: WebServer,
  { method = 'GET', path, host, headers = {}, body = '' }: Sent,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false as const,
      headers: { ...headers, host, 'content-length': String(Buffer.byteLength(body)) },
    };
    const sent = isTls
      ? sendEncrypted({ ...options, servername: 'lap.app', rejectUnauthorized: false })
      : sendPlain(options);
    sent.on('error', reject).on('response', async (response) => {
      const text = (await response.setEncoding('utf8').toArray()).join('');
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    sent.end(body);
  });
}
