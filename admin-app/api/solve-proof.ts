import { solveChallenge } from 'altcha-lib';
import type { Challenge, Proof } from '#contract/bot-check.ts';
import { deriveKey } from '../../src/api/bot-check/derive-key.ts';

/**
 * Solves a challenge to sign in: some 3 s. In the page itself, with pauses, because Trusted Types forbid it to start a
 * worker, and it waits for the result anyway.
 * @throws Error where there is no solution within 90 s
 */
export async function solveProof(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('No solution within the time limit.');
  const { counter, derivedKey } = solution;
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } } satisfies Proof));
}
