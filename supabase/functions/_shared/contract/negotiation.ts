/** The moves by which owner and buyer agree on an offer, as the function `negotiation` takes and returns them. */
import * as z from 'zod/mini';
import { line, lines, OFFER_LIMITS, readAmountFields } from './offer.ts';

/** How many days a counter-offer may be valid; the second is the usual one. */
export const VALID_DAYS = [3, 7, 14] as const;

/** Longest note of a move, in code points. */
export const MAX_NOTE = 1000;

/** Far beyond the moves of both sides; the database's integer has an end. */
const MAX_SEEN = 1000;

/** A move of the side that calls. The same one sent again returns the first result. */
const MoveRequestSchema = /* @__PURE__ */ (() =>
  z.strictObject({
    /** The owner's: counter, accept, decline, take_back. The buyer's: accept, offer, withdraw. */
    kind: z.enum(['counter', 'offer', 'accept', 'decline', 'withdraw', 'take_back']),
    /** Number of the last move that the caller saw; 409 `moved` where there is a newer one. */
    seen: z.int().check(z.positive(), z.maximum(MAX_SEEN)),
    /** Of `counter` and `offer`, which need it: free text, as long as an offer's amount at most. */
    amount: z.optional(line(OFFER_LIMITS.offer_amount)),
    /** Of `counter`; absent: 7. */
    days: z.optional(z.literal(VALID_DAYS)),
    /** Of every move but `take_back` and `withdraw`; a blank one is none. */
    note: z.optional(lines(MAX_NOTE)),
  }))();
export type Move = z.infer<typeof MoveRequestSchema>;

/** The body of a request. Without `move` and `new_link` it only reads. */
export const NegotiationRequestSchema = /* @__PURE__ */ (() =>
  z.union([
    z.strictObject({
      offer_id: z.uuid(),
      move: z.optional(MoveRequestSchema),
      /** A move that is not made: the response has the mail that it would send. */
      preview: z.optional(MoveRequestSchema),
      /** The links so far stop working. */
      new_link: z.optional(z.literal(true)),
    }),
    z.strictObject({ token: z.string(), move: z.optional(MoveRequestSchema) }),
  ]))();
export type NegotiationRequest = z.infer<typeof NegotiationRequestSchema>;

const MoveSchema = /* @__PURE__ */ (() =>
  z.object({
    /** From 1, which is the offer itself. */
    number: z.number(),
    side: z.enum(['owner', 'buyer']),
    /** As of a request, or `close`: the owner set the offer's status by hand. A kind that a later version adds is shown by its name. */
    kind: z.string(),
    amount: z.nullish(z.string()),
    ...readAmountFields(),
    note: z.nullish(z.string()),
    valid_until: z.nullish(z.string()),
    at: z.string(),
    /** The administrator's email; for the owner only. */
    by: z.nullish(z.string()),
  }))();
export type StoredMove = z.infer<typeof MoveSchema>;

/** What a side sees of a negotiation; the response to every request that is no rejection. */
export const NegotiationSchema = /* @__PURE__ */ (() =>
  z.object({
    domain: z.string(),
    /** Decoded name, where it differs. */
    shown: z.nullish(z.string()),
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
    /** The mail about the move of `preview`, as text; absent where moves are not mailed, or this one is not possible. */
    mail: z.nullish(z.object({ subject: z.string(), text: z.string() })),
    /** Of the page that the offer came from, and of mails to the buyer; null or absent: the site's first. */
    language: z.nullish(z.string()),
  }))();
export type Negotiation = z.infer<typeof NegotiationSchema>;

/** A buyer's link as the database has it: the token itself is not stored. */
export const StoredLinkSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Each new link of an offer has the next one. */
    number: z.number(),
    /** SHA-256 of the token in hexadecimal. */
    hash: z.string(),
    /** Random, in hexadecimal: after a restore a number comes again, and its token must not. */
    nonce: z.string(),
  }))();
export type StoredLink = z.infer<typeof StoredLinkSchema>;
