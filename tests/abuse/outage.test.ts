/** What one request or one stuck process can do: the product recovers by itself, on a quiet machine within 20 s. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sendRequest } from '../support/http-client.ts';
import { findProcess, killHard } from '../support/processes.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, startAbused } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { measureOutage } from './outage.ts';
import { count } from './report.ts';
import { SHORT } from './short-form.ts';

/** More values than the database's protocol counts in 16 bits. */
const CSV_ROWS = 34_000;

describe('outages', { skip: process.platform !== 'linux' && 'processes are looked up in /proc' }, () => {
  let product: AbusedProduct;
  before(async () => {
    product = await startAbused();
  });
  after(() => product.stop());

  const recoversFrom = (fault: () => Promise<unknown>) => measureOutage(product, fault);
  const pidOf = (part: 'database' | 'functions') => findProcess(product.process.pid ?? 0, part) ?? 0;

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

  test('a database process that hangs is reported, ended and started again', async () => {
    await recoversFrom(async () => {
      process.kill(pidOf('database'), 'SIGSTOP');
      count('otherFaults');
      let response = await product.request({ path: '/health' });
      while (response.status === 200) {
        await new Promise((later) => setTimeout(later, 200));
        response = await product.request({ path: '/health' });
      }
      assert.equal(response.status, 503, response.text);
      const report = JSON.parse(response.text) as Report;
      assert.deepEqual([report.status, report.database], ['degraded', 'degraded']);
      assert.match(report.reasons.database ?? '', /^The .+\.$/);
    });
    assert.equal((await product.request({ path: '/health' })).status, 200);
  });

  test('a functions process that hangs is ended and started again', {
    skip: SHORT && 'full form',
  }, async () => {
    await recoversFrom(async () => {
      process.kill(pidOf('functions'), 'SIGSTOP');
      count('otherFaults');
    });
  });

  test('a killed database process is started again', async () => {
    await recoversFrom(async () => {
      killHard(pidOf('database'));
      count('kills');
    });
  });
});

/** The report of `/health` on an administrator's host. */
interface Report {
  status: string;
  database: string;
  reasons: { database?: string };
}
