import { fifoCache } from './fifo-cache.ts';
import type { Limit } from './rate-limits.ts';

const MAX_LIMITS = 10_000;

type Counted = Pick<Limit, 'bucket' | 'key'>;

/** Remembers limits that the database found full, so that further requests of their senders cost no call of it. */
export function createLimitedSenders(now = Date.now) {
  const endsAt = fifoCache<number>(MAX_LIMITS);
  const wait = (key: string) => Math.max(0, Math.ceil(((endsAt.get(key) ?? 0) - now()) / 1_000));
  return {
    /** @param full seconds by bucket, as the database returns them */
    add(limits: readonly Counted[], full: Readonly<Record<string, number>> | null | undefined): void {
      for (const { bucket, key } of limits) {
        const seconds = full?.[bucket];
        if (seconds !== undefined) endsAt.set(key, now() + seconds * 1_000);
      }
    },
    /** Forgets them: a hit was released. */
    forget(limits: readonly Counted[]): void {
      for (const { key } of limits) if (wait(key) > 0) endsAt.set(key, 0);
    },
    /** Seconds until none of the limits is full, as far as is known; 0 if none is. */
    wait: (limits: readonly Counted[]) => Math.max(0, ...limits.map(({ key }) => wait(key))),
  };
}
