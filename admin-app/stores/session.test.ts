import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthChangeEvent, Session as AuthSession } from '@supabase/supabase-js';
import { createSession } from './session.ts';

type Tell = (event: AuthChangeEvent, session: AuthSession | null) => void;

function deskWith(signOut: () => Promise<{ error: Error | null }> = async () => ({ error: null })) {
  let tell: Tell = () => {};
  const auth = {
    onAuthStateChange(callback: Tell) {
      tell = callback;
      return { data: { subscription: {} } };
    },
    signOut,
  };
  const desk = createSession(auth as unknown as Parameters<typeof createSession>[0], 20);
  return { ...desk, tell: (event: AuthChangeEvent, session: AuthSession | null) => tell(event, session) };
}

const sessionOf = (email: string) => ({ user: { email } }) as AuthSession;

test('nobody knows who is signed in until the stored session is checked', () => {
  const { $session, tell } = deskWith();
  assert.deepEqual($session.get(), { at: 'checking' });
  tell('INITIAL_SESSION', null);
  assert.deepEqual($session.get(), { at: 'signedOut' });
});

const events = [
  'INITIAL_SESSION',
  'SIGNED_IN',
  'TOKEN_REFRESHED',
  'USER_UPDATED',
  'PASSWORD_RECOVERY',
  'MFA_CHALLENGE_VERIFIED',
] as const;
for (const event of events) {
  test(`${event} with a session signs in, and SIGNED_OUT (here or in another tab) signs out`, () => {
    const { $session, tell } = deskWith();
    tell(event, sessionOf('ada@example.com'));
    assert.deepEqual($session.get(), { at: 'signedIn', email: 'ada@example.com' });
    tell('SIGNED_OUT', null);
    assert.deepEqual($session.get(), { at: 'signedOut' });
  });
}

test('the same person again is no news', () => {
  const { $session, tell } = deskWith();
  tell('SIGNED_IN', sessionOf('ada@example.com'));
  const before = $session.get();
  tell('TOKEN_REFRESHED', sessionOf('ada@example.com'));
  assert.equal($session.get(), before);
  tell('USER_UPDATED', sessionOf('countess@example.com'));
  assert.deepEqual($session.get(), { at: 'signedIn', email: 'countess@example.com' });
});

test('a check without an answer ends at the login, and a late answer still opens the desk', async () => {
  const { $session, tell } = deskWith();
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.deepEqual($session.get(), { at: 'signedOut' });
  tell('TOKEN_REFRESHED', sessionOf('ada@example.com'));
  assert.equal($session.get().at, 'signedIn');
});

test('a failed sign-out is logged, and nothing else', async (t) => {
  const log = t.mock.method(console, 'error', () => {});
  await deskWith(async () => ({ error: new Error('offline') })).signOut();
  await deskWith(() => Promise.reject(new Error('storage'))).signOut();
  assert.equal(log.mock.callCount(), 2);
});
