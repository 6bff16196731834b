import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { AuthChangeEvent, Session as AuthSession } from '@supabase/supabase-js';
import { createSession } from './session.ts';

type Emit = (event: AuthChangeEvent, session: AuthSession | null) => void;

function sessionWith(
  signOut: () => Promise<{ error: Error | null }> = async () => ({ error: null }),
  extend: () => Promise<boolean | undefined> = async () => true,
) {
  let emit: Emit = () => {};
  const auth = {
    onAuthStateChange(callback: Emit) {
      emit = callback;
      return { data: { subscription: {} } };
    },
    signOut,
  };
  const store = createSession(auth as unknown as Parameters<typeof createSession>[0], extend, 20);
  return { ...store, emit: (event: AuthChangeEvent, session: AuthSession | null) => emit(event, session) };
}

const ENDED = 'Your session has ended. Please sign in again.';

const sessionOf = (email: string) => ({ user: { email } }) as AuthSession;

test('the status is checking until the stored session is checked', () => {
  const { $session, emit } = sessionWith();
  assert.deepEqual($session.get(), { status: 'checking' });
  emit('INITIAL_SESSION', null);
  assert.deepEqual($session.get(), { status: 'signedOut' });
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
  test(`${event} with a session signs in, and SIGNED_OUT signs out with a reason`, () => {
    const { $session, emit } = sessionWith();
    emit(event, sessionOf('ada@example.com'));
    assert.deepEqual($session.get(), { status: 'signedIn', email: 'ada@example.com' });
    // As after a rejected refresh token, or after Logout in another tab.
    emit('SIGNED_OUT', null);
    assert.deepEqual($session.get(), { status: 'signedOut', reason: ENDED });
  });
}

test('Logout in this tab has no reason, and neither has an old session that is rejected at the start', async () => {
  let emit: Emit = () => {};
  const store = sessionWith(async () => {
    emit('SIGNED_OUT', null);
    return { error: null };
  });
  emit = store.emit;
  emit('SIGNED_OUT', null);
  assert.deepEqual(store.$session.get(), { status: 'signedOut' });
  emit('SIGNED_IN', sessionOf('ada@example.com'));
  await store.signOut();
  assert.deepEqual(store.$session.get(), { status: 'signedOut' });
  emit('SIGNED_IN', sessionOf('ada@example.com'));
  emit('SIGNED_OUT', null);
  assert.deepEqual(store.$session.get(), { status: 'signedOut', reason: ENDED });
});

test('a response that comes after Logout ends no session, and gives no reason', async () => {
  const signOut = mock.fn(async () => ({ error: null }));
  const { $session, emit, endSession } = sessionWith(signOut);
  emit('INITIAL_SESSION', null);
  await endSession();
  assert.deepEqual([$session.get(), signOut.mock.callCount()], [{ status: 'signedOut' }, 0]);
});

test('Logout leaves the sessions of other devices open', async () => {
  const signOut = mock.fn(async () => ({ error: null }));
  await sessionWith(signOut).signOut();
  assert.deepEqual(signOut.mock.calls[0]?.arguments, [{ scope: 'local' }]);
});

test('another event for the same user changes nothing', () => {
  const { $session, emit } = sessionWith();
  emit('SIGNED_IN', sessionOf('ada@example.com'));
  const before = $session.get();
  emit('TOKEN_REFRESHED', sessionOf('ada@example.com'));
  assert.equal($session.get(), before);
  emit('USER_UPDATED', sessionOf('countess@example.com'));
  assert.deepEqual($session.get(), { status: 'signedIn', email: 'countess@example.com' });
});

test('a check that times out shows the login, and a late event still opens the dashboard', async () => {
  const { $session, emit } = sessionWith();
  await new Promise((resolve) => setTimeout(resolve, 40));
  assert.deepEqual($session.get(), { status: 'signedOut' });
  emit('TOKEN_REFRESHED', sessionOf('ada@example.com'));
  assert.equal($session.get().status, 'signedIn');
});

test('a session that was checked in time stays when that time is over', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { $session, emit } = sessionWith();
  emit('SIGNED_IN', sessionOf('ada@example.com'));
  t.mock.timers.tick(20);
  assert.equal($session.get().status, 'signedIn');
});

test('a failed sign-out is logged, and nothing else', async (t) => {
  const log = t.mock.method(console, 'error', () => {});
  await sessionWith(async () => ({ error: new Error('offline') })).signOut();
  await sessionWith(() => Promise.reject(new Error('storage'))).signOut();
  assert.equal(log.mock.callCount(), 2);
});

/** Until no timer of 0 ms and no promise is left. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('the session is extended at the start and after each refresh of its token, and at no other event', async () => {
  let extended = 0;
  const { $session, emit } = sessionWith(undefined, async () => {
    extended += 1;
    return true;
  });
  for (const event of events) {
    const before = extended;
    emit(event, sessionOf('ada@example.com'));
    assert.equal(extended, before, 'not within the callback of the auth layer');
    await settled();
    const extends_ = event === 'INITIAL_SESSION' || event === 'TOKEN_REFRESHED';
    assert.equal(extended - before, extends_ ? 1 : 0, event);
  }
  emit('SIGNED_OUT', null);
  emit('INITIAL_SESSION', null);
  await settled();
  assert.equal(extended, 2);
  assert.equal($session.get().status, 'signedOut');
});

test('a session that the server has ended signs out with a reason', async () => {
  let emit: Emit = () => {};
  const store = sessionWith(
    async () => {
      emit('SIGNED_OUT', null);
      return { error: null };
    },
    async () => false,
  );
  emit = store.emit;
  emit('INITIAL_SESSION', sessionOf('ada@example.com'));
  await settled();
  assert.deepEqual(store.$session.get(), { status: 'signedOut', reason: ENDED });
});

test('an account with a second factor of the platform sees that the project may demand it', async () => {
  for (const [status, isMentioned] of [
    ['verified', true],
    ['unverified', false],
  ] as const) {
    const { $session, emit, endSession } = sessionWith();
    emit('SIGNED_IN', { user: { email: 'ada@example.com', factors: [{ status }] } } as AuthSession);
    await endSession();
    const state = $session.get();
    assert.equal(state.status, 'signedOut');
    assert.equal(
      /Your account has a second factor of the platform/.test(('reason' in state && state.reason) || ''),
      isMentioned,
    );
  }
});

test('an ended session signs out also where that fails', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { $session, emit, endSession } = sessionWith(() => Promise.reject(new Error('storage')));
  emit('SIGNED_IN', sessionOf('ada@example.com'));
  await endSession();
  assert.deepEqual($session.get(), { status: 'signedOut', reason: ENDED });
});

test('a session that could not be extended stays open', async () => {
  const unknown = [async () => undefined, () => Promise.reject(new Error('offline'))];
  for (const extend of unknown) {
    const { $session, emit } = sessionWith(undefined, extend);
    emit('TOKEN_REFRESHED', sessionOf('ada@example.com'));
    await settled();
    assert.equal($session.get().status, 'signedIn');
  }
});
