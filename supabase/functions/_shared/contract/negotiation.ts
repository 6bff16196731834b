/** The moves by which owner and buyer agree on an offer, as the function `negotiation` takes and returns them. */
import * as z from 'zod/mini';

/** How many days a counter-offer may be valid; the second is the usual one. */
export const VALID_DAYS = [3, 7, 14] as const;

/** Longest note of a move, in code points. */
export const MAX_NOTE = 1000;

/** `close`: the owner set the offer's status by hand. */
export const MOVE_KINDS = ['offer', 'counter', 'accept', 'decline', 'withdraw', 'take_back', 'close'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/** A move of the side that calls. The same one sent again returns the first result. */
export interface Move {
  readonly kind: MoveKind;
  /** Number of the last move that the caller saw; 409 `moved` where there is a newer one. */
  readonly seen: number;
  /** Of `counter` and `offer`: free text, as long as an offer's amount at most. */
  readonly amount?: string;
  /** Of `counter`. */
  readonly days?: (typeof VALID_DAYS)[number];
  readonly note?: string;
}

/** The body of a request. Without `move` and `new_link` it only reads. */
export type NegotiationRequest = {
  readonly move?: Move;
  /** The owner's only: the links so far stop working. */
  readonly new_link?: true;
} & ({ readonly offer_id: string } | { readonly token: string });

const MoveSchema = z.object({
  /** From 1, which is the offer itself. */
  number: z.number(),
  side: z.enum(['owner', 'buyer']),
  /** Text and not the enumeration: a kind that a later version adds is shown by its name. */
  kind: z.string(),
  amount: z.nullish(z.string()),
  note: z.nullish(z.string()),
  valid_until: z.nullish(z.string()),
  at: z.string(),
  /** The administrator's email; for the owner only. */
  by: z.nullish(z.string()),
});
export type StoredMove = z.infer<typeof MoveSchema>;

/** What a side sees of a negotiation; the response to every request that is no rejection. */
export const NegotiationSchema = z.object({
  domain: z.string(),
  status: z.enum(['open', 'accepted', 'declined', 'withdrawn', 'closed']),
  /** Number of the last move. */
  seen: z.number(),
  /** Oldest first. */
  moves: z.array(MoveSchema),
  /** Moves that this side may make now. */
  can: z.array(z.string()),
  /** The owner's closing text as safe HTML, once the offer is accepted. */
  closing: z.nullish(z.string()),
  /** For the owner only: the buyer's link, and whether moves are mailed. */
  link: z.nullish(z.string()),
  mails: z.nullish(z.boolean()),
});
export type Negotiation = z.infer<typeof NegotiationSchema>;
