/** State of the sign-in form. A success changes `$session` before the form is idle again. */
import { atom } from 'nanostores';
import type { Credentials } from '#contract/sign-in.ts';
import type { SignInOutcome } from '../api/admin-auth.ts';

export type SignIn = { status: 'idle' } | { status: 'busy' } | { status: 'failed'; message: string };

export function createSignIn(authenticate: (credentials: Credentials) => Promise<SignInOutcome>) {
  const $signIn = atom<SignIn>({ status: 'idle' });

  async function signIn(credentials: Credentials): Promise<void> {
    if ($signIn.get().status === 'busy') return;
    $signIn.set({ status: 'busy' });
    const outcome = await authenticate(credentials).catch(unexpected);
    $signIn.set(outcome.ok ? { status: 'idle' } : { status: 'failed', message: outcome.message });
  }

  return { $signIn, signIn };
}

function unexpected(error: unknown): SignInOutcome {
  console.error('Signing in failed', error);
  return { ok: false, message: 'Authentication failed' };
}
