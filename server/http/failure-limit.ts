import { senderOf } from '#contract/ip-networks.ts';

/** Failures of one IP and network that are allowed within one window. */
const MAX_FAILURES = { ip: 20, network: 80 } as const;
const WINDOW_MS = 600_000;
/** Most IPs and networks in memory; beyond it, the oldest is evicted. */
const MAX_KEYS = 20_000;

/** Counts failed requests by IP and network, in memory. For requests that would each query the database. */
export function createFailureLimit(now: () => number = Date.now) {
  const windows = new Map<string, { failures: number; endsAt: number }>();
  const current = (key: string) => {
    const window = windows.get(key);
    return window && window.endsAt > now() ? window : undefined;
  };
  return {
    /** Returns the seconds until another request of this IP is accepted; 0: now. */
    wait(ip: string | undefined): number {
      const sender = senderOf(ip);
      const waits = (['ip', 'network'] as const).map((scope) => {
        const window = current(`${scope} ${sender[scope]}`);
        return window && window.failures >= MAX_FAILURES[scope] ? window.endsAt - now() : 0;
      });
      return Math.ceil(Math.max(...waits) / 1_000);
    },
    /**
     * Counts a request as failed from its start, so that neither parallel requests nor a closed connection bypass the limit.
     * @returns removes the failure, for a request that succeeded
     */
    add(ip: string | undefined): () => void {
      const sender = senderOf(ip);
      const counted = (['ip', 'network'] as const).map((scope) => {
        const key = `${scope} ${sender[scope]}`;
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
