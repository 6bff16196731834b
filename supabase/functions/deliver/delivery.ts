/** A delivery: one mail or one webhook request, as `acquire_messages` returns it. */
import * as z from 'zod/mini';
import { StoredLinkSchema, StoredPaymentSchema } from '../_shared/contract/negotiation.ts';
import { readAmountFields } from '../_shared/contract/offer.ts';
import { forEachVisitorField, type VisitorFieldName } from '../_shared/contract/offer-fields.ts';

const OfferSchema = z.object({
  id: z.uuid(),
  domain_name: z.string(),
  ...forEachVisitorField(() => z.string()),
  /** ISO 8601 with offset. */
  created_at: z.string(),
  ...readAmountFields(),
  held: z.boolean(),
  /** Of a confirmation: whether the offer is below the owner's minimum. */
  low: z.optional(z.boolean()),
  /** What the customer added, in lines. */
  message: z.optional(z.string()),
  /** The owner's text; absent for a name that is not in the catalogue any more. */
  asking_price: z.optional(z.string()),
  /** BCP 47 code of the page that the offer was made on. */
  language: z.optional(z.string()),
  /** The move that the message is about; absent in messages about the offer itself. */
  move: z.optional(
    z.object({
      number: z.number(),
      side: z.optional(z.enum(['owner', 'buyer'])),
      kind: z.string(),
      amount: z.optional(z.string()),
      ...readAmountFields(),
      note: z.optional(z.string()),
      /** `rejected`: a take-back with which the deal fell through. */
      as: z.optional(z.string()),
      /** ISO 8601 with offset. */
      valid_until: z.optional(z.string()),
      /** When it was made, in ISO 8601 with offset. */
      at: z.optional(z.string()),
    }),
  ),
  /** Of a message about a deal, while it is in force. */
  deal: z.optional(
    z.extend(StoredPaymentSchema, {
      /** Of the message among those of its kind about the offer. */
      number: z.number(),
      reference: z.string(),
      /** The agreed amount. */
      amount: z.optional(z.string()),
      ...readAmountFields(),
      /** A date of the calendar; absent where the buyer does not see how to pay. */
      pay_by: z.optional(z.string()),
      /** Of `pay_link`: a link is absent where there was none, or is none any more. */
      change: z.optional(
        z.object({
          from: z.optional(z.string()),
          to: z.optional(z.string()),
          at: z.string(),
          /** The administrator's email. */
          by: z.optional(z.string()),
        }),
      ),
    }),
  ),
  /** Of a message to the owner about a move: the amount that was named last, by either side. */
  current_amount: z.optional(z.string()),
  /** Of a message to the buyer: the newest link. */
  link: z.optional(StoredLinkSchema),
});
/** The part of an offer that messages hold. */
export type MessageOffer = z.infer<typeof OfferSchema>;

const KINDS = [
  ...(['offer', 'low', 'confirmation', 'overdue', 'reply', 'move', 'expired', 'silent'] as const),
  ...(['unpaid', 'pay_link', 'reminder'] as const),
] as const;
/** Kinds that have no offers and are not queued: about a sign-in, and about a server that works again. */
export const NOTICES = ['wrong_codes', 'recovery_code', 'recovered'] as const;
export type MessageKind = (typeof KINDS)[number] | (typeof NOTICES)[number];

const DeliverySchema = z.object({
  /** Rows of `private.messages`: one, or those of a digest, which may be more than its offers. */
  ids: z.array(z.number()).check(z.minLength(1)),
  kind: z.literal(KINDS),
  /** `mailto:ada@example.com` or the URL of a webhook. */
  target: z.string(),
  /** BCP 47 code of the page that the offer was made on; null: the catalogue's first language. */
  locale: z.nullable(z.string()),
  /** Of a digest; the same on every attempt. */
  batch: z.nullable(z.uuid()),
  /** Attempts with this one. */
  attempts: z.number(),
  offers: z.array(OfferSchema).check(z.minLength(1)),
});
export type Delivery = Omit<z.infer<typeof DeliverySchema>, 'kind'> & {
  kind: MessageKind;
  /** Of `recovered`. */
  recovery?: Recovery;
};

/** A server that works again. */
export interface Recovery {
  /** What had not worked. */
  readonly problem: string;
  /** Since when, in ISO 8601 with offset. */
  readonly since: string;
  /** How many messages waited for it. */
  readonly waited: number;
}

/**
 * Reads what `acquire_messages` returns.
 * @returns the deliveries, and how many entries were none
 */
export function readDeliveries(value: readonly unknown[]): { deliveries: Delivery[]; unreadable: number } {
  const entries = value.map((entry) => DeliverySchema.safeParse(entry).data);
  const deliveries = entries.filter((delivery) => delivery !== undefined);
  return { deliveries, unreadable: entries.length - deliveries.length };
}

/** What is wrong with a mail server or a webhook, and with no single message: others wait for it. */
export interface ServerFailure {
  /** What does not work and what to do, without email address and URL. */
  problem: string;
  /** The reply as far as two messages have it in common. */
  reply: string;
  /** Whether it lasts until the owner mends it. */
  lasting: boolean;
  /** False where it may be the fault of the message: it counts once two different ones got the same reply. */
  certain: boolean;
}

/** Result of one attempt. */
export type Outcome =
  /** `response` is the server's own, in one line. */
  | { status: 'sent'; response: string }
  | {
      status: 'failed';
      /** At most 300 characters, without email addresses and without the target. */
      reason: string;
      /** The server rejected this recipient or this text: another attempt cannot succeed. */
      permanent: boolean;
      /** The server rejected the recipient's address, or the message for it: the fault of who typed it. */
      addressRejected?: boolean;
      failure?: ServerFailure;
    };

/** Makes one attempt. Never throws. */
export type Send = (delivery: Delivery) => Promise<Outcome>;

/** Whether a visitor entered the address of the recipient. */
export function isToVisitor({ kind }: Pick<Delivery, 'kind'>): boolean {
  return kind === 'confirmation' || kind === 'reply' || kind === 'reminder';
}

const MAILTO = 'mailto:';

/** The email address of a target; undefined where it is a webhook. */
export function emailOf(target: string): string | undefined {
  return target.startsWith(MAILTO) ? target.slice(MAILTO.length) : undefined;
}

/** The part of an email address after the `@`. */
export function hostOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}

/** What messages call a field: the column without its first word, `email` for `customer_email`. */
export function shortName(column: VisitorFieldName): string {
  return column.slice(column.indexOf('_') + 1);
}

/** Identifies a delivery to its recipient: the same on every attempt, and for every target. */
export function idOf({ kind, batch, offers }: Delivery): string {
  const { id, move, deal } = offers[0] ?? {};
  const number = (move ?? deal)?.number;
  return batch ? `digest.${batch}` : `${kind}.${id}${number === undefined ? '' : `.${number}`}`;
}
