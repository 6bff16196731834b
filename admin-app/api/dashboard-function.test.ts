import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@supabase/supabase-js';
import { clientOf } from './fake-backend.ts';
import { createMessageStatusApi } from './message-status.ts';
import { createNewOffersApi } from './new-offers.ts';

const OFFER = {
  id: '7f3c2f0e-6f7a-4f0c-9d0a-0a4f5d1c2b3a',
  domain_name: 'lap.app',
  offer_amount: '1,000 €',
  customer_name: 'Ada Lovelace',
  customer_email: 'ada@example.com',
  created_at: '2026-11-20T13:37:07.282+00:00',
  status: 'pending',
  held: false,
};
const { signal } = new AbortController();

test('new offers are requested from the newest known one on, in the form that every backend reads', async () => {
  const bodies: unknown[] = [];
  const api = createNewOffersApi(
    clientOf(({ method, url, body }) => {
      assert.equal(`${method} ${url.pathname}`, 'POST /rest/v1/rpc/new_offers');
      bodies.push(body);
      return Response.json({ offers: [OFFER], pending: 3, held: 1 });
    }),
  );
  const response = await api.readNewOffers('2026-11-20 13:37:07.282001+00', signal);
  assert.deepEqual(response, { offers: [OFFER], pending: 3, held: 1 });
  await api.readNewOffers(undefined, signal);
  assert.deepEqual(bodies, [
    { since: '2026-11-20T13:37:07.282001+00:00' },
    { since: '1970-01-01T00:00:00+00:00' },
  ]);
});

test('a server without the function is unavailable, and any other error is one', async () => {
  const respondWith = (status: number, body: unknown = {}) => clientOf(() => Response.json(body, { status }));
  const missing = createMessageStatusApi(respondWith(404, { code: 'PGRST202', message: 'no function' }));
  assert.equal(await missing.readMessageStatus(signal), 'unavailable');
  assert.equal(await missing.retryMessages(), 'unavailable');
  const broken = createMessageStatusApi(respondWith(500, { message: 'The database is resting.' }));
  await assert.rejects(broken.readMessageStatus(signal), /The database is resting/);
  const strange = createMessageStatusApi(respondWith(200, '<h1>'));
  await assert.rejects(strange.readMessageStatus(signal), { message: '' });
});

test('counts that the server does not know are 0', async () => {
  const api = createMessageStatusApi(clientOf(() => Response.json({ mail: null, queued: 2 })));
  const status = await api.readMessageStatus(signal);
  assert.ok(status !== 'unavailable');
  const { mail, webhooks, queued, failed, sent, paused, last_failure } = status;
  assert.deepEqual(
    { mail, webhooks, queued, failed, sent, paused },
    {
      mail: 0,
      webhooks: 0,
      queued: 2,
      failed: 0,
      sent: 0,
      paused: 0,
    },
  );
  assert.equal(last_failure, undefined);
});

test('a request carries the signal that aborts it', async () => {
  const polling = new AbortController();
  const client = createClient('http://backend.test', 'sb_publishable_test', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: (_, init) =>
        new Promise((_, fail) => {
          init?.signal?.addEventListener('abort', () => fail(new Error('aborted')));
          polling.abort();
        }),
    },
  });
  const isAborted = ({ cause }: Error) => /aborted/.test((cause as Error).message);
  await assert.rejects(createNewOffersApi(client).readNewOffers(undefined, polling.signal), isAborted);
});
