import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignInOutcome } from '../api/admin-auth.ts';
import { createSignIn } from './sign-in.ts';

const credentials = { email: 'ada@example.com', password: 'correct horse' };

test('a sign-in is busy during its request, which is sent once', async () => {
  let calls = 0;
  const { $signIn, signIn } = createSignIn(async () => {
    calls += 1;
    return { ok: true };
  });
  const first = signIn(credentials);
  const second = signIn(credentials);
  assert.deepEqual($signIn.get(), { status: 'busy' });
  await Promise.all([first, second]);
  assert.equal(calls, 1);
  assert.deepEqual($signIn.get(), { status: 'idle' });
});

test('a rejected sign-in shows its message', async () => {
  const { $signIn, signIn } = createSignIn(async () => ({ ok: false, message: 'No.' }));
  await signIn(credentials);
  assert.deepEqual($signIn.get(), { status: 'failed', message: 'No.' });
});

test('any other failure shows `Authentication failed`', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { $signIn, signIn } = createSignIn(() => Promise.reject(new Error('storage is full')));
  await signIn(credentials);
  assert.deepEqual($signIn.get(), { status: 'failed', message: 'Authentication failed' });
});

test('the code of a rejection and the recovery codes that are left are those of the last sign-in', async () => {
  const outcomes: SignInOutcome[] = [
    { ok: false, message: 'Enter the code.', code: 'code_required' },
    { ok: true, recoveryCodesLeft: 0 },
    { ok: true },
    { ok: true, recoveryCodesLeft: 7 },
    { ok: false, message: 'No.' },
  ];
  const { $signIn, $recoveryCodesLeft, signIn } = createSignIn(async () => outcomes.shift() as SignInOutcome);
  const states: unknown[] = [];
  while (outcomes.length > 0) {
    await signIn(credentials);
    states.push([$signIn.get(), $recoveryCodesLeft.get()]);
  }
  assert.deepEqual(states, [
    [{ status: 'failed', message: 'Enter the code.', code: 'code_required' }, undefined],
    [{ status: 'idle' }, 0],
    [{ status: 'idle' }, undefined],
    [{ status: 'idle' }, 7],
    [{ status: 'failed', message: 'No.' }, undefined],
  ]);
});
