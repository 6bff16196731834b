/** The lanes of `admin-auth`. Each has its own queue, so that a flood in one delays no other. */
import { createQueue, type Queue } from './queue.ts';

/** How an attempt to sign in is queued: by a known device, with a proof of work, or with neither. */
export type Lane = 'device' | 'proof' | 'open';

/**
 * Creates the queues, once for all requests. The shortest interval is long enough for a hash. A full queue is run in less
 * than its longest wait.
 */
export function createLanes(): Record<Lane, Queue> {
  return {
    device: createQueue({ intervalMs: 200, length: 30 }),
    proof: createQueue({ intervalMs: 300, length: 40 }),
    open: createQueue({ intervalMs: 500, length: 10 }),
  };
}
