/** Most unfinished bodies of one ip. */
const MAX_PER_IP = 256;

/** A place for one unfinished body. */
interface HeldPlace {
  readonly ip: string;
  readonly evict: () => void;
}

/**
 * Places for bodies that are still being received. An unfinished body costs its sender nothing, so that an attacker could
 * hold all places: when none is free, the oldest body of the ip with the most places is evicted.
 */
export interface BodyPlaces {
  /**
   * Acquires a place.
   * @param evict called when the place goes to another ip; the body must be dropped
   * @returns releases the place (idempotent); undefined if the ip itself holds the most
   */
  acquire(ip: string | undefined, evict: () => void): (() => void) | undefined;
}

export function createBodyPlaces(total: number): BodyPlaces {
  /** In the order in which they were acquired. */
  const held = new Set<HeldPlace>();
  const counts = new Map<string, number>();

  const add = (one: HeldPlace) => {
    held.add(one);
    counts.set(one.ip, (counts.get(one.ip) ?? 0) + 1);
  };
  const remove = (one: HeldPlace) => {
    if (!held.delete(one)) return;
    const left = (counts.get(one.ip) ?? 1) - 1;
    if (left > 0) counts.set(one.ip, left);
    else counts.delete(one.ip);
  };
  return {
    acquire(ip = 'unknown', evict) {
      const own = counts.get(ip) ?? 0;
      if (own >= MAX_PER_IP) return undefined;
      if (held.size >= total) {
        const [busiest, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
        if (own >= most) return undefined;
        for (const one of held) {
          if (one.ip !== busiest) continue;
          remove(one);
          one.evict();
          break;
        }
      }
      const mine = { ip, evict };
      add(mine);
      return () => remove(mine);
    },
  };
}
