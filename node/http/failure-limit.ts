import { networkKeysOf } from './network-keys.ts';

/** How many failures of one address and network count before a pause, within one window. */
const MAX_FAILURES = { address: 20, network: 80, site: 320 } as const;
const WINDOW_MS = 600_000;
/** Most addresses and networks that are remembered; beyond it, the oldest is forgotten. */
const MAX_KEYS = 20_000;

/** Counts requests that failed, by address and network, in memory. For what would cost the database work each time. */
export interface FailureLimit {
  /** Seconds until another request of this address is accepted; 0: now. */
  wait(address: string | undefined): number;
  /** Notes a failure. */
  note(address: string | undefined): void;
}

export function createFailureLimit(now: () => number = Date.now): FailureLimit {
  const windows = new Map<string, { failures: number; endsAt: number }>();
  const current = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > now() ? window : undefined;
  };
  return {
    wait(address) {
      const waits = networkKeysOf(address).map(({ key, level }) => {
        const window = current(key);
        return window && window.failures >= MAX_FAILURES[level] ? window.endsAt - now() : 0;
      });
      return Math.ceil(Math.max(...waits) / 1_000);
    },
    note(address) {
      for (const { key } of networkKeysOf(address)) {
        const window = current(key) ?? { failures: 0, endsAt: now() + WINDOW_MS };
        window.failures += 1;
        windows.delete(key);
        windows.set(key, window);
        const oldest = windows.size > MAX_KEYS ? windows.keys().next().value : undefined;
        if (oldest !== undefined) windows.delete(oldest);
      }
    },
  };
}
