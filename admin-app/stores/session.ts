/** Who is signed in here. Only a convenience: the database decides what may be read or changed. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { atom } from 'nanostores';
import { SESSION_ENDED } from '../api/offers.ts';

export type Session =
  | { at: 'checking' }
  /** With the reason, where the server has ended the session. */
  | { at: 'signedOut'; reason?: string }
  | { at: 'signedIn'; email: string };

type Auth = Pick<SupabaseClient['auth'], 'onAuthStateChange' | 'signOut'>;

/** How long the check of a stored session may show a spinner, in milliseconds. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * @param extend tells the server that the session is in use; false where the server has ended it, undefined where it is
 * not known (no network)
 */
export function createSession(
  auth: Auth,
  extend: () => Promise<boolean | undefined>,
  timeout = CHECK_TIMEOUT_MS,
) {
  const $session = atom<Session>({ at: 'checking' });
  /** Why the session that is about to end does so. */
  let reason: string | undefined;

  function show(next: Session) {
    clearTimeout(giveUp);
    const now = $session.get();
    // Coming back to the tab reports SIGNED_IN again; the same person is no news.
    if (now.at === next.at && emailOf(now) === emailOf(next)) return;
    $session.set(next);
  }

  // Without a network the refresh of a stored session is repeated for half a minute.
  // If it succeeds after all, its event opens the desk.
  const giveUp = setTimeout(() => show({ at: 'signedOut' }), timeout);

  // One rule for every event (signed in or out, here or in another tab, token refreshed, user updated,
  // password recovery, MFA verified, initial session): each carries the session as it is from now on.
  // No call to the auth layer in here: it waits for this callback.
  auth.onAuthStateChange((event, session) => {
    if (session?.user) {
      reason = undefined;
      show({ at: 'signedIn', email: session.user.email ?? '' });
      if (event === 'INITIAL_SESSION' || event === 'TOKEN_REFRESHED') setTimeout(keepOpen);
    } else {
      show({ at: 'signedOut', ...(reason === undefined ? {} : { reason }) });
    }
  });

  async function keepOpen(): Promise<void> {
    if ((await extend().catch(() => undefined)) === false) await endSession(SESSION_ENDED);
  }

  /** Signs out where the server has ended the session, with the reason for the login page. */
  async function endSession(why: string): Promise<void> {
    if ($session.get().at !== 'signedIn') return;
    reason = why;
    await signOut();
    // Also where the stored session could not be removed.
    show({ at: 'signedOut', reason: why });
  }

  /**
   * Signs out this browser and leaves the person's other devices alone. With `local` the session is
   * removed here before the server hears of it, so that no failure keeps anyone signed in.
   */
  async function signOut(): Promise<void> {
    try {
      const { error } = await auth.signOut({ scope: 'local' });
      if (error) console.error('Signing out failed', error);
    } catch (error) {
      console.error('Signing out failed', error);
    }
  }

  return { $session, signOut, endSession };
}

function emailOf(session: Session): string | undefined {
  return session.at === 'signedIn' ? session.email : undefined;
}
