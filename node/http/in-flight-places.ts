import { isIPv4, isIPv6 } from 'node:net';

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

export function createPlaces(total: number): Places {
  let taken = 0;
  const takenBy = new Map<string, number>();
  return {
    take(address) {
      if (taken >= total) return undefined;
      const groups = groupsOf(address);
      if (groups.some(({ key, share }) => (takenBy.get(key) ?? 0) >= Math.max(1, total * share)))
        return undefined;
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

/** IPv4: the address and its /24. IPv6: the /64, which one household has, the /56 and the /48. */
function groupsOf(address = ''): { key: string; share: number }[] {
  if (isIPv4(address)) {
    return [
      { key: address, share: SHARES.address },
      { key: address.slice(0, address.lastIndexOf('.')), share: SHARES.network },
    ];
  }
  if (!isIPv6(address)) return [{ key: 'unknown', share: SHARES.address }];
  const bits = networkBitsOf(address);
  return [
    { key: bits.slice(0, 16), share: SHARES.address },
    { key: bits.slice(0, 14), share: SHARES.network },
    { key: bits.slice(0, 12), share: SHARES.site },
  ];
}

/** The first 64 bits of an IPv6 address as 16 hexadecimal digits. */
function networkBitsOf(address: string): string {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups.
  const rightGroups = right.length + (right.at(-1)?.includes('.') ? 1 : 0);
  const middle = tail === undefined ? 0 : Math.max(0, 8 - left.length - rightGroups);
  const groups = [...left, ...Array<string>(middle).fill('0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.padStart(4, '0').toLowerCase())
    .join('');
}
