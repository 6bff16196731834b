import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Limit } from '../_shared/rate-limits.ts';
import { DatabaseUnavailable } from '../_shared/service.ts';
import { readSettings } from '../_shared/settings.ts';
import type { PasswordAnswer } from './auth-server.ts';
import { signIn } from './handler.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://localhost', SUPABASE_SECRET_KEY: 'sb_secret_t' });

test('a refused password is answered in even time, and every other refusal at once', {
  timeout: 10_000,
}, async (context) => {
  // No timer fires by itself.
  context.mock.timers.enable({ apis: ['setTimeout'] });

  assert.equal((await ask(60, { outcome: 'refused' })).status, 429, 'the limits');
  assert.equal((await ask(0, { outcome: 'limited', wait: 60 })).status, 429, 'the auth server’s limits');
  assert.equal((await ask(0, { outcome: 'unavailable' })).status, 503, 'the line is full');

  const tried = Promise.withResolvers<void>();
  let answered: number | undefined;
  const refused = ask(0, { outcome: 'refused' }, tried.resolve).then(({ status }) => {
    answered = status;
  });
  await tried.promise;
  context.mock.timers.tick(599);
  await new Promise((later) => setImmediate(later));
  assert.equal(answered, undefined);
  context.mock.timers.tick(1);
  await refused;
  assert.equal(answered, 401);
});

test('a right password signs in, also where its attempt cannot be given back', async () => {
  const session = { access_token: 'access', refresh_token: 'refresh', user: { id: 'owner' } };
  const answers: Record<string, () => unknown> = {
    begin_sign_in: () => 0,
    is_administrator: () => true,
    forgive_sign_in: () => {
      throw new DatabaseUnavailable('forgive_sign_in: no answer');
    },
  };
  const revoked: unknown[] = [];
  const response = await signIn(request(), {
    settings: SETTINGS,
    auth: {
      tryPassword: async () => ({ outcome: 'session', session }),
      revoke: async (one) => void revoked.push(one),
    },
    callDatabase: async (name) => answers[name]?.(),
  });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { session });
  assert.deepEqual(revoked, []);
});

test('an attempt whose password was not tried counts for the address alone', async () => {
  for (const outcome of [{ outcome: 'unavailable' }, { outcome: 'limited', wait: 60 }] as const) {
    const calls: [name: string, buckets: string[]][] = [];
    await signIn(request(), {
      settings: SETTINGS,
      auth: { tryPassword: async () => outcome, revoke: async () => {} },
      callDatabase: async (name, limits) => {
        calls.push([name, Object.values(limits as Record<string, Limit[]>).flatMap(bucketsOf)]);
        return 0;
      },
    });
    const pair = ['sign-in.account-and-address', 'sign-in.account', 'sign-in.account-under-attack'];
    assert.deepEqual(calls, [
      ['begin_sign_in', ['sign-in.unknown-address', ...pair]],
      ['forgive_sign_in', pair],
    ]);
  }
});

const bucketsOf = (limits: Limit[]) => limits.map(({ bucket }) => bucket);

/** @param wait the seconds that the limits answer; 0 lets a password be tried */
function ask(wait: number, outcome: PasswordAnswer, onTry = () => {}): Promise<Response> {
  return signIn(request(), {
    settings: SETTINGS,
    auth: {
      tryPassword: async () => {
        onTry();
        return outcome;
      },
      revoke: async () => {},
    },
    callDatabase: async () => wait,
  });
}

function request(): Request {
  return new Request('http://localhost/functions/v1/admin-auth', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@example.com', password: 'not the password' }),
  });
}
