/** Limits count in windows that begin with the clock, and so do tests of them that must not meet the end of one. */

/** Seconds. Every window of rate-limits.ts is a multiple of it. */
const SHORTEST_WINDOW = 300;

/**
 * Comes back when for so many seconds no window ends: what is tried on both sides of its end does not add up.
 * @param window of the limits under test, in seconds; the longer, the more seldom there is a wait
 */
export async function roomInWindow(seconds: number, window = SHORTEST_WINDOW): Promise<void> {
  const left = window - ((Date.now() / 1000) % window);
  if (left < seconds) await new Promise((later) => setTimeout(later, (left + 1) * 1000));
}
