/** State of the sign-in form. A success changes `$session` before the form is idle again. */
import { atom } from 'nanostores';
import type { Credentials } from '#contract/sign-in.ts';
import type { SignInOutcome } from '../api/admin-auth.ts';

/** `code`: of the rejection; `code_required` and those after it are about the second factor. */
export type SignIn =
  | { status: 'idle' }
  | { status: 'busy' }
  | { status: 'failed'; message: string; code?: string | undefined };

export function createSignIn(authenticate: (credentials: Credentials) => Promise<SignInOutcome>) {
  const $signIn = atom<SignIn>({ status: 'idle' });
  /** How many recovery codes are left, after a sign-in by one in this tab. */
  const $recoveryCodesLeft = atom<number | undefined>();

  async function signIn(credentials: Credentials): Promise<void> {
    if ($signIn.get().status === 'busy') return;
    $signIn.set({ status: 'busy' });
    const outcome = await authenticate(credentials).catch(unexpected);
    $recoveryCodesLeft.set(outcome.ok ? outcome.recoveryCodesLeft : undefined);
    if (outcome.ok) return $signIn.set({ status: 'idle' });
    const { ok: _, ...failure } = outcome;
    $signIn.set({ status: 'failed', ...failure });
  }

  return { $signIn, $recoveryCodesLeft, signIn };
}

function unexpected(error: unknown): SignInOutcome {
  console.error('Signing in failed', error);
  return { ok: false, message: 'Authentication failed' };
}
