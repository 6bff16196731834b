/**
 * A queue that runs one task at a time, each at the start of an interval, and has a limited number of places. Hashing a
 * password blocks the embedded database for some 70 ms: many at once must not delay offers.
 *
 * Networks take turns, so that one with many tasks delays the others little (waiting-tasks.ts). In a full queue the most
 * crowded network loses its newest task to a network with fewer.
 *
 * An interval counts from the start of its task, and no result is returned before it is over. With a delay after the end
 * of a task instead, waiting clients could measure how long the tasks took, and so find out which accounts exist.
 */
import { createWaitingTasks, type Source } from './waiting-tasks.ts';

/**
 * Longest wait for a turn, in milliseconds. With the 8 s that the auth server has for a password it stays below the 25 s
 * that the gateway waits for a response.
 */
const MAX_WAIT_MS = 15_000;

export interface Queue {
  /**
   * Runs a task when its turn comes.
   * @param source what the task comes from
   * @throws QueueFull if the task was not started
   */
  run<Result>(source: Source, task: () => Promise<Result>): Promise<Result>;
  /** Returns how full the queue is for a source, from 0 to 1: other networks' places count once for each network. */
  fullnessFor(source: Source): number;
}

/** Thrown if a task finds no place, loses it to another network, or has waited too long. It was not started. */
export class QueueFull extends Error {
  override name = 'QueueFull';
}

export interface QueueOptions {
  /** From the start of one task to that of the next; a task that takes longer delays the next. */
  readonly intervalMs: number;
  /** Number of places for waiting tasks. */
  readonly length: number;
}

interface WaitingTask {
  readonly since: number;
  start(): Promise<void>;
  reject(error: QueueFull): void;
}

export function createQueue({ intervalMs, length }: QueueOptions, sleep = sleepFor, now = Date.now): Queue {
  const waiting = createWaitingTasks<WaitingTask>();
  let running = false;

  const runAll = async () => {
    if (running) return;
    running = true;
    for (let next = waiting.next(); next; next = waiting.next()) {
      if (now() - next.since > MAX_WAIT_MS) next.reject(new QueueFull());
      else await next.start();
    }
    running = false;
  };
  return {
    run: (source, task) =>
      new Promise((resolve, reject) => {
        if (waiting.size >= length) {
          const displaced = waiting.displace(source);
          if (!displaced) {
            reject(new QueueFull());
            return;
          }
          displaced.reject(new QueueFull());
        }
        const start = async () => {
          const over = sleep(intervalMs);
          const result = task();
          await Promise.allSettled([over, result]);
          resolve(result);
        };
        waiting.add(source, { since: now(), start, reject });
        void runAll();
      }),
    fullnessFor: (source) => Math.min(1, waiting.crowdFor(source) / length),
  };
}

function sleepFor(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
