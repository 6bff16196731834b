import type { ChildProcess } from 'node:child_process';
import { breakThread } from '../support/break-thread.ts';
import { count } from './report.ts';

/** What can end at once: the process, by `kill -9`, or the backend's thread in it, by `terminate()`. */
export type Part = 'product' | 'thread';

/** Ends a part, unless it has ended. */
export async function killPart(product: ChildProcess, part: Part): Promise<void> {
  if (part === 'thread') {
    if (await breakThread(product, 'terminate')) count('terminations');
    return;
  }
  product.kill('SIGKILL');
  count('kills');
}
