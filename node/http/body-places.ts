import { senderOf } from '#contract/ip-networks.ts';

/** Most unfinished bodies of one IP. */
const MAX_PER_IP = 256;

/** A place for one unfinished body. */
type HeldPlace = { readonly evict: () => void };

/**
 * Places for bodies that are still being received. An unfinished body costs its sender nothing, so that an attacker could
 * hold all places: when none is free, the oldest body of the IP with the most places is evicted.
 */
export function createBodyPlaces(total: number) {
  /** By ip, in the order in which they were acquired. */
  const places = new Map<string, Set<HeldPlace>>();
  let used = 0;

  const release = (ip: string, place: HeldPlace) => {
    const own = places.get(ip);
    if (!own?.delete(place)) return;
    used -= 1;
    if (own.size === 0) places.delete(ip);
  };
  return {
    /**
     * Acquires a place.
     * @param evict called when the place goes to another ip; the body must be dropped
     * @returns releases the place (idempotent); undefined if the ip itself holds the most
     */
    acquire(address: string | undefined, evict: () => void): (() => void) | undefined {
      const { ip } = senderOf(address);
      const own = places.get(ip) ?? new Set();
      if (own.size >= MAX_PER_IP) return undefined;
      if (used >= total) {
        const [busiest, most] = [...places].reduce((a, b) => (b[1].size > a[1].size ? b : a));
        const [oldest] = most;
        if (!oldest || own.size >= most.size) return undefined;
        release(busiest, oldest);
        oldest.evict();
      }
      const place = { evict };
      places.set(ip, own.add(place));
      used += 1;
      return () => release(ip, place);
    },
  };
}
