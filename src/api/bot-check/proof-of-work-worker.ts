import { solveChallenge } from 'altcha-lib';
import type { Challenge } from '#contract/bot-check.ts';
import { deriveKey } from './derive-key.ts';

addEventListener('message', async ({ data: challenge }: MessageEvent<Challenge>) => {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('No solution within the time limit.');
  postMessage({ counter: solution.counter, derivedKey: solution.derivedKey });
});
