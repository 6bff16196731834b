/**
 * The bot check, for browser and functions. Two providers issue the `turnstile_token` of an offer: Cloudflare Turnstile
 * if a site key is set, otherwise a proof of work (ALTCHA) that needs no third party.
 */
import * as z from 'zod/mini';

/** The action that a token of an offer is bound to; Turnstile and the proof of work both carry it. */
export const BOT_CHECK_ACTION = 'order-submit';

/** Lifetime of a proof of work, from the issue of its challenge (Turnstile: 300 as well). */
export const PROOF_LIFETIME_SECONDS = 300;

/**
 * `x-client-info` of a request for a challenge where the page has had one for this domain: it begins no other offer. Older servers
 * take this header, too.
 */
export const AGAIN = 'again';

/**
 * One try costs `cost` rounds of SHA-256, and the solution is a counter from 0 to `maxCounter`, where the search begins.
 * 0.12 million rounds on average: 0.15 s on a laptop, 0.5 s on a phone.
 */
export const PROOF_WORK = { algorithm: 'SHA-256', cost: 64, maxCounter: 3_800 } as const;

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
    /** The purpose of the proof: it is valid for an offer for this domain only. */
    data: z.strictObject({ action: z.literal(BOT_CHECK_ACTION), domain: z.string() }),
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
