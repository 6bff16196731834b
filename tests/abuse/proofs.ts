/** Proofs of work, in the two ways to get one: by solving a challenge as visitors do, and with the server's key. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { BOT_CHECK_ACTION, type Challenge, PROOF_WORK, type Proof } from '#contract/bot-check.ts';
import { challengeSecrets } from '../../supabase/functions/_shared/proof-of-work.ts';
import { sendRequest } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';

/** Fetches a challenge and solves it beside this thread: some 0.1 s of a processor. */
export async function solveProof(port: number, domain = 'lap.app'): Promise<string> {
  return encodeProof(await solve(await fetchChallenge(port, domain)));
}

export async function fetchChallenge(port: number, domain = 'lap.app'): Promise<Challenge> {
  const path = `/functions/v1/bot-check?domain=${domain}`;
  const response = await sendRequest(port, { path, headers: { apikey: PUBLIC_KEY } });
  if (response.status !== 200) throw new Error(`no challenge: ${response.status}`);
  return JSON.parse(response.text) as Challenge;
}

export async function solve(challenge: Challenge): Promise<Proof> {
  const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { workerData: challenge });
  const [proof] = (await once(worker, 'message')) as [Proof];
  return proof;
}

/** A token as the form sends it. */
export function encodeProof(proof: unknown): string {
  return Buffer.from(JSON.stringify(proof)).toString('base64');
}

export interface ProofChange {
  secondsLeft?: number;
  action?: string;
  domain?: string;
  counter?: number;
}

/**
 * Makes solved proofs without the work, with the server's secret key: for tests of what comes after the bot check, and
 * of proofs that no visitor can get (expired ones, or for another action).
 */
export function proofMaker(secretKey: string) {
  return async (change: ProofChange = {}): Promise<Proof> => {
    const { secondsLeft = 250, action = BOT_CHECK_ACTION, counter = 1_000, domain = 'lap.app' } = change;
    const challenge = await createChallenge({
      algorithm: PROOF_WORK.algorithm,
      cost: PROOF_WORK.cost,
      counter,
      deriveKey,
      data: { action, domain },
      expiresAt: Math.floor(Date.now() / 1000) + secondsLeft,
      ...challengeSecrets(secretKey),
    });
    return { challenge: challenge as Challenge, solution: await solutionOf(challenge as Challenge, counter) };
  };
}

async function solutionOf(challenge: Challenge, counter: number): Promise<Proof['solution']> {
  const { nonce, salt } = challenge.parameters;
  const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(4)]);
  password.writeUInt32BE(counter, password.length - 4);
  const { derivedKey } = await deriveKey(challenge.parameters, Buffer.from(salt, 'hex'), password);
  return { counter, derivedKey: Buffer.from(derivedKey).toString('hex') };
}
