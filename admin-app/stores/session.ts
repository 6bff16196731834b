/** The signed-in user. For display only: the database decides what may be read or changed. */
import type { AuthChangeEvent, Session as AuthSession, SupabaseClient } from '@supabase/supabase-js';
import { atom } from 'nanostores';
import { SessionEnded } from '../api/with-fresh-token.ts';

export type Session =
  | { status: 'checking' }
  /** With the reason, if the user did not sign out in this tab. */
  | { status: 'signedOut'; reason?: string }
  | { status: 'signedIn'; email: string };

/** Of supabase-js what a session is followed by. */
export interface SessionEvents {
  onAuthStateChange(listener: (event: AuthChangeEvent, session: AuthSession | null) => void): unknown;
}

type Auth = SessionEvents & Pick<SupabaseClient['auth'], 'signOut'>;

const ENDED = new SessionEnded().message;
/** The sign-in page takes codes of admin-auth's factor, not of the platform's (docs/hosted.md). */
const ENDED_WITH_FACTOR =
  `${ENDED} Your account has a second factor of the platform, whose codes this page does not take: a project that ` +
  'demands one may end the session. Remove it there, and enrol one with npm run admin -- factor EMAIL. See “What the ' +
  'platform adds” in docs/hosted.md.';

/** How long the check of a stored session may show a spinner, in milliseconds. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * @param extend reports to the server that the session is in use; false if the server has ended it, undefined if unknown
 * (no network)
 */
export function createSession(
  auth: Auth,
  extend: () => Promise<boolean | undefined>,
  timeout = CHECK_TIMEOUT_MS,
) {
  const $session = atom<Session>({ status: 'checking' });
  /** Whether the user has pressed Logout in this tab: any other end of a session needs a reason. */
  let isSigningOut = false;
  /** Whether the account has a verified second factor of the platform. */
  let hasFactor = false;

  const ended = (): Session => ({ status: 'signedOut', reason: hasFactor ? ENDED_WITH_FACTOR : ENDED });

  function show(next: Session) {
    clearTimeout(giveUp);
    const now = $session.get();
    // Returning to the tab emits SIGNED_IN again; the same user is no change.
    if (now.status === next.status && emailOf(now) === emailOf(next)) return;
    $session.set(next);
  }

  // Without a network the refresh of a stored session is repeated for half a minute.
  // If it succeeds after all, its event opens the dashboard.
  const giveUp = setTimeout(() => show({ status: 'signedOut' }), timeout);

  // One rule for every event (signed in or out, here or in another tab, token refreshed, user updated,
  // password recovery, MFA verified, initial session): each carries the session as it is from now on.
  // No call to the auth layer in here: it waits for this callback.
  auth.onAuthStateChange((event, session) => {
    if (session?.user) {
      hasFactor = session.user.factors?.some(({ status }) => status === 'verified') ?? false;
      show({ status: 'signedIn', email: session.user.email ?? '' });
      if (event === 'INITIAL_SESSION' || event === 'TOKEN_REFRESHED') setTimeout(keepOpen);
    } else if ($session.get().status === 'signedIn' && !isSigningOut) {
      show(ended());
    } else {
      show({ status: 'signedOut' });
    }
  });

  async function keepOpen(): Promise<void> {
    if ((await extend().catch(() => undefined)) === false) await endSession();
  }

  /** Signs out where the server has ended the session. */
  async function endSession(): Promise<void> {
    if ($session.get().status !== 'signedIn') return;
    await removeSession();
    // Also where the stored session could not be removed.
    show(ended());
  }

  /** Signs out this browser and leaves the person's other devices alone. */
  async function signOut(): Promise<void> {
    isSigningOut = true;
    await removeSession();
    isSigningOut = false;
  }

  /** With `local` the session is removed here before the request is sent, so that no failure keeps anyone signed in. */
  async function removeSession(): Promise<void> {
    const { error } = await auth.signOut({ scope: 'local' }).catch((error: unknown) => ({ error }));
    if (error) console.error('Signing out failed', error);
  }

  return { $session, signOut, endSession };
}

function emailOf(session: Session): string | undefined {
  return session.status === 'signedIn' ? session.email : undefined;
}
