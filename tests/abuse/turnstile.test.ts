/** Turnstile: an offer is stored only on siteverify's clear yes for this site, however siteverify behaves. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { publisherOf } from '../../node/catalogue-publication/publisher.ts';
import { type Backend, startBackend } from '../../node/embedded-backend/backend.ts';
import { readOffers } from '../../node/hosted-project/offers.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { type HttpRequest, jsonOf } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { functionCall } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { assertNoSecrets, assertNoSecretsInLog, PLANTED_OFFER, secretsOf } from './leaks.ts';
import { count } from './report.ts';
import { type Behaviour, json, type Siteverify, startSiteverify } from './siteverify.ts';

const TURNSTILE_SECRET = 'turnstile-secret-7f3a';
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const passed = (change: object = {}) => ({
  success: true,
  hostname: 'lap.app',
  action: 'order-submit',
  challenge_ts: ago(10),
  'error-codes': [],
  ...change,
});
const rejected = (...codes: string[]) => json({ success: false, 'error-codes': codes });

describe('the bot check by Turnstile', () => {
  const dataDir = newDataFolder();
  let siteverify: Siteverify;
  let backend: Backend;
  let log = '';
  let stored = 0;

  const start = async (env: Record<string, string> = {}) => {
    backend = await startBackend({
      dataDir,
      settings: {
        LOOPBACK_ONLY: '1',
        RATE_LIMIT_SCALE: '1000000',
        CLIENT_ADDRESS_HEADER: 'x-client-address',
        REQUEST_HOST_HEADER: 'x-request-host',
        TURNSTILE_SECRET_KEY: TURNSTILE_SECRET,
        TURNSTILE_VERIFY_URL: siteverify.url,
        ...env,
      },
      onLog: (line) => {
        log += `${line}\n`;
      },
    });
    await backend.ensureAdministrator(ADMIN.email, ADMIN.password);
  };

  before(async () => {
    siteverify = await startSiteverify();
    await start();
    const entry = { name: PLANTED_OFFER.domain_name, state: 'for_sale' as const, price: '$1' };
    await publisherOf(backend.project)(
      { entries: [entry], hosts: [], language: 'en', build: 'of a test' },
      false,
    );
  });
  after(async () => {
    await backend.stop();
    siteverify.close();
    assertNoSecretsInLog(log, [...secretsOf(dataDir), TURNSTILE_SECRET, 'token-of-'], 'the log');
    rmSync(dataDir, { recursive: true });
  });

  const send = async ({ method = 'GET', path, headers = {}, body = '' }: HttpRequest) => {
    const request = { method, path, headers: headers as Record<string, string>, body: Buffer.from(body) };
    const response = await backend.send(request);
    const { status } = response;
    return {
      status,
      headers: Object.fromEntries(response.headers),
      text: Buffer.from(response.body).toString(),
    };
  };
  const submit = async (turnstile_token: string, change: object = {}, sentTo = 'lap.app') => {
    const response = await send(
      functionCall(
        'order-submit',
        { ...PLANTED_OFFER, turnstile_token, ...change },
        { 'x-client-address': '192.0.2.5', 'x-request-host': sentTo },
      ),
    );
    assertNoSecrets(response.text, [...secretsOf(dataDir), TURNSTILE_SECRET], 'a response');
    if (response.status === 201) stored += 1;
    return response;
  };
  const tryToken = async (behaviour: Behaviour, sentTo?: string) => {
    const token = `token-of-${crypto.randomUUID()}`;
    siteverify.respondTo(token, behaviour);
    const response = await submit(token, {}, sentTo);
    return { token, response, outcome: `${response.status} ${jsonOf(response).code ?? 'stored'}` };
  };

  test('a recent token of this host and action is accepted for one offer', async () => {
    for (const change of [
      {},
      { hostname: 'www.lap.app' },
      { challenge_ts: ago(-30) },
      { challenge_ts: ago(300) },
    ]) {
      const { token, outcome } = await tryToken(json(passed(change)));
      assert.equal(outcome, '201 stored', JSON.stringify(change));
      const sent = siteverify.verificationsOf(token);
      assert.equal(sent.length, 1);
      assert.equal(sent[0]?.get('secret'), TURNSTILE_SECRET);
      assert.equal(sent[0]?.get('remoteip'), '192.0.2.5');
      count('acknowledged');
    }
  });

  test('a token of an unknown host is accepted for an offer that was sent to that host', async () => {
    const behaviour = json(passed({ hostname: 'tunnel.example' }));
    assert.equal((await tryToken(behaviour, 'tunnel.example')).outcome, '201 stored');
    count('acknowledged');
    assert.equal((await tryToken(behaviour, 'other.example')).outcome, '403 bot_check_failed');
  });

  const REJECTIONS: [what: string, behaviour: Behaviour, expected: string][] = [
    ['an invalid token', rejected('invalid-input-response'), '403 bot_check_failed'],
    ['an expired or used token', rejected('timeout-or-duplicate'), '403 bot_check_expired'],
    ['a success for another host', json(passed({ hostname: 'evil.example' })), '403 bot_check_failed'],
    [
      'a success for a look-alike host',
      json(passed({ hostname: 'lap.app.evil.example' })),
      '403 bot_check_failed',
    ],
    ['a success without a host', json(passed({ hostname: undefined })), '403 bot_check_failed'],
    ['a success for another action', json(passed({ action: 'sign-in' })), '403 bot_check_failed'],
    ['a success without an action', json(passed({ action: undefined })), '403 bot_check_failed'],
    ['an old success', json(passed({ challenge_ts: ago(400) })), '403 bot_check_expired'],
    ['a success from the future', json(passed({ challenge_ts: ago(-200) })), '403 bot_check_failed'],
    ['a success without a time', json(passed({ challenge_ts: undefined })), '403 bot_check_failed'],
    ['a success with an invalid time', json(passed({ challenge_ts: 'yesterday' })), '403 bot_check_failed'],
    [
      'a success of a test key',
      json(passed({ metadata: { result_with_testing_key: true } })),
      '403 bot_check_failed',
    ],
  ];
  for (const [what, behaviour, expected] of REJECTIONS) {
    test(`${what} is rejected`, async () => {
      const seen = await badInput(
        what,
        tryToken(behaviour).then(({ response, outcome }) => {
          assert.equal(outcome, expected);
          return response;
        }),
      );
      assert.ok(jsonOf(seen).error);
    });
  }

  const html: Behaviour = (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  const OUTAGES: [what: string, behaviour: Behaviour][] = [
    ['responds with 500', json({ success: true }, 500)],
    ['responds with 503 and HTML', (response) => response.writeHead(503).end('<h1>busy</h1>')],
    ['responds with HTML', html],
    ['responds with an empty body', (response) => response.end()],
    ['responds with an array', json([true])],
    ['responds with success as a string', json(passed({ success: 'true' }))],
    ['responds with success as a number', json(passed({ success: 1 }))],
    ['has an internal error', rejected('internal-error')],
    ['resets the connection', (response) => response.socket?.resetAndDestroy()],
    [
      'stops in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"success":true,', () => response.destroy());
      },
    ],
    ['responds with 5 MB', json(passed({ cdata: 'a'.repeat(5_000_000) }))],
    ['redirects', (response) => response.writeHead(307, { location: '/elsewhere' }).end()],
    ['rejects the secret', rejected('invalid-input-secret')],
    ['reports a missing secret', rejected('missing-input-secret')],
  ];
  for (const [what, behaviour] of OUTAGES) {
    test(`no offer is stored when siteverify ${what}, and the error message asks to try again`, async () => {
      const { response, outcome } = await tryToken(behaviour);
      assert.equal(outcome, '503 bot_check_unavailable');
      assert.ok(Number(response.headers['retry-after']) > 0);
      count('otherFaults');
    });
  }

  test('an offer gets a response when siteverify never responds', async () => {
    const started = performance.now();
    const { token, outcome } = await tryToken(() => {});
    assert.equal(outcome, '503 bot_check_unavailable');
    assert.ok(performance.now() - started < 15_000);
    assert.equal(siteverify.verificationsOf(token).length, 2);
    count('otherFaults');
  });

  test('a failed verification is repeated with the same idempotency key', async () => {
    const { token, outcome } = await tryToken((response, sent, time) =>
      (time === 1 ? html : json(passed()))(response, sent, time),
    );
    assert.equal(outcome, '201 stored');
    count('acknowledged');
    const [first, second] = siteverify.verificationsOf(token).map((sent) => sent.get('idempotency_key'));
    assert.match(first ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(first, second);
  });

  test('50 concurrent copies of an offer are stored once; its token with other texts is rejected', async () => {
    const token = 'token-of-fifty';
    siteverify.respondTo(token, json(passed()));
    const responses = await Promise.all(Array.from({ length: 50 }, () => submit(token)));
    assert.equal(new Set(responses.map((response) => jsonOf(response).id)).size, 1);
    const first = responses.filter(({ status }) => status === 201).length;
    count('acknowledged');
    count('doubled', first - 1);
    assert.equal(first, 1);
    const other = await badInput('other texts', submit(token, { offer_amount: 'other' }));
    assert.equal(jsonOf(other).code, 'bot_check_used');
  });

  test('a token with special characters is verified unchanged', async () => {
    const token = 'token-of-a&secret=b&response=c%00+ü';
    siteverify.respondTo(token, json(passed()));
    assert.equal((await submit(token)).status, 201);
    count('acknowledged');
    assert.equal(siteverify.verificationsOf(token)[0]?.get('secret'), TURNSTILE_SECRET);
  });

  test('no proof-of-work challenge is issued with Turnstile', async () => {
    const response = await badInput(
      'a challenge',
      send({ path: '/functions/v1/bot-check', headers: { apikey: PUBLIC_KEY } }),
    );
    assert.equal(response.status, 404);
  });

  test('exactly the acknowledged offers are stored', async () => {
    const rows = await Array.fromAsync((await readOffers(backend.project)).offers);
    count('lost', Math.max(0, stored - rows.length));
    count('doubled', Math.max(0, rows.length - stored));
    assert.equal(rows.length, stored);
  });

  test('a public server with Turnstile’s test secret rejects every offer', async () => {
    await backend.stop();
    await start({ LOOPBACK_ONLY: '0', TURNSTILE_SECRET_KEY: '1x0000000000000000000000000000000AA' });
    const response = await submit('token-of-a-bot');
    assert.equal(`${response.status} ${jsonOf(response).code}`, '503 unavailable');
    const warning = /TURNSTILE_SECRET_KEY is one of Cloudflare’s test keys/;
    // The log may arrive after the response.
    for (let wait = 0; wait < 50 && !warning.test(log); wait += 1) await pause(100);
    assert.match(log, warning);
    count('otherFaults');
  });
});
