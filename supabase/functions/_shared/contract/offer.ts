/**
 * An offer, as the form sends it, the database stores it and the dashboard shows it.
 * The browser imports this file as `#contract/offer.ts`, the functions by relative path. The marks `PURE` and
 * `NO_SIDE_EFFECTS` let a bundler leave out what a browser does not use.
 */
import * as z from 'zod/mini';
import { forEachVisitorField, MAX_MESSAGE } from './offer-fields.ts';

/** Every status an offer can have. A new one is `pending`, set by the database; any may follow any other. */
export const OFFER_STATUSES = ['pending', 'accepted', 'rejected', 'negotiating'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** Maximum lengths in the database, in Unicode code points (so that an emoji counts as one or few). */
export const OFFER_LIMITS = /* @__PURE__ */ (() => ({
  domain_name: 253,
  ...forEachVisitorField(({ max }) => max),
  message: MAX_MESSAGE,
  /** Cloudflare's tokens have at most 2,048 characters; a proof of work has 900, and 340 more for a long domain. */
  turnstile_token: 2048,
}))();

/**
 * Whether a text shows nothing: white space, and characters that are drawn empty, as U+3164, U+2800 and those of no
 * width.
 */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}

/**
 * A text of one line, stored exactly as sent.
 * Rejected: a blank text, control characters (line breaks and NUL too), half a surrogate pair, too long.
 * The issues' messages are codes of `rejections.ts`.
 */
/* @__NO_SIDE_EFFECTS__ */
export function line(max: number, ...more: z.core.$ZodCheck<string>[]) {
  return z.string('missing').check(
    z.refine((text) => !isBlank(text), { error: 'missing', abort: true }),
    z.refine((text) => codePoints(text) <= max, { error: 'too_long', abort: true }),
    z.refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), {
      error: 'not_plain_text',
      abort: true,
    }),
    ...more,
  );
}

/** A text of several lines, with any white space that a pasted text has, at most `max` code points; it may be empty. */
/* @__NO_SIDE_EFFECTS__ */
export function lines(max: number) {
  return z.string('missing').check(
    z.refine((text) => codePoints(text) <= max, { error: 'too_long', abort: true }),
    z.refine((text) => text.isWellFormed() && !/[^\P{Cc}\s]/u.test(text), {
      error: 'control_characters',
      abort: true,
    }),
  );
}

/** Length in code points, as PostgreSQL's `char_length` counts. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The body of a request to `order-submit`: these fields and no others, all of them strings. */
export const OfferSubmissionSchema = /* @__PURE__ */ (() =>
  z.strictObject({
    /** A domain exactly as in the catalogue. */
    domain_name: line(OFFER_LIMITS.domain_name),
    ...forEachVisitorField(({ max, type }) =>
      type === 'email'
        ? line(max, z.regex(z.regexes.html5Email, { error: 'not_an_email', abort: true }))
        : line(max),
    ),
    /** What the visitor adds. Absent or blank: nothing. */
    message: z.optional(lines(OFFER_LIMITS.message)),
    /** The bot check's token, from either provider; good for one offer. */
    turnstile_token: line(OFFER_LIMITS.turnstile_token),
    /** Language of the page as a BCP 47 code, with script and region at most; stored for messages; absent: the catalogue's first. */
    locale: z.optional(z.string().check(z.regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/))),
  }))();
export type OfferSubmission = z.infer<typeof OfferSubmissionSchema>;

/** The body of `order-submit`'s response to a stored offer: 201 the first time, 200 when it was sent again. */
export const OfferResponseSchema = z.object({
  /** The stored offer's id. */
  id: z.uuid(),
  /** Present where it is below the owner's minimum. */
  low: z.optional(z.literal(true)),
});

/** What was read in the text of an amount beside them; null, empty or absent where it is no clear amount. */
/* @__NO_SIDE_EFFECTS__ */
export function readAmountFields() {
  return { value: z.nullish(z.number()), currency: z.nullish(z.string()) };
}

/** A row of the table `offers`, as the data API returns it. */
export const OfferSchema = /* @__PURE__ */ (() =>
  z.object({
    id: z.uuid(),
    domain_name: z.string(),
    ...forEachVisitorField(() => z.string()),
    /** ISO 8601 with microseconds and offset; carried as text, because a JavaScript date would drop the microseconds. */
    created_at: z.string(),
    /** Text and not the enumeration: a status that a later version adds is shown in grey, not rejected. */
    status: z.string(),
    /** Stored although one of its limits was full; see `RATES` in rate-limits.ts. */
    held: z.optional(z.boolean()),
    /** Below the minimum that the domain had when the offer was stored. */
    low: z.optional(z.boolean()),
    ...readAmountFields(),
    /** Of a list that `find_offers` returned: what it is sorted by. */
    sort_key: z.optional(z.string()),
  }))();
export type Offer = z.infer<typeof OfferSchema>;
