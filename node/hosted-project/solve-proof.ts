import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { ChallengeSchema } from '#contract/bot-check.ts';

/** Solves a challenge of `bot-check`. Returns the token of an offer, undefined where it is no challenge. */
export async function solveProof(body: unknown): Promise<string | undefined> {
  const parsed = ChallengeSchema.safeParse(body);
  if (!parsed.success) return undefined;
  const challenge = parsed.data;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) return undefined;
  const { counter, derivedKey } = solution;
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }));
}
