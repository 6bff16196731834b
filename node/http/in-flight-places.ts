import { networkKeysOf } from './network-keys.ts';

/** What share of all places one address, its network and its site may hold at most. */
const SHARES = { address: 1 / 4, network: 1 / 2, site: 3 / 4 } as const;

/** A fixed number of places for requests in flight, of which no address and no network gets all. */
export interface Places {
  /**
   * Takes a place.
   * @param address the visitor's IP address; all whose address is unknown share one
   * @returns gives the place back (calling it twice does nothing more); undefined where no place is free
   */
  take(address: string | undefined): (() => void) | undefined;
}

/** @param most of one address, where that is less than its share */
export function createPlaces(total: number, most = Number.POSITIVE_INFINITY): Places {
  let taken = 0;
  const takenBy = new Map<string, number>();
  return {
    take(address) {
      if (taken >= total) return undefined;
      const groups = networkKeysOf(address);
      const isFull = groups.some(({ key, level }) => {
        const limit = Math.max(1, total * SHARES[level]);
        return (takenBy.get(key) ?? 0) >= (level === 'address' ? Math.min(limit, most) : limit);
      });
      if (isFull) return undefined;
      taken += 1;
      for (const { key } of groups) takenBy.set(key, (takenBy.get(key) ?? 0) + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        taken -= 1;
        for (const { key } of groups) {
          const left = (takenBy.get(key) ?? 1) - 1;
          if (left > 0) takenBy.set(key, left);
          else takenBy.delete(key);
        }
      };
    },
  };
}
