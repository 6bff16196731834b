import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable, Rejection } from '../../supabase/functions/_shared/rejection.ts';
import { signClaims } from '../backend-requests/access-token.ts';
import { createCallAsFunction } from './call-as-function.ts';
import type { Caller } from './database-calls.ts';

const KEYS = { jwtSecret: 'a secret of these tests' };
const OFFER = { offer_id: '0198d9f5-5f6a-7c1e-8f3a-1d2e3f405162' };

/** What a database returned, or threw. */
function open(result: unknown) {
  const callers: Caller[] = [];
  const signedIn: string[] = [];
  const waited: Promise<unknown>[] = [];
  let results = 0;
  const call = createCallAsFunction({
    database: {
      callFunction: async (_name, _args, caller) => {
        callers.push(caller);
        if (result instanceof Error) throw result;
        return result;
      },
    },
    keys: KEYS,
    onResult: () => {
      results += 1;
    },
    onSignedIn: async (userId) => void signedIn.push(userId),
    waitUntil: (promise) => waited.push(promise.catch(() => {})),
  });
  return { call, callers, signedIn, waited, results: () => results };
}

const failure = (code: string) => Object.assign(new Error('of ada@example.com'), { code, severity: 'ERROR' });
const USER = { role: 'authenticated', aud: 'authenticated', exp: 4_000_000_000 } as const;
const AUTHORIZATION = `Bearer ${signClaims(USER, KEYS.jwtSecret)}`;
const hasEnded = (error: unknown) => error instanceof Rejection && error.code === 'session_ended';

test('calls as the service role, or as the user of a token, and reports each result', async () => {
  const { call, callers, waited, results } = open([]);
  assert.deepEqual(await call('read_link_hashes', {}), []);
  const asOwner = open({ outcome: 'read' });
  assert.deepEqual(await asOwner.call('negotiate_as_owner', OFFER, AUTHORIZATION), { outcome: 'read' });
  assert.deepEqual(
    [...callers, ...asOwner.callers],
    [
      { role: 'service_role', claims: {} },
      { role: 'authenticated', claims: USER },
    ],
  );
  assert.deepEqual([waited.length, results()], [1, 1], 'and a database that closes waits for it');
});

test('a token that is not genuine, and a call without a right to it, have ended the session', async () => {
  const forged = open({});
  await assert.rejects(forged.call('negotiate_as_owner', OFFER, `${AUTHORIZATION}x`), hasEnded);
  assert.deepEqual(forged.callers, []);
  for (const code of ['42501', 'PT401', 'PT403'])
    await assert.rejects(
      open(failure(code)).call('negotiate_as_owner', OFFER, AUTHORIZATION),
      hasEnded,
      code,
    );
});

test('any other error is an unavailable database, without the details of the call', async () => {
  const unavailable = (reason: string) => new DatabaseUnavailable(reason);
  await assert.rejects(
    open(failure('42501')).call('read_link_hashes', {}),
    unavailable('read_link_hashes: 42501'),
  );
  await assert.rejects(
    open(failure('57014')).call('negotiate_as_owner', OFFER, AUTHORIZATION),
    unavailable('negotiate_as_owner: 57014'),
  );
  const closed = open(new Error('PGlite is closed, at ada@example.com'));
  await assert.rejects(closed.call('read_link_hashes', {}), unavailable('read_link_hashes: no response'));
  assert.equal(closed.results(), 0);
});

test('a result of another shape is an error', async () => {
  await assert.rejects(open({ rows: 1 }).call('read_link_hashes', {}), { name: /^\$?ZodError$/ });
});

test('a sign-in is complete once its session is opened, and not while its code is missing', async () => {
  const args = { user_id: 'ada', session_id: 'one', hours: 12, idle_minutes: 60 };
  for (const status of ['opened', 'none', 'code_required', 'wrong_code', 'too_many_codes']) {
    const { call, signedIn } = open({ status });
    await call('open_admin_session', args);
    assert.deepEqual(signedIn, status === 'opened' ? ['ada'] : [], status);
  }
});
