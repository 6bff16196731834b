/** Issues the challenges of the proof of work, and verifies proofs. */
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { createChallenge, randomInt } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import * as z from 'zod/mini';
import {
  BOT_CHECK_ACTION,
  type Challenge,
  costOfStep,
  PROOF_LIFETIME_SECONDS,
  PROOF_WORK,
  type Proof,
  ProofSchema,
  SIGN_IN_ACTION,
  SIGN_IN_MAX_COUNTER,
  SIGN_IN_PROOF_LIFETIME_SECONDS,
  stepOfCost,
} from './contract/bot-check.ts';
import { isSameSignature, keyedHash } from './keyed-hash.ts';
import type { Settings } from './settings.ts';

/** The purpose of a proof: `parameters.data` of its challenge. */
export const ProofPurposeSchema = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal(BOT_CHECK_ACTION),
    /** The proof is valid for an offer for this domain only. */
    domain: z.string(),
    /**
     * Identifies the offer that a harder challenge was issued for (the signature of its first challenge), so that the
     * offer is stored once, whichever of its proofs arrives.
     */
    replaces: z.optional(z.string()),
  }),
  z.strictObject({
    action: z.literal(SIGN_IN_ACTION),
    /** Keyed hash of the account; the proof is valid for no other. */
    account: z.string(),
  }),
]);
export type ProofPurpose = z.infer<typeof ProofPurposeSchema>;

/** A proof that was parsed, but not yet verified by `verifyProof`. */
export interface ReadProof extends Proof {
  readonly purpose: ProofPurpose;
  /** The step that its work is enough for; the signature covers it, as the challenge's cost. */
  readonly step: number;
  /** The same for all proofs of one offer, in whatever way they are encoded. */
  readonly identity: string;
}

/** `expired`: solved, but too late. */
export type ProofVerdict = 'solved' | 'expired' | 'wrong';

/**
 * Issues a challenge without storing it. It costs the server 64 to 1,024 hashes, and the visitor some thousand times as
 * many.
 * @param expiresAt seconds since 1970
 */
export async function issueChallenge(
  { secretKey }: Settings,
  purpose: ProofPurpose,
  step: number,
  expiresAt = Math.floor(Date.now() / 1000) + lifetimeOf(purpose),
): Promise<Challenge> {
  const maxCounter = purpose.action === SIGN_IN_ACTION ? SIGN_IN_MAX_COUNTER : PROOF_WORK.maxCounter;
  const challenge = await createChallenge({
    algorithm: PROOF_WORK.algorithm,
    cost: costOfStep(step),
    counter: randomInt(maxCounter, 0),
    deriveKey,
    data: purpose as Record<string, string>,
    expiresAt,
    ...challengeSecrets(secretKey),
  });
  return challenge as Challenge;
}

/** In seconds. */
function lifetimeOf({ action }: ProofPurpose): number {
  return action === SIGN_IN_ACTION ? SIGN_IN_PROOF_LIFETIME_SECONDS : PROOF_LIFETIME_SECONDS;
}

/** Parses a token. Undefined if it is no proof of work. */
export function readProof(token: string): ReadProof | undefined {
  try {
    const proof = ProofSchema.parse(JSON.parse(atob(token)));
    const purpose = ProofPurposeSchema.parse(proof.challenge.parameters.data);
    const { signature, parameters } = proof.challenge;
    const identity = ('replaces' in purpose && purpose.replaces) || signature;
    return { ...proof, purpose, step: stepOfCost(parameters.cost), identity };
  } catch {
    return undefined;
  }
}

/**
 * Verifies a proof without the database. Does what ALTCHA's `verifySolution` does, except that it verifies expired
 * proofs too: an offer may be stored although its response was lost, and its token must still be recognised.
 */
export function verifyProof({ secretKey }: Settings, proof: ReadProof): ProofVerdict {
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
