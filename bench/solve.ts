/** Solves bot checks ahead of time, in threads of its own: `postMessage(origin)` in, one token a message out. */
import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { solveChallenge } from 'altcha-lib';
import type { DeriveKeyFunction } from 'altcha-lib/types';
import { ChallengeSchema } from '../supabase/functions/_shared/contract/bot-check.ts';

const { origin, count, key } = workerData as { origin: string; count: number; key: string };

/** The product's own one is for browsers; this does the same with Node's faster hash. */
const deriveKey: DeriveKeyFunction = async ({ cost, keyLength = 32 }, salt, password) => {
  let derivedKey: Uint8Array<ArrayBuffer> = new Uint8Array([...salt, ...password]);
  for (let round = 0; round < cost; round += 1)
    derivedKey = new Uint8Array(hash('sha256', derivedKey, 'buffer'));
  return { derivedKey: derivedKey.subarray(0, keyLength) };
};

for (let made = 0; made < count; made += 1) {
  const answer = await fetch(`${origin}/functions/v1/bot-check`, { headers: { apikey: key } });
  const challenge = ChallengeSchema.parse(await answer.json());
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('A challenge was not solved.');
  const { counter, derivedKey } = solution;
  parentPort?.postMessage(btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } })));
}
