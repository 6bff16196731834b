/** Worker that solves bot checks in advance, for the domains given in turn: posts one token per message. */
import { parentPort, workerData } from 'node:worker_threads';
import { botCheckToken } from '../tests/support/calls.ts';

const { origin, count, domains } = workerData as { origin: string; count: number; domains?: string[] };

for (let made = 0; made < count; made += 1) {
  parentPort?.postMessage(await botCheckToken({ origin }, domains?.[made % domains.length]));
}
