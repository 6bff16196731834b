/** Who is signed in at this desk. Only a convenience: what may be read or changed, the database decides. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { atom } from 'nanostores';

export type Session = { at: 'checking' } | { at: 'signedOut' } | { at: 'signedIn'; email: string };

type Auth = Pick<SupabaseClient['auth'], 'onAuthStateChange' | 'signOut'>;

/** How long the check of a stored session may show a spinner, in milliseconds. */
const PATIENCE = 10_000;

export function createSession(auth: Auth, patience = PATIENCE) {
  const $session = atom<Session>({ at: 'checking' });

  function show(next: Session) {
    clearTimeout(giveUp);
    const now = $session.get();
    // Coming back to the tab reports SIGNED_IN again; the same person is no news.
    if (now.at === next.at && emailOf(now) === emailOf(next)) return;
    $session.set(next);
  }

  // Without a network the refresh of a stored session is repeated for half a minute.
  // If it succeeds after all, its event opens the desk.
  const giveUp = setTimeout(() => show({ at: 'signedOut' }), patience);

  // One rule for every event (signed in or out, here or in another tab, token refreshed, user updated,
  // password recovery, MFA verified, initial session): each carries the session as it is from now on.
  // No call to the auth layer in here: it waits for this callback.
  auth.onAuthStateChange((_event, session) => {
    show(session?.user ? { at: 'signedIn', email: session.user.email ?? '' } : { at: 'signedOut' });
  });

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

  return { $session, signOut };
}

function emailOf(session: Session): string | undefined {
  return session.at === 'signedIn' ? session.email : undefined;
}
