/**
 * The bot check, for browser and functions. Two providers issue the `turnstile_token` of an offer: Cloudflare Turnstile
 * if a site key is set, otherwise a proof of work (ALTCHA) that needs no third party.
 */
import * as z from 'zod/mini';

/** The action that a token of an offer is bound to; Turnstile and the proof of work both carry it. */
export const BOT_CHECK_ACTION = 'order-submit';

/** The action of a proof of work that is valid for one attempt to sign in. */
export const SIGN_IN_ACTION = 'sign-in';

/** Lifetime of a proof of work for an offer, from the issue of its challenge (Turnstile: 300 as well). */
export const PROOF_LIFETIME_SECONDS = 300;

/** Lifetime of a proof to sign in: a phone works for minutes on the hardest. */
export const SIGN_IN_PROOF_LIFETIME_SECONDS = 900;

/** The hardest step. An offer beyond it is stored as held. */
export const MAX_STEP = 4;

/**
 * The work of step 0: one try costs `cost` rounds of SHA-256, and the solution is a counter from 0 to `maxCounter`,
 * where the search begins. 0.12 million rounds on average: 0.15 s on a laptop, 0.5 s on a phone.
 */
export const PROOF_WORK = { algorithm: 'SHA-256', cost: 64, maxCounter: 3_800 } as const;

/** Rounds of one try, by step: each step doubles the work, up to 16 times (8 s on one processor core of a phone). */
const COSTS = [64, 128, 256, 512, 1_024] as const;

/** The highest counter of a challenge to sign in: 16 times the work of an offer's on each step, and cheap to issue. */
export const SIGN_IN_MAX_COUNTER = 16 * PROOF_WORK.maxCounter;

/** The rounds of one try at a step; steps above `MAX_STEP` need no more work. */
export function costOfStep(step: number): number {
  return COSTS[Math.min(step, MAX_STEP)] ?? PROOF_WORK.cost;
}

/** The step of a challenge. */
export function stepOfCost(cost: number): number {
  return COSTS.indexOf(cost as (typeof COSTS)[number]);
}

/** A challenge of the function `bot-check`: ALTCHA's parameters with the server's signature over them. */
export const ChallengeSchema = z.object({
  parameters: z.looseObject({
    algorithm: z.literal(PROOF_WORK.algorithm),
    cost: z.literal(COSTS),
    nonce: z.string(),
    salt: z.string(),
    keyPrefix: z.string(),
    keyLength: z.number(),
    /** Seconds since 1970. */
    expiresAt: z.number(),
  }),
  /** HMAC-SHA-256 in hexadecimal. */
  signature: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type Challenge = z.infer<typeof ChallengeSchema>;

/** The solved challenge; as base64 of its JSON it is the token. */
export const ProofSchema = z.object({
  challenge: ChallengeSchema,
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});
export type Proof = z.infer<typeof ProofSchema>;

/** A rejected request that can be sent again with the proof of this challenge. */
export const WithChallengeSchema = z.object({ challenge: ChallengeSchema });
