import { fifoCache } from './fifo-cache.ts';

const MAX_SENDERS = 10_000;

/** Remembers senders past their limit, so that their further requests cost no call of the database. */
export function createLimitedSenders(now = Date.now) {
  const endsAt = fifoCache<number>(MAX_SENDERS);
  return {
    /** @param sender an IP, a network, or what else is limited */
    add: (sender: string, seconds: number) => endsAt.set(sender, now() + seconds * 1_000),
    /** Seconds until the limit ends; 0 if there is none. */
    wait: (sender: string) => Math.max(0, Math.ceil(((endsAt.get(sender) ?? 0) - now()) / 1_000)),
  };
}
