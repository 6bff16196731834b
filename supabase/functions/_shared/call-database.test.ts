import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallDatabase } from './call-database.ts';
import { DatabaseUnavailable, Rejection } from './rejection.ts';

const SETTINGS = { url: 'http://project.example', secretKey: 'sb_secret_t' };
const OFFER = { offer_id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' };

/** Calls a database that responds with this status, as the owner or with the secret key. */
function call(status: number, authorization?: string) {
  const body = { code: '42501', message: 'permission denied for ada@example.com' };
  const callDatabase = createCallDatabase(SETTINGS, async () => Response.json(body, { status }));
  return authorization === undefined
    ? callDatabase('read_link_hashes', {})
    : callDatabase('negotiate_as_owner', OFFER, authorization);
}

test('a call that a user has no right to has ended the session, and with the secret key the database is unavailable', async () => {
  for (const status of [401, 403]) {
    await assert.rejects(
      call(status, 'Bearer a'),
      (error) => error instanceof Rejection && error.code === 'session_ended',
      String(status),
    );
    await assert.rejects(call(status), new DatabaseUnavailable('read_link_hashes: 42501'), String(status));
  }
});

test('a user’s call has the user’s token, and any other the secret key alone', async () => {
  const sent: [apikey: string | null, authorization: string | null][] = [];
  const callDatabase = createCallDatabase(SETTINGS, async (_, { headers } = {}) => {
    const all = new Headers(headers);
    sent.push([all.get('apikey'), all.get('authorization')]);
    return Response.json([]);
  });
  await callDatabase('read_link_hashes', {});
  await callDatabase('negotiate_as_owner', OFFER, 'Bearer of a user').catch(() => {});
  await callDatabase('read_link_hashes', {});
  const { secretKey } = SETTINGS;
  const [[, own = null] = []] = sent;
  assert.ok([null, `Bearer ${secretKey}`].includes(own), String(own));
  assert.deepEqual(sent, [
    [secretKey, own],
    [secretKey, 'Bearer of a user'],
    [secretKey, own],
  ]);
});

test('without its settings the database is unavailable', async () => {
  for (const missing of [{ url: '' }, { secretKey: '' }]) {
    const callDatabase = createCallDatabase({ ...SETTINGS, ...missing }, () => assert.fail('a request'));
    await assert.rejects(callDatabase('read_link_hashes', {}), new DatabaseUnavailable('not configured'));
  }
});

test('any other error is an unavailable database, without the details of the call', async () => {
  for (const status of [400, 404, 409, 429, 500, 503]) {
    const error = new DatabaseUnavailable('negotiate_as_owner: 42501');
    await assert.rejects(call(status, 'Bearer a'), error, String(status));
  }
  const lost = createCallDatabase(SETTINGS, () => Promise.reject(new TypeError('no route to ada')));
  await assert.rejects(
    lost('read_link_hashes', {}),
    new DatabaseUnavailable('read_link_hashes: no response'),
  );
});
