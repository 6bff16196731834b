/**
 * Loaded into a product before its own code, in its process and in each of its threads: breaks the backend's thread as a
 * test says (break-thread.ts).
 */
import { BroadcastChannel, isMainThread, type Worker } from 'node:worker_threads';

/** `terminate` ends the thread from outside, `exhaust` uses all of its memory; a number keeps it busy for so many ms. */
export type ThreadFault = 'terminate' | 'exhaust' | number;

const channel = new BroadcastChannel('thread-faults');
if (isMainThread) receiveFaults();
else channel.onmessage = (event: unknown) => fail((event as { data: ThreadFault }).data);
channel.unref();

/** Sends back whether there was a thread to break. */
function receiveFaults(): void {
  const threads = new Set<Worker>();
  process.on('worker', (worker) => {
    threads.add(worker);
    worker.once('exit', () => threads.delete(worker));
  });
  process.on('message', async (fault: ThreadFault) => {
    // A check of the catalogue, which has a thread for a moment, begins after the backend.
    const [backend] = threads;
    if (fault === 'terminate') await backend?.terminate();
    else channel.postMessage(fault);
    process.send?.(backend !== undefined);
  });
  process.channel?.unref();
}

function fail(fault: ThreadFault): void {
  const end = performance.now() + Number(fault);
  // Each array below 16 MB: one that is larger than what V8 still grants at the limit would end the whole process.
  for (const all: number[][] = []; fault === 'exhaust'; ) all.push(new Array(1_000_000).fill(1.5));
  while (performance.now() < end);
}
