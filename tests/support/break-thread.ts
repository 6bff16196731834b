import type { ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import type { ThreadFault } from './thread-faults.ts';

/** A time that a thread is busy for: longer than any test. */
export const FOR_EVER_MS = 3_600_000;

/** Options of a Node that starts a product whose thread can be broken; its `stdio` must have an IPC channel. */
export const BREAKABLE = ['--import', pathToFileURL('tests/support/thread-faults.ts').href];

/**
 * Breaks the thread of a running product.
 * @returns whether there was a thread; false also where the process ends before it responds
 */
export async function breakThread(product: ChildProcess, fault: ThreadFault): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onExit = () => resolve(false);
  product.once('message', resolve).once('exit', onExit);
  product.send(fault, (error) => error && resolve(false));
  const isBroken = await promise;
  product.off('message', resolve).off('exit', onExit);
  return isBroken;
}
