/**
 * A queue that runs one task at a time, each at the start of an interval, and has a limited number of places. Hashing a
 * password blocks the embedded database for some 70 ms: many at once must not delay offers.
 *
 * The next task is one of a source chosen at random, so that a source with many tasks delays the others little and
 * cannot occupy the first places. Tasks of one source run in the order they came.
 *
 * An interval counts from the start of its task, and no result is returned before it is over. With a delay after the end
 * of a task instead, waiting clients could measure how long the tasks took, and so find out which accounts exist.
 */
export interface Queue {
  /**
   * Reserves a place for one task. Undefined if the queue is full.
   * @param source what the task comes from; see `lengthPerSource`
   */
  reserve(source: string): Place | undefined;
}

/** A reserved place. Either `run` or `release` must be called, once. */
export interface Place {
  /** Runs the task when its turn comes, and releases the place afterwards. */
  run<Result>(task: () => Promise<Result>): Promise<Result>;
  release(): void;
}

export interface QueueOptions {
  /** From the start of one task to that of the next; a task that takes longer delays the next. */
  readonly intervalMs: number;
  /** Number of places, that of the running task included. */
  readonly length: number;
  /** Number of places of one source, that of the running task included. */
  readonly lengthPerSource: number;
}

export function createQueue(
  { intervalMs, length, lengthPerSource }: QueueOptions,
  sleep = sleepFor,
  random = Math.random,
): Queue {
  let reserved = 0;
  const reservedOf = new Map<string, number>();
  /** Waiting tasks by source; no source has an empty list. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let running = false;

  const addPlaces = (source: string, by: number) => {
    reserved += by;
    const ofSource = (reservedOf.get(source) ?? 0) + by;
    if (ofSource > 0) reservedOf.set(source, ofSource);
    else reservedOf.delete(source);
  };
  const nextTask = () => {
    const [source, tasks] = [...waiting][Math.floor(random() * waiting.size)] ?? [];
    const next = tasks?.shift();
    if (source !== undefined && tasks?.length === 0) waiting.delete(source);
    return next;
  };
  const runAll = async () => {
    if (running) return;
    running = true;
    for (let next = nextTask(); next; next = nextTask()) await next();
    running = false;
  };
  return {
    reserve: (source) => {
      if (reserved >= length || (reservedOf.get(source) ?? 0) >= lengthPerSource) return undefined;
      addPlaces(source, 1);
      return {
        release: () => addPlaces(source, -1),
        run: (task) =>
          new Promise((resolve) => {
            const start = async () => {
              const over = sleep(intervalMs);
              const result = task();
              await Promise.allSettled([over, result]);
              addPlaces(source, -1);
              resolve(result);
            };
            waiting.set(source, [...(waiting.get(source) ?? []), start]);
            void runAll();
          }),
      };
    },
  };
}

function sleepFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
