import { networkKeysOf } from './network-keys.ts';

/** Failures of one ip and network that are allowed within one window. */
const MAX_FAILURES = { ip: 20, network: 80, site: 320 } as const;
const WINDOW_MS = 600_000;
/** Most ips and networks in memory; beyond it, the oldest is evicted. */
const MAX_KEYS = 20_000;

/** Counts failed requests by ip and network, in memory. For requests that would each query the database. */
export function createFailureLimit(now: () => number = Date.now) {
  const windows = new Map<string, { failures: number; endsAt: number }>();
  const current = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > now() ? window : undefined;
  };
  return {
    /** Returns the seconds until another request of this ip is accepted; 0: now. */
    wait(ip: string | undefined): number {
      const waits = networkKeysOf(ip).map(({ key, level }) => {
        const window = current(key);
        return window && window.failures >= MAX_FAILURES[level] ? window.endsAt - now() : 0;
      });
      return Math.ceil(Math.max(...waits) / 1_000);
    },
    /**
     * Counts a request as failed from its start, so that neither parallel requests nor a closed connection bypass the limit.
     * @returns removes the failure, for a request that succeeded
     */
    add(ip: string | undefined): () => void {
      const counted = networkKeysOf(ip).map(({ key }) => {
        const window = current(key) ?? { failures: 0, endsAt: now() + WINDOW_MS };
        window.failures += 1;
        windows.delete(key);
        windows.set(key, window);
        const [oldest = ''] = windows.keys();
        if (windows.size > MAX_KEYS) windows.delete(oldest);
        return window;
      });
      return () => {
        for (const window of counted) window.failures -= 1;
      };
    },
  };
}
