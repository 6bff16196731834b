/** One clock for everything on the page that depends on the time. */
import { atom, onMount } from 'nanostores';

/** Time between two ticks, in milliseconds. */
const TICK_MS = 60_000;

/** The time in milliseconds, updated every minute while it is in use, and when the tab becomes visible. */
export const $now = atom(Date.now());

onMount($now, () => {
  const tick = () => $now.set(Date.now());
  tick();
  const timer = setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
});
