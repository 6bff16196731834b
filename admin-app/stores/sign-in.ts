/** Where the sign-in form stands. Success shows in `$session`, which changes before the form is idle again. */
import { atom } from 'nanostores';
import type { Credentials } from '#contract/sign-in.ts';
import type { SignInOutcome } from '../api/admin-auth.ts';

export type SignIn = { at: 'idle' } | { at: 'busy' } | { at: 'failed'; message: string };

export function createSignIn(authenticate: (credentials: Credentials) => Promise<SignInOutcome>) {
  const $signIn = atom<SignIn>({ at: 'idle' });

  async function signIn(credentials: Credentials): Promise<void> {
    if ($signIn.get().at === 'busy') return;
    $signIn.set({ at: 'busy' });
    const outcome = await authenticate(credentials).catch(unexpected);
    $signIn.set(outcome.ok ? { at: 'idle' } : { at: 'failed', message: outcome.message });
  }

  return { $signIn, signIn };
}

function unexpected(error: unknown): SignInOutcome {
  console.error('Signing in failed', error);
  return { ok: false, message: 'Authentication failed' };
}
