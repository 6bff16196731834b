import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openBooted } from '../booted-database.fixture.ts';
import type { OpenDatabase } from '../open-database.ts';

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
});
after(() => database.close());

async function call(name: string, body: object): Promise<{ status: number; body: unknown }> {
  const url = new URL(`http://embedded/rest/v1/rpc/${name}`);
  const running = database.callService(new Request(url, { method: 'POST', body: JSON.stringify(body) }), url);
  const response = await (running ?? Promise.reject(new Error(`${name} is no service call`)));
  return { status: response.status, body: await response.json() };
}

test('a service call may omit an argument with a default, and no other one', async () => {
  const offer = { offer: { domain_name: 'lap.app' }, token_hash: 'a', payload_hash: 'b', limits: {} };
  const wanted = { status: 200, body: { outcome: 'expired' } };
  assert.deepEqual(await call('submit_offer', { ...offer, expired: true }), wanted);
  assert.deepEqual(await call('submit_offer', { ...offer, expired: true, checks: [] }), wanted);
  assert.equal((await call('submit_offer', { token_hash: 'a', limits: {} })).status, 404);
});

test('a service call reaches a function without arguments and without a result', async () => {
  assert.equal((await call('remove_expired', {})).status, 200);
});

test('a function that is not granted to the service role is no service call', async () => {
  for (const name of ['offer_pages', 'extend_admin_session', 'version']) {
    await assert.rejects(call(name, {}), /is no service call/, name);
  }
});

test('a failed service call returns the code of the error and nothing else', async () => {
  await call('publish_listings', {
    entries: [{ name: 'lap.app' }],
    hosts: ['a.example'],
    keep_previous: false,
  });
  const offer = { domain_name: 'lap.app', offer_amount: '', customer_name: 'secret', customer_email: 'x' };
  const { status, body } = await call('submit_offer', {
    offer,
    token_hash: 'error',
    payload_hash: 'b',
    limits: {},
  });
  assert.equal(status, 400);
  assert.deepEqual(body, { code: '23514', message: 'The call failed.', details: null, hint: null });
});
