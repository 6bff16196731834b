import { solveChallenge } from 'altcha-lib';
import { type Challenge, type Proof, SIGN_IN_PROOF_LIFETIME_SECONDS } from '#contract/bot-check.ts';
import { deriveKey } from '../../src/api/bot-check/derive-key.ts';

/**
 * Solves a challenge to sign in in some 3 s, or up to 16 times that for an account under attack. Runs in the page itself,
 * with pauses, because Trusted Types forbid it to start a worker.
 * @throws Error where there is no solution before the challenge expires
 */
export async function solveProof(challenge: Challenge): Promise<string> {
  const timeout = SIGN_IN_PROOF_LIFETIME_SECONDS * 1_000;
  const solution = await solveChallenge({ challenge, deriveKey, timeout });
  if (!solution) throw new Error('No solution within the time limit.');
  const { counter, derivedKey } = solution;
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } } satisfies Proof));
}
