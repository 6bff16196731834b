/** A token is dropped this long before it expires, so that it is still valid on arrival. */
const EXPIRY_MARGIN_MS = 5_000;

/**
 * Remaining lifetime of a challenge that has just arrived, in milliseconds.
 * `expiresAt` is the server's time; where the visitor's clock differs too much to compare, this is the full lifetime.
 */
export function remainingLifetime(expiresAt: number, lifetimeSeconds: number): number {
  const full = lifetimeSeconds * 1000;
  const left = expiresAt * 1000 - Date.now();
  return (left > EXPIRY_MARGIN_MS && left < full ? left : full) - EXPIRY_MARGIN_MS;
}

/** Resolves at `deadline` (as of `Date.now()`). In short steps, because timers stop while a laptop sleeps. */
export async function wait(deadline: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const left = deadline - Date.now();
    if (left <= 0) return;
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, 10_000)));
  }
}

export async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) =>
      document.addEventListener('visibilitychange', resolve, { once: true, signal }),
    );
  }
}
