/**
 * A queue that runs one task at a time, each at the start of an interval. Hashing a password blocks the embedded database
 * for some 70 ms: many at once must not delay offers.
 *
 * An interval counts from the start of its task, and no result is returned before it is over. With a delay after the end
 * of a task instead, waiting clients could measure how long the tasks took, and so find out which accounts exist.
 */

/** From the start of one task to that of the next; a task that takes longer delays the next. */
const INTERVAL_MS = 500;

/**
 * Number of tasks of unknown devices that may wait: 10 s. With the 8 s that the auth server has for a password the last
 * one gets its response before the gateway's 25 s are over. Tasks of known devices are few: they have limits of their own.
 */
const MAX_WAITING = 20;

export interface Queue {
  /**
   * Takes a place, and runs a task when its turn comes; those of known devices go first.
   * @param admit runs once there is a place; where it throws, the place is free again
   * @throws QueueFull if there is no place
   */
  run<Result>(
    isKnownDevice: boolean,
    admit: () => Promise<void>,
    task: () => Promise<Result>,
  ): Promise<Result>;
}

/** Every place is taken. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

export function createQueue(sleep = sleepFor): Queue {
  const known: (() => Promise<void>)[] = [];
  const unknown: (() => Promise<void>)[] = [];
  let running = false;
  /** Places of unknown devices that are taken, until their tasks start. */
  let taken = 0;

  async function runAll(): Promise<void> {
    if (running) return;
    running = true;
    for (let next = known.shift() ?? unknown.shift(); next; next = known.shift() ?? unknown.shift())
      await next();
    running = false;
  }

  return {
    run: async (isKnownDevice, admit, task) => {
      if (!isKnownDevice && taken >= MAX_WAITING) throw new QueueFull();
      const place = isKnownDevice ? 0 : 1;
      taken += place;
      await admit().catch((error: unknown) => {
        taken -= place;
        throw error;
      });
      return await new Promise((resolve) => {
        (isKnownDevice ? known : unknown).push(async () => {
          taken -= place;
          const over = sleep(INTERVAL_MS);
          const result = task();
          await Promise.allSettled([over, result]);
          resolve(result);
        });
        void runAll();
      });
    },
  };
}

function sleepFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
