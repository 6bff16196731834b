/** What one request or one stuck thread can do: the product recovers by itself, on a quiet machine within 20 s. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { breakThread, FOR_EVER_MS } from '../support/break-thread.ts';
import { sendRequest } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { waitUntil } from '../support/terminal.ts';
import { type AbusedProduct, startAbused } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { killPart } from './kill-part.ts';
import { measureOutage } from './outage.ts';
import { count } from './report.ts';

/** More values than the database's protocol counts in 16 bits. */
const CSV_ROWS = 34_000;

describe('outages', () => {
  let product: AbusedProduct;
  before(async () => {
    product = await startAbused();
  });
  after(() => product.stop());

  const recoversFrom = (fault: () => Promise<unknown>) => measureOutage(product, fault);

  test('34,000 lines of CSV to the data API are rejected without an outage', async () => {
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

  test('a thread in an endless loop is reported, ended and started again', async () => {
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

  test('a thread that uses all of its memory is started again', async () => {
    await recoversFrom(async () => {
      assert.ok(await breakThread(product.process, 'exhaust'));
      count('otherFaults');
      await waitUntil(() => product.log().includes('ERR_WORKER_OUT_OF_MEMORY'));
    });
  });

  test('a thread that is terminated is started again', async () => {
    await recoversFrom(() => killPart(product.process, 'thread'));
  });
});

/** The report of `/health` on an administrator's host. */
interface Report {
  status: string;
  database: string;
  reasons: { database?: string };
}
