import { senderOf } from '#contract/ip-networks.ts';

/** Most unfinished bodies of one IP. */
const MAX_PER_IP = 256;

/** A slot for one unfinished body. */
type Slot = { readonly evict: () => void };

/**
 * Slots for bodies that are still being received. An unfinished body costs its sender nothing, so that an attacker could
 * hold all slots: when none is free, the oldest body of the IP with the most slots is evicted.
 */
export function createBodySlots(total: number) {
  /** By ip, in the order in which they were acquired. */
  const slots = new Map<string, Set<Slot>>();
  let used = 0;

  const release = (ip: string, slot: Slot) => {
    const own = slots.get(ip);
    if (!own?.delete(slot)) return;
    used -= 1;
    if (own.size === 0) slots.delete(ip);
  };
  return {
    /**
     * Acquires a slot.
     * @param evict called when the slot goes to another ip; the body must be dropped
     * @returns releases the slot (idempotent); undefined if the ip itself holds the most
     */
    acquire(address: string | undefined, evict: () => void): (() => void) | undefined {
      const { ip } = senderOf(address);
      const own = slots.get(ip) ?? new Set();
      if (own.size >= MAX_PER_IP) return undefined;
      if (used >= total) {
        const [busiest, most] = [...slots].reduce((a, b) => (b[1].size > a[1].size ? b : a));
        const [oldest] = most;
        if (!oldest || own.size >= most.size) return undefined;
        release(busiest, oldest);
        oldest.evict();
      }
      const slot = { evict };
      slots.set(ip, own.add(slot));
      used += 1;
      return () => release(ip, slot);
    },
  };
}
