import { senderOf } from '#contract/ip-networks.ts';
import { isLoopback } from './client-ip.ts';

/** Largest share of all slots for one IP and its network. */
const SHARES = { ip: 1 / 4, network: 1 / 2 } as const;

/** Slots of one IP and of its network, where these are fewer than their shares. */
export interface Most {
  readonly ip?: number;
  readonly network?: number;
}

/** Of an upstream that every client may use, with 512 slots: 40 networks that have all of theirs leave slots to others. */
export const MOST_OF_PUBLIC = { ip: 8, network: 12 } as const satisfies Most;

/**
 * A fixed number of slots for requests in flight. No IP and no network gets all.
 * @param mostOfLoopback for the IPs of this machine
 */
export function createSlots(total: number, most: Most = {}, mostOfLoopback = most) {
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
      const { ip: mostOfIp = total, network: mostOfNetwork = total } = isLoopback(ip) ? mostOfLoopback : most;
      const limits = [
        { key: `ip ${sender.ip}`, limit: Math.min(total * SHARES.ip, mostOfIp) },
        { key: `network ${sender.network}`, limit: Math.min(total * SHARES.network, mostOfNetwork) },
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
