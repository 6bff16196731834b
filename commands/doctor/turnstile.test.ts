import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { json, startSiteverify } from '../../tests/abuse/siteverify.ts';
import { checkTurnstile } from './product.ts';

/** Sent by the check in place of a token. */
const TOKEN = 'doctor';
const NOWHERE = 'http://127.0.0.1:9/';

async function judge(siteKey: string, secretKey: string, verifyUrl: string): Promise<string> {
  const { status, message } = await checkTurnstile(
    { turnstile: { siteKey, secretKey, verifyUrl }, supabase: undefined },
    1_000,
  );
  return `${status} ${message}`;
}

test('keys for tests are never fine, and no request is sent', async () => {
  const [site, secret] = ['1x00000000000000000000AA', '2x0000000000000000000000000000000AA'];
  const start = '^fail For tests only, so that every offer is rejected:';
  const [siteKey, secretKey] = ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'];
  assert.match(
    await judge(site, secret, NOWHERE),
    new RegExp(`${start} ${siteKey} and ${secretKey}\\. Copy`),
  );
  assert.match(await judge(site, '0xreal', NOWHERE), new RegExp(`${start} ${siteKey}\\. Copy`));
  assert.match(await judge('0xreal', secret, NOWHERE), new RegExp(`${start} ${secretKey}\\. Copy`));
});

test('without Turnstile or its secret key nothing is sent', async () => {
  assert.equal((await checkTurnstile({ turnstile: undefined, supabase: undefined }, 1_000)).status, 'ok');
  assert.match(await judge('0xreal', '', NOWHERE), /^skip TURNSTILE_SECRET_KEY is not set here/);
});

test('a hosted project with the other bot check is a failure', async (context) => {
  const project = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end('{"provider":"turnstile"}');
  });
  context.after(() => project.close());
  await once(project.listen(0, '127.0.0.1'), 'listening');
  const { port } = project.address() as AddressInfo;
  const supabase = {
    url: `http://127.0.0.1:${port}`,
    publishableKey: 'sb_publishable_a',
    secretKey: undefined,
  };
  const { status, message } = await checkTurnstile({ turnstile: undefined, supabase }, 1_000);
  assert.match(`${status} ${message}`, /^fail No offer can be made: the functions expect Turnstile/);
});

test('siteverify’s error codes tell whether the secret key is known', async (context) => {
  const siteverify = await startSiteverify();
  context.after(() => siteverify.close());
  assert.match(await judge('0xreal', '0xsecret', siteverify.url), /^ok Cloudflare knows the secret key/);
  assert.equal(siteverify.verificationsOf(TOKEN)[0]?.get('secret'), '0xsecret');
  siteverify.respondTo(TOKEN, json({ success: false, 'error-codes': ['invalid-input-secret'] }));
  assert.match(
    await judge('0xreal', '0xsecret', siteverify.url),
    /^fail Cloudflare rejects TURNSTILE_SECRET_KEY/,
  );
  siteverify.respondTo(TOKEN, json({ success: false, 'error-codes': ['internal-error'] }, 500));
  assert.match(
    await judge('0xreal', '0xsecret', siteverify.url),
    /^warn .* responded with 500 internal-error/,
  );
  siteverify.respondTo(TOKEN, json({ success: false, 'error-codes': ['missing-input-secret'] }));
  assert.match(
    await judge('0xreal', '0xsecret', siteverify.url),
    /^fail Cloudflare rejects TURNSTILE_SECRET_KEY/,
  );
  siteverify.respondTo(TOKEN, (response) => response.writeHead(307, { location: NOWHERE }).end());
  assert.match(
    await judge('0xreal', '0xsecret', siteverify.url),
    /^warn .* responded with 307/,
    'a redirect does not get the secret key',
  );
  siteverify.respondTo(TOKEN, (response) => response.destroy());
  assert.match(await judge('0xreal', '0xsecret', siteverify.url), /^fail .* cannot be reached/);
  siteverify.respondTo(TOKEN, () => {});
  const { message } = await checkTurnstile(
    {
      turnstile: { siteKey: '0xreal', secretKey: '0xsecret', verifyUrl: siteverify.url },
      supabase: undefined,
    },
    50,
  );
  assert.match(message, /no response in time/);
});
