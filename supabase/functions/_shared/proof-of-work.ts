/** Issues the challenges of the proof of work, and verifies proofs. */
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { createChallenge, randomInt } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import {
  BOT_CHECK_ACTION,
  type Challenge,
  PROOF_LIFETIME_SECONDS,
  PROOF_WORK,
  type Proof,
  ProofSchema,
} from './contract/bot-check.ts';
import { isSameSignature, keyedHash } from './keyed-hash.ts';
import type { Settings } from './settings.ts';

/** `expired`: solved, but too late. */
export type ProofVerdict = 'solved' | 'expired' | 'wrong';

/**
 * Issues a challenge for an offer for one domain, without storing it. It costs the server 64 hashes, and the visitor some
 * thousand times as many.
 * @param expiresAt seconds since 1970
 */
export async function issueChallenge(
  { secretKey }: Settings,
  domain: string,
  expiresAt = Math.floor(Date.now() / 1000) + PROOF_LIFETIME_SECONDS,
): Promise<Challenge> {
  const challenge = await createChallenge({
    algorithm: PROOF_WORK.algorithm,
    cost: PROOF_WORK.cost,
    counter: randomInt(PROOF_WORK.maxCounter, 0),
    deriveKey,
    data: { action: BOT_CHECK_ACTION, domain },
    expiresAt,
    ...challengeSecrets(secretKey),
  });
  return challenge as Challenge;
}

/** Parses a token. Undefined if it is no proof of work. */
export function readProof(token: string): Proof | undefined {
  try {
    return ProofSchema.parse(JSON.parse(atob(token)));
  } catch {
    return undefined;
  }
}

/**
 * Verifies a proof without the database. Does what ALTCHA's `verifySolution` does, except that it verifies expired
 * proofs too: an offer may be stored although its response was lost, and its token must still be recognised.
 */
export function verifyProof({ secretKey }: Settings, proof: Proof): ProofVerdict {
  const { parameters, signature } = proof.challenge;
  const { counter, derivedKey } = proof.solution;
  const secrets = challengeSecrets(secretKey);
  if (!isHmac(secrets.hmacSignatureSecret, canonicalJson(parameters), signature)) return 'wrong';
  // The signature covers the key's own signature, so that a solution is verified without deriving its key again.
  if (!/^(?:[0-9a-f]{2})+$/.test(derivedKey)) return 'wrong';
  if (!Number.isInteger(counter) || counter < 0 || counter > 0xffff_ffff) return 'wrong';
  const key = Buffer.from(derivedKey, 'hex');
  if (!isHmac(secrets.hmacKeySignatureSecret, key, String(parameters.keySignature))) return 'wrong';
  return parameters.expiresAt < Date.now() / 1000 ? 'expired' : 'solved';
}

/** Derives the two secrets of a proof of work: for the challenge, and for the key that solves it. */
export function challengeSecrets(secretKey: string) {
  return {
    hmacSignatureSecret: keyedHash(secretKey, 'proof-of-work', 'challenge'),
    hmacKeySignatureSecret: keyedHash(secretKey, 'proof-of-work', 'answer'),
  };
}

/** JSON with sorted keys, as ALTCHA signs it. */
function canonicalJson(value: object): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function isHmac(secret: string, signed: string | Buffer, signature: string): boolean {
  return isSameSignature(signature, createHmac('sha256', secret).update(signed).digest('hex'));
}
