import { fifoCache } from '../_shared/fifo-cache.ts';

const MAX_SENDERS = 10_000;

/** Remembers IPs past their limit, so that their further requests cost no call of the database. */
export function createLimitedSenders(now = Date.now) {
  const endsAt = fifoCache<number>(MAX_SENDERS);
  return {
    add: (ip: string, seconds: number) => endsAt.set(ip, now() + seconds * 1_000),
    /** Seconds until the limit ends; 0 if there is none. */
    wait: (ip: string) => Math.max(0, Math.ceil(((endsAt.get(ip) ?? 0) - now()) / 1_000)),
  };
}
