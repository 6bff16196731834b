import { hash } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import type { DeriveKeyFunction } from 'altcha-lib/types';
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

/** ALTCHA's `SHA-256`, as src/api/bot-check/derive-key.ts has it for browsers. */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength }, salt, password) => {
  let derivedKey: Buffer = Buffer.concat([salt, password]);
  for (let round = 0; round < cost; round += 1) derivedKey = hash('sha256', derivedKey, 'buffer');
  return { derivedKey: new Uint8Array(derivedKey.subarray(0, keyLength)) };
};
