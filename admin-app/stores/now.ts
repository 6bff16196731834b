/** One clock for everything on the page that depends on the time: the server's, whatever the browser's says. */
import { atom, onMount } from 'nanostores';
import { serverAhead } from '../api/session-lifetime.ts';
import type { SessionEvents } from './session.ts';

/** Time between two ticks, in milliseconds. */
const TICK_MS = 60_000;

export function createNow(auth: SessionEvents) {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  /** The time in milliseconds, updated every minute while it is in use, when the tab becomes visible, and with the session. */
  const $now = atom(now());
  const tick = () => $now.set(now());

  auth.onAuthStateChange((_, session) => {
    if (session) ahead = serverAhead(session) ?? ahead;
    tick();
  });

  onMount($now, () => {
    tick();
    const timer = setInterval(tick, TICK_MS);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  });

  return { $now };
}
