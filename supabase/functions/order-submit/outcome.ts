import * as z from 'zod/mini';

/** What `announce_offer` and `submit_offer` return. */
export const OutcomeSchema = z.discriminatedUnion('outcome', [
  /** Announced: nothing is stored yet. */
  z.object({ outcome: z.literal('new'), step: z.number() }),
  z.object({ outcome: z.literal('stored'), id: z.uuid() }),
  /** The same offer was stored before. */
  z.object({ outcome: z.literal('repeated'), id: z.uuid() }),
  /** Another offer was stored with the same token: its id, and the hash of its texts. */
  z.object({ outcome: z.literal('conflict'), id: z.uuid(), payload_hash: z.string() }),
  /** The token's work is not enough. */
  z.object({ outcome: z.literal('harder'), step: z.number() }),
  /** The catalogue changed meanwhile; null: the domain is not in it. */
  z.object({ outcome: z.literal('not_for_sale'), state: z.nullable(z.enum(['sold', 'reserved'])) }),
  /** A limit is reached for `wait` seconds. */
  z.object({ outcome: z.literal('limited'), wait: z.number() }),
]);

export type Outcome =
  | z.infer<typeof OutcomeSchema>
  /** The token expired, and nothing is stored for it. */
  | { outcome: 'expired' };

/** Identifies an offer that was sent again. */
export interface Receipt {
  readonly token_hash: string;
  readonly payload_hash: string;
}
