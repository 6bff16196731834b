/** Turnstile: an offer is stored once, only on siteverify's yes. What is a yes: turnstile.test.ts of order-submit. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, afterEach, before, describe, test } from 'node:test';
import { readOffers } from '../../server/backend-client/offers.ts';
import { publisherOf } from '../../server/catalogue-publication/publisher.ts';
import { type Backend, startBackend } from '../../server/embedded/backend.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { type HttpRequest, jsonOf } from '../support/http-client.ts';
import { ADMIN } from '../support/product.ts';
import { functionCall } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { assertNoSecrets, assertNoSecretsInLog, PLANTED_OFFER, secretsOf } from './leaks.ts';
import { count } from './report.ts';
import { json, type Siteverify, startSiteverify } from './siteverify.ts';
import { persist } from './visitors.ts';

const TURNSTILE_SECRET = 'turnstile-secret-7f3a';
const passed = () => ({
  success: true,
  hostname: 'lap.app',
  action: 'order-submit',
  challenge_ts: new Date(Date.now() - 10_000).toISOString(),
  'error-codes': [],
});

describe('the bot check by Turnstile', () => {
  const dataDir = newDataFolder();
  let siteverify: Siteverify;
  let backend: Backend;
  let log = '';
  let stored = 0;

  before(async () => {
    siteverify = await startSiteverify();
    backend = await startBackend({
      dataDir,
      settings: {
        LOOPBACK_ONLY: '1',
        RATE_LIMIT_SCALE: '1000000',
        CLIENT_ADDRESS_HEADER: 'x-client-address',
        REQUEST_HOST_HEADER: 'x-request-host',
        TURNSTILE_SECRET_KEY: TURNSTILE_SECRET,
        TURNSTILE_VERIFY_URL: siteverify.url,
      },
      onLog: (line) => {
        log += `${line}\n`;
      },
    });
    await backend.ensureAdministrator(ADMIN.email, ADMIN.password);
    const entry = { name: PLANTED_OFFER.domain_name, state: 'for_sale' as const, price: '$1' };
    await publisherOf(backend.project)(
      { entries: [entry], hosts: [], language: 'en', build: 'of a test', settings: {} },
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
  /** As a visitor does: under load siteverify's response can be too late, and an attempt gets 503. */
  const submitUntilVerified = (token: string) =>
    persist(async () => {
      const response = await submit(token);
      if (response.status === 503) throw new Error('not verified in time');
      return response;
    });

  afterEach(async () => {
    const rows = await Array.fromAsync((await readOffers(backend.project)).offers);
    count('lost', Math.max(0, stored - rows.length));
    count('doubled', Math.max(0, rows.length - stored));
    assert.equal(rows.length, stored, 'exactly the acknowledged offers are stored');
  });

  test('an offer with a token that siteverify passes is stored, with one that it rejects it is not', async () => {
    siteverify.respondTo('token-of-one', json(passed()));
    assert.equal((await submit('token-of-one')).status, 201);
    assert.equal(siteverify.verificationsOf('token-of-one')[0]?.get('remoteip'), '192.0.2.5');
    count('acknowledged');
    const rejected = await badInput('an invalid token', submit('token-of-none'));
    assert.deepEqual([rejected.status, jsonOf(rejected).code], [403, 'bot_check_failed']);
  });

  test('no offer is stored when siteverify fails, and the error message asks to try again', async () => {
    siteverify.respondTo('token-of-two', (response) => response.socket?.resetAndDestroy());
    const response = await submit('token-of-two');
    assert.deepEqual([response.status, jsonOf(response).code], [503, 'bot_check_unavailable']);
    assert.ok(Number(response.headers['retry-after']) > 0);
    count('otherFaults');
  });

  test('50 concurrent copies of an offer are stored once; its token with other texts is rejected', async () => {
    const token = 'token-of-fifty';
    siteverify.respondTo(token, json(passed()));
    const responses = await Promise.all(Array.from({ length: 50 }, () => submitUntilVerified(token)));
    assert.equal(new Set(responses.map((response) => jsonOf(response).id)).size, 1);
    const first = responses.filter(({ status }) => status === 201).length;
    count('acknowledged');
    count('doubled', first - 1);
    assert.equal(first, 1);
    const other = await badInput('other texts', submit(token, { offer_amount: 'other' }));
    assert.equal(jsonOf(other).code, 'bot_check_used');
  });
});
