import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCall } from './call.ts';
import type { RequestData } from './data-api.ts';
import { clientOf } from './fake-backend.ts';

const LAP_APP = { name: 'lap.app', state: 'sold', price: '$10,000' };

const { signal } = new AbortController();

test('a call is sent by its name, with its arguments in the body', async () => {
  const calls: unknown[] = [];
  const listings = [LAP_APP, { name: 'host.example', state: 'for_sale', price: null }];
  const call = createCall(
    clientOf(({ method, url, body }) => {
      calls.push([`${method} ${url.pathname}`, body]);
      return Response.json(listings);
    }),
  );
  assert.deepEqual(await call('asking_prices', { names: ['lap.app', 'host.example'] }, signal), listings);
  assert.deepEqual(calls, [['POST /rest/v1/rpc/asking_prices', { names: ['lap.app', 'host.example'] }]]);
});

test('an error has the message of the server, and a wrong result has none', async () => {
  const respondWith = (status: number, body: unknown = {}) => clientOf(() => Response.json(body, { status }));
  const missing = createCall(respondWith(404, { code: 'PGRST202', message: 'no function' }));
  await assert.rejects(missing('retry_messages', {}), /no function/);
  const broken = createCall(respondWith(500, { message: 'The database is resting.' }));
  await assert.rejects(broken('message_status', {}, signal), /The database is resting/);
  const strange = createCall(respondWith(200, '<h1>'));
  await assert.rejects(strange('message_status', {}, signal), { message: '' });
  await assert.rejects(strange('asking_prices', { names: [] }), { message: '' });
});

test('a call carries the signal that aborts it', async () => {
  const { signal } = new AbortController();
  const sent: unknown[] = [];
  const requestData: RequestData = async (_, request) => {
    sent.push(request?.signal);
    return { status: 200, body: [] };
  };
  const { auth } = clientOf(() => assert.fail('a request'));
  await createCall({ auth, requestData })('asking_prices', { names: [] }, signal);
  assert.deepEqual(sent, [signal]);
});
