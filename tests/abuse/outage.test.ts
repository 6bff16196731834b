/** What one request or one stuck thread can do: the product recovers by itself, on a quiet machine within 20 s. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { breakThread, FOR_EVER_MS } from '../support/break-thread.ts';
import { jsonOf, sendRequest } from '../support/http-client.ts';
import { childrenOf, commandOf } from '../support/processes.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { waitUntil } from '../support/terminal.ts';
import { type AbusedProduct, startAbused } from './abused-product.ts';
import { assertSecurityHeaders } from './assert-security-headers.ts';
import { badInput } from './bad-input.ts';
import { dataKeys } from './data-keys.ts';
import { killPart } from './kill-part.ts';
import { assertNoSecrets, PLANTED_OFFER, secretsOf } from './leaks.ts';
import { measureOutage } from './outage.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { runsOf } from './short-form.ts';

/** A fault is waited for, for a minute at most, and the recovery, for two (outage.ts). */
const TIMEOUT = { timeout: runsOf(1_800_000, 240_000) };

/** More values than the database's protocol counts in 16 bits. */
const CSV_ROWS = 34_000;

describe('outages', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await startAbused();
  });
  after(() => product.stop());

  const recoversFrom = (fault: () => Promise<unknown>) => measureOutage(product, fault);
  const recovers = () => recoversFrom(async () => {});

  test('34,000 lines of CSV to the data API are rejected without an outage', TIMEOUT, async () => {
    const body = `status\n${'pending\n'.repeat(CSV_ROWS)}`.slice(0, 64_000);
    const short = `a\n${'\n'.repeat(CSV_ROWS)}`;
    await recoversFrom(async () => {
      for (const method of ['POST', 'PATCH', 'PUT']) {
        for (const csv of [body, short]) {
          const headers = { apikey: PUBLIC_KEY, 'content-type': 'text/csv' };
          const sent = { method, path: '/rest/v1/offers', headers, body: csv };
          const visitor = await badInput('CSV', sendRequest(product.port, sent));
          assert.ok(visitor.status === 405 || visitor.status === 401, `${method}: ${visitor.status}`);
          const path = '/rest/v1/offers?id=eq.0190a5b0-1111-4222-8333-444455556666';
          const administrator = await badInput(
            'CSV',
            product.requestAsAdmin({ ...sent, path, headers: { 'content-type': 'text/csv' } }),
          );
          assert.ok(
            administrator.status === 405 || administrator.status === 415,
            `${method}: ${administrator.status}`,
          );
        }
      }
    });
  });

  test('a thread in an endless loop is reported, ended and started again', TIMEOUT, async () => {
    await recoversFrom(async () => {
      assert.ok(await breakThread(product.process, FOR_EVER_MS));
      count('otherFaults');
      let response = await product.request({ path: '/health' });
      await waitUntil(async () => {
        response = await product.request({ path: '/health' });
        return response.status !== 200;
      });
      assert.equal(response.status, 503, response.text);
      const report = JSON.parse(response.text) as Report;
      assert.deepEqual([report.status, report.database], ['degraded', 'degraded']);
      assert.match(report.reasons.database ?? '', /^The .+\.$/);
      assert.equal((await product.request({ path: '/' })).status, 200, 'pages are served meanwhile');
    });
    assert.equal((await product.request({ path: '/health' })).status, 200);
  });

  test('a thread that uses all of its memory is started again', TIMEOUT, async () => {
    await recoversFrom(async () => {
      // On a busy machine the watchdog may end it first, while it collects garbage.
      const ends = () => product.log().match(/ERR_WORKER_OUT_OF_MEMORY|"event":"terminated"/g)?.length ?? 0;
      const before = ends();
      assert.ok(await breakThread(product.process, 'exhaust'));
      count('otherFaults');
      await waitUntil(() => ends() > before, product.log());
    });
  });

  test('a thread that is terminated is started again', TIMEOUT, async () => {
    await recoversFrom(() => killPart(product.process, 'thread'));
  });

  test(
    'without the backend, sign-in and session fail with a time to try again, and with the security headers',
    TIMEOUT,
    async () => {
      const JSON_TYPE = { apikey: PUBLIC_KEY, 'content-type': 'application/json' };
      const path = '/auth/v1/token?grant_type=refresh_token';
      for (let death = 0; death < 10; death += 1) {
        await killPart(product.process, 'thread');
        const responses = await Promise.all([
          product.call('admin-auth', ADMIN),
          product.request({ method: 'POST', path, headers: JSON_TYPE, body: '{"refresh_token":"a"}' }),
        ]);
        for (const response of responses.filter(({ status }) => status === 503)) {
          assertSecurityHeaders(response);
          assert.equal(response.headers['cache-control'], 'no-store');
          assert.ok(Number(response.headers['retry-after']) > 0);
          assert.equal(jsonOf(response).code, 'unavailable');
        }
        if (responses[0]?.status === 503) return await recovers();
      }
      assert.fail('no request met the time without a backend');
    },
  );

  test('logs contain no personal data when the backend ends during a request', TIMEOUT, async () => {
    const makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
    const search = `/rest/v1/offers?customer_name=eq.${encodeURIComponent(PLANTED_OFFER.customer_name)}`;
    const statuses: number[] = [];
    // A solved proof: with a wrong one the database is never queried. Repeated until the kill hits an offer.
    for (let death = 0; death < 10 && !statuses.includes(503); death += 1) {
      const tokens = await Promise.all(Array.from({ length: 4 }, async () => encodeProof(await makeProof())));
      const calls = tokens.map((turnstile_token) =>
        product.call('order-submit', { ...PLANTED_OFFER, turnstile_token }),
      );
      await killPart(product.process, 'thread');
      await product.call('admin-auth', { email: PLANTED_OFFER.customer_email, password: ADMIN.password });
      await product.request({ path: search, headers: { apikey: PUBLIC_KEY } });
      statuses.push(...(await Promise.all(calls)).map(({ status }) => status));
    }
    assert.ok(statuses.includes(503), `an offer met the end of the thread: ${statuses}`);
    assert.deepEqual(
      statuses.filter((status) => ![200, 201, 503].includes(status)),
      [],
    );
    await recovers();
  });

  test('process arguments contain no secret, and other users cannot read the data folder', async () => {
    const pids = [product.process.pid ?? 0, ...childrenOf(product.process.pid ?? 0)];
    for (const pid of pids)
      assertNoSecrets(commandOf(pid), secretsOf(product.dataDir), 'a process’s arguments');
    assert.equal(statSync(product.dataDir).mode & 0o077, 0, 'the folder is for its owner alone');
    assert.equal(statSync(join(product.dataDir, 'secrets.json')).mode & 0o077, 0);
  });
});

/** The report of `/health` on an administrator's host. */
interface Report {
  status: string;
  database: string;
  reasons: { database?: string };
}
