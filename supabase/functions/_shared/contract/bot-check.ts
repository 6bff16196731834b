/**
 * The bot check, as both ends know it. Two providers hand over the same `turnstile_token`:
 * Cloudflare Turnstile where a site key is set, otherwise a proof of work (ALTCHA) that needs no third party.
 */
import * as z from 'zod/mini';

/** The action a token is bound to; Turnstile and the proof of work both carry it. */
export const BOT_CHECK_ACTION = 'order-submit';

/** How long a proof of work may be handed in after its challenge was made, in seconds (Turnstile: 300 as well). */
export const PROOF_LIFETIME_SECONDS = 300;

/**
 * The work asked for: one try costs `cost` rounds of SHA-256, and the answer is a number between
 * `min` and `max`: 0.1 to 0.4 million rounds, some 0.3 s on a laptop and about a second on a phone.
 */
export const PROOF_WORK = { algorithm: 'SHA-256', cost: 64, min: 2_000, max: 6_000 } as const;

/** A challenge of the function `bot-check`: ALTCHA's parameters with the server's signature over them. */
export const ChallengeSchema = z.object({
  parameters: z.looseObject({
    algorithm: z.literal(PROOF_WORK.algorithm),
    cost: z.literal(PROOF_WORK.cost),
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
