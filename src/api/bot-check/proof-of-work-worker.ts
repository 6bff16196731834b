import { solveChallenge } from 'altcha-lib';
import type { Challenge } from '#contract/bot-check.ts';
import { deriveKey } from './derive-key.ts';

addEventListener('message', async ({ data: challenge }: MessageEvent<Challenge>) => {
  try {
    const solution = await solveChallenge({ challenge, deriveKey });
    if (!solution) throw new Error('No solution within the time limit.');
    postMessage({ counter: solution.counter, derivedKey: solution.derivedKey });
  } catch (error) {
    // The page gets no event of a rejection.
    postMessage(error);
  }
});
