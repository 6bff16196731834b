/** How many bodies of one address may be unfinished at once. */
const MAX_OF_ONE_ADDRESS = 256;

/** A place for one unfinished body. */
interface Held {
  readonly address: string;
  readonly evict: () => void;
}

/**
 * Places for bodies that are still being received. An unfinished body costs its sender nothing, so that senders could hold
 * all places: when none is free, the oldest body of the address that holds the most is given up for the newcomer.
 */
export interface BodyPlaces {
  /**
   * Takes a place.
   * @param evict called when the place is given to another; the body is to be given up
   * @returns gives the place back (calling it twice does nothing more); undefined where the address itself holds the most
   */
  take(address: string | undefined, evict: () => void): (() => void) | undefined;
}

export function createBodyPlaces(total: number): BodyPlaces {
  /** In the order in which they were taken. */
  const held = new Set<Held>();
  const counts = new Map<string, number>();

  const add = (one: Held) => {
    held.add(one);
    counts.set(one.address, (counts.get(one.address) ?? 0) + 1);
  };
  const remove = (one: Held) => {
    if (!held.delete(one)) return;
    const left = (counts.get(one.address) ?? 1) - 1;
    if (left > 0) counts.set(one.address, left);
    else counts.delete(one.address);
  };
  return {
    take(address = 'unknown', evict) {
      const own = counts.get(address) ?? 0;
      if (own >= MAX_OF_ONE_ADDRESS) return undefined;
      if (held.size >= total) {
        const [crowded, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
        if (own >= most) return undefined;
        for (const one of held) {
          if (one.address !== crowded) continue;
          remove(one);
          one.evict();
          break;
        }
      }
      const mine = { address, evict };
      add(mine);
      return () => remove(mine);
    },
  };
}
