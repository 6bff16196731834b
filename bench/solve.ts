/** Worker that solves bot checks in advance: posts one token per message. */
import { parentPort, workerData } from 'node:worker_threads';
import { botCheckToken } from '../tests/support/calls.ts';

const { origin, count } = workerData as { origin: string; count: number };

for (let made = 0; made < count; made += 1) parentPort?.postMessage(await botCheckToken({ origin }));
