import { solveChallenge } from 'altcha-lib';
import type { Challenge } from '#contract/bot-check.ts';
import { deriveKey } from './derive-key.ts';

export interface WorkerTask {
  challenge: Challenge;
  /** This worker tries the counters from `counterStart` on, each `counterStep` after the one before. */
  counterStart: number;
  counterStep: number;
}

addEventListener('message', async ({ data }: MessageEvent<WorkerTask>) => {
  const solution = await solveChallenge({ ...data, deriveKey });
  if (!solution) throw new Error('No solution within the time limit.');
  postMessage({ counter: solution.counter, derivedKey: solution.derivedKey });
});
