import * as z from 'zod/mini';

/** Present where the offer is below the owner's minimum. */
const low = z.optional(z.literal(true));

/** What `begin_bot_check` and `submit_offer` return. */
export const OutcomeSchema = z.discriminatedUnion('outcome', [
  /** Nothing is stored for the token yet. */
  z.object({ outcome: z.literal('new') }),
  z.object({ outcome: z.literal('stored'), id: z.uuid(), low }),
  /** The same offer was stored before. */
  z.object({ outcome: z.literal('repeated'), id: z.uuid(), low }),
  /** Another offer was stored with the same token. */
  z.object({ outcome: z.literal('conflict') }),
  /** The token has expired, and nothing is stored for it. */
  z.object({ outcome: z.literal('expired') }),
  /** The catalogue changed meanwhile; null: the domain is not in it. */
  z.object({ outcome: z.literal('not_for_sale'), state: z.nullable(z.enum(['sold', 'reserved'])) }),
  /** A limit is reached for `wait` seconds; `sender`: that of this sender, for every offer. */
  z.object({ outcome: z.literal('limited'), wait: z.number(), sender: z.boolean() }),
]);

export type Outcome = z.infer<typeof OutcomeSchema>;
