/** The moves by which owner and buyer agree on an offer, as the function `negotiation` takes and returns them. */
import * as z from 'zod/mini';
import { line, lines, OFFER_LIMITS, readAmountFields } from './offer.ts';

/** How many days a counter-offer may be valid; the second is the usual one. */
export const VALID_DAYS = [3, 7, 14] as const;

/** What is done after the agreement, in this order: each once the one before it is, undone only while the next is not. */
export const DEAL_STEPS = ['paid', 'transferred', 'sold'] as const;
export type DealStep = (typeof DEAL_STEPS)[number];

/** Where the buyer pays: by `checkout` of the catalogue, by a link for this deal alone, or as the closing text says. */
const PAY_WAYS = ['template', 'link', 'closing'] as const;
export type PayWay = (typeof PAY_WAYS)[number];

/** Longest link for a payment, as it is and filled in. */
export const MAX_PAY_LINK = 2000;

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
    /** Of every move of both sides but a `take_back` that leaves the offer open; a blank one is none. */
    note: z.optional(lines(MAX_NOTE)),
    /** Of `take_back`: what the offer is after it, open (default), or rejected because the deal fell through. */
    as: z.optional(z.enum(['open', 'rejected'])),
    /** Of `take_back`: `seen` of the deal; absent: it has no changes. 409 `moved` where that is not so any more. */
    deal_seen: z.optional(z.int().check(z.nonnegative(), z.maximum(MAX_SEEN))),
  }))();
export type Move = z.infer<typeof MoveRequestSchema>;

/** A date of the calendar, `2026-12-04`. */
const date = () => z.iso.date();

/** A change of the owner's at a deal. The same one sent again returns the first result. */
const DealChangeSchema = /* @__PURE__ */ (() => {
  const ofDeal = {
    /** 409 `moved` where this deal has ended. */
    reference: z.string().check(z.maxLength(20)),
    /** Number of the last change that the caller saw, `seen` of the deal; 409 `moved` where there is a newer one. */
    seen: z.int().check(z.nonnegative(), z.maximum(MAX_SEEN)),
  };
  return z.discriminatedUnion('field', [
    /** Done or not. 409 `not_possible` before its turn. */
    z.strictObject({ ...ofDeal, field: z.enum(DEAL_STEPS), to: z.boolean() }),
    /** From today to a year from now. Null: none, and no reminder. 409 `not_possible` without `payDays`. */
    z.strictObject({ ...ofDeal, field: z.literal('pay_by'), to: z.nullable(date()) }),
    /** 400 where it is none, or to a host that `checkoutHosts` does not list. A new one is chosen at once. */
    z.strictObject({ ...ofDeal, field: z.literal('link'), to: z.nullable(z.string()) }),
    /** Null: the link for this deal, else the template, else the closing text. */
    z.strictObject({ ...ofDeal, field: z.literal('way'), to: z.nullable(z.enum(PAY_WAYS)) }),
  ]);
})();
export type DealChange = z.infer<typeof DealChangeSchema>;

/** The body of a request. Without `move`, `deal` and `new_link` it only reads. */
export const NegotiationRequestSchema = /* @__PURE__ */ (() =>
  z.union([
    z.strictObject({
      offer_id: z.uuid(),
      move: z.optional(MoveRequestSchema),
      /** A move that is not made: the response has the mail that it would send. */
      preview: z.optional(MoveRequestSchema),
      deal: z.optional(DealChangeSchema),
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
    /** Of a `take_back` that rejected the offer: the deal fell through. */
    as: z.nullish(z.string()),
    valid_until: z.nullish(z.string()),
    at: z.string(),
    /** The administrator's email; for the owner only. */
    by: z.nullish(z.string()),
  }))();
export type StoredMove = z.infer<typeof MoveSchema>;

/** What became of an acceptance. */
const DealSchema = /* @__PURE__ */ (() =>
  z.object({
    /** `LAP-7F3K`, which no other deal has. */
    reference: z.string(),
    agreed_at: z.string(),
    paid_at: z.nullish(z.string()),
    transferred_at: z.nullish(z.string()),
    sold_at: z.nullish(z.string()),
    /** Only while the buyer sees where to pay; also once it is paid. */
    pay_by: z.nullish(z.string()),
    /** The button of the buyer: absent where there is none, as once it is paid, or where the amount can be read in two ways. */
    pay: z.nullish(z.object({ url: z.string(), host: z.string() })),
    /** For the owner only, as are all below: number of the last change of the offer's deals. */
    seen: z.nullish(z.number()),
    /** Oldest first, without those of the offer's other deals. */
    changes: z.nullish(
      z.array(
        z.object({
          number: z.number(),
          /** As of a request. */
          field: z.string(),
          /** What it was, and is now; true or false for a step. */
          from: z.nullish(z.union([z.string(), z.boolean()])),
          to: z.nullish(z.union([z.string(), z.boolean()])),
          at: z.string(),
          /** The administrator's email. */
          by: z.nullish(z.string()),
        }),
      ),
    ),
    ended_at: z.nullish(z.string()),
    /** What the offer was after it. */
    ended_as: z.nullish(z.string()),
  }))();
export type Deal = z.infer<typeof DealSchema>;

/** What the database knows of where to pay. Not for browsers: the function `negotiation` fills it in. */
export const StoredPaymentSchema = /* @__PURE__ */ (() =>
  z.object({
    /** The way in force. */
    way: z.optional(z.enum(PAY_WAYS)),
    chosen: z.optional(z.enum(PAY_WAYS)),
    link: z.optional(z.string()),
    template: z.optional(z.string()),
    /** The buyer's. */
    email: z.optional(z.string()),
    /** Whose deal for the same name goes first, so that there is no way. */
    taken_by: z.optional(z.string()),
  }))();
export type StoredPayment = z.infer<typeof StoredPaymentSchema>;

/** What the buyer sees, or will see once the offer is accepted, of where to pay. */
const PaymentSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Each that is configured; a link for this deal only once there is one. */
    ways: z.array(
      z.object({
        way: z.enum(PAY_WAYS),
        /** Filled in; absent for the closing text, and where the amount can be read in two ways, so that there is no button. */
        url: z.nullish(z.string()),
        host: z.nullish(z.string()),
        /** The closing text as safe HTML. */
        html: z.nullish(z.string()),
      }),
    ),
    /** Which of them the buyer sees; null: none. */
    way: z.nullish(z.enum(PAY_WAYS)),
    /** The customer whose deal for the same name goes first, so that the buyer of this one sees none. */
    taken_by: z.nullish(z.string()),
    /** The one that was chosen for this deal; null: none was. */
    chosen: z.nullish(z.enum(PAY_WAYS)),
    /** Hosts that a link for this deal may have: `checkoutHosts`; empty: there is no such link. */
    hosts: z.array(z.string()),
    /** `payDays`; null: there is no date, and no reminder. */
    pay_days: z.nullish(z.number()),
  }))();
export type Payment = z.infer<typeof PaymentSchema>;

/** What a side sees of a negotiation; the response to every request that is no rejection. */
export const NegotiationSchema = /* @__PURE__ */ (() =>
  z.object({
    domain: z.string(),
    /** Decoded name, where it differs. */
    shown: z.nullish(z.string()),
    /** `accepted` also where the owner set the status by hand; `declined` also once a deal fell through, with `take_back` as last move. */
    status: z.enum(['open', 'accepted', 'declined', 'withdrawn', 'closed']),
    /** Number of the last move. */
    seen: z.number(),
    /** Oldest first. */
    moves: z.array(MoveSchema),
    /** Moves that this side may make now. */
    can: z.array(z.string()),
    /** The owner's closing text as safe HTML, once the offer is accepted; for the buyer only where no button takes its place. */
    closing: z.nullish(z.string()),
    /** Of the acceptance that is in force. */
    deal: z.nullish(DealSchema),
    /** What happens after the payment, as safe HTML; absent where there is no deal, or nowhere to pay. */
    after_payment: z.nullish(z.string()),
    /** For the owner only: deals that were taken back, oldest first. */
    ended: z.nullish(z.array(DealSchema)),
    /** For the owner only: also before the offer is accepted. */
    payment: z.nullish(PaymentSchema),
    /** Whether the owner's moves are mailed to the buyer. */
    mails: z.nullish(z.boolean()),
    /** For the buyer only, while the offer is with the owner: until when the site promises an answer; absent for a low offer. */
    answer_by: z.nullish(z.string()),
    /** For the owner only: the buyer's link. */
    link: z.nullish(z.string()),
    /** For the owner only: whether the buyer had a mail about the offer. A `take_back` is mailed only then. */
    had_mail: z.nullish(z.boolean()),
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
