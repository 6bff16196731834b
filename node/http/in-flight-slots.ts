import { senderOf } from '#contract/ip-networks.ts';

/** Largest share of all slots for one IP and its network. */
const SHARES = { ip: 1 / 4, network: 1 / 2 } as const;

/**
 * A fixed number of slots for requests in flight. No IP and no network gets all.
 * @param most slots of one IP and of its network, if less than their shares
 */
export function createSlots(total: number, most: { readonly ip?: number; readonly network?: number } = {}) {
  let used = 0;
  const usedBy = new Map<string, number>();
  return {
    /**
     * Acquires a slot.
     * @param ip the client's IP; all unknown ones count as one
     * @returns releases the slot (idempotent); undefined if no slot is free
     */
    acquire(ip: string | undefined): (() => void) | undefined {
      if (used >= total) return undefined;
      const sender = senderOf(ip);
      const limits = [
        { key: `ip ${sender.ip}`, limit: Math.min(total * SHARES.ip, most.ip ?? total) },
        { key: `network ${sender.network}`, limit: Math.min(total * SHARES.network, most.network ?? total) },
      ];
      if (limits.some(({ key, limit }) => (usedBy.get(key) ?? 0) >= Math.max(1, limit))) return undefined;
      used += 1;
      for (const { key } of limits) usedBy.set(key, (usedBy.get(key) ?? 0) + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        used -= 1;
        for (const { key } of limits) {
          const left = (usedBy.get(key) ?? 1) - 1;
          if (left > 0) usedBy.set(key, left);
          else usedBy.delete(key);
        }
      };
    },
  };
}
