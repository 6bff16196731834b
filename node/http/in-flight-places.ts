import { networkKeysOf } from './network-keys.ts';

/** Largest share of all places for one ip, its network and its site. */
const SHARES = { ip: 1 / 4, network: 1 / 2, site: 3 / 4 } as const;

/**
 * A fixed number of places for requests in flight. No ip and no network gets all.
 * @param most places of one ip, if less than its share
 */
export function createPlaces(total: number, most = Number.POSITIVE_INFINITY) {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    /**
     * Acquires a place.
     * @param ip the client's ip; all unknown ones count as one
     * @returns releases the place (idempotent); undefined if no place is free
     */
    acquire(ip: string | undefined): (() => void) | undefined {
      if (used >= total) return undefined;
      const groups = networkKeysOf(ip);
      const isFull = groups.some(({ key, level }) => {
        const limit = Math.max(1, total * SHARES[level]);
        return (usedBy.get(key) ?? 0) >= (level === 'ip' ? Math.min(limit, most) : limit);
      });
      if (isFull) return undefined;
      used += 1;
      for (const { key } of groups) usedBy.set(key, (usedBy.get(key) ?? 0) + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        used -= 1;
        for (const { key } of groups) {
          const left = (usedBy.get(key) ?? 1) - 1;
          if (left > 0) usedBy.set(key, left);
          else usedBy.delete(key);
        }
      };
    },
  };
}
