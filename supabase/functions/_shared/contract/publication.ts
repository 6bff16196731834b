import * as z from 'zod/mini';
import { SHARED_SIGNS } from './currency-signs.ts';
import { LocalizedTextSchema } from './localized-text.ts';

/** `#1b6b3a` */
const Hex = /* @__PURE__ */ (() => z.string().check(z.regex(/^#[0-9a-f]{6}$/)))();

export const ListingStateSchema = /* @__PURE__ */ (() => z.enum(['for_sale', 'sold', 'reserved']))();
export type ListingState = z.infer<typeof ListingStateSchema>;

/**
 * Settings of the catalogue that messages and the function `negotiation` need, and the accent colour of `own/theme.css`. From
 * `closing` on they stand in no page.
 */
export const PublishedSettingsSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Who sells. */
    owner: z.optional(z.string()),
    /** Email for visitors. */
    contact: z.optional(z.string()),
    links: z.optional(z.array(z.object({ text: LocalizedTextSchema, url: z.string() }))),
    /** The site's languages, the first one first. */
    languages: z.optional(z.array(z.string())),
    /** The time within which the owner answers; absent: see `reply-within.ts`. */
    replyWithin: z.optional(z.string()),
    /** The owner's accent colour in light and in dark mails, with that of text on it; absent: the product's own. */
    accent: z.optional(z.object({ light: Hex, onLight: Hex, dark: Hex, onDark: Hex })),
    /** What signs stand for that several countries share. */
    currencies: z.optional(z.partialRecord(z.enum(SHARED_SIGNS), z.optional(z.string()))),
    /** The closing text of accepted offers by language, as HTML with `DEAL_PLACEHOLDERS`. */
    closing: z.optional(z.record(z.string(), z.string())),
    /** Template of the link to pay, for names without their own. */
    checkout: z.optional(z.string()),
    /** Hosts of links to pay that may be pasted for one deal. */
    checkoutHosts: z.optional(z.array(z.string())),
    /** Days from an agreement to "Pay by". */
    payDays: z.optional(z.int()),
    /** What happens after the payment, as `closing`. */
    afterPayment: z.optional(z.record(z.string(), z.string())),
  }))();
export type PublishedSettings = z.infer<typeof PublishedSettingsSchema>;

/** A catalogue as the database publishes it: see `publish_listings` in `supabase/schemas/listings.sql`. */
export const PublicationSchema = /* @__PURE__ */ (() =>
  z.object({
    /** Every name, also those that take no offers. */
    entries: z.array(
      z.object({
        name: z.string(),
        state: ListingStateSchema,
        /** The owner's text, which administrators see. Absent: none. */
        price: z.optional(z.string()),
        /** The price's amount. Absent: it cannot be read. */
        value: z.optional(z.string()),
        /** Of the price, else of the minimum: that of a number alone in an offer. Absent: neither can be read. */
        currency: z.optional(z.string()),
        /** Offers below it are low. Absent: none is. */
        minimum: z.optional(z.object({ amount: z.string(), currency: z.string() })),
        /** Template of the link to pay: the domain's, or that of `defaults`. Absent: that of the settings. */
        checkout: z.optional(z.string()),
      }),
    ),
    /** Own hosts besides the domains. */
    hosts: z.array(z.string()),
    /** The site's first language, as a BCP 47 code. */
    language: z.string(),
    /** Identifies the build. */
    build: z.string(),
    /** When it was made, in ISO 8601. Absent: an older one may replace it, too. */
    builtAt: z.optional(z.string()),
    /** When its catalogue was read, at the latest: it takes back nothing that was changed later. Absent: as `builtAt`. */
    readAt: z.optional(z.string()),
    settings: PublishedSettingsSchema,
  }))();
export type Publication = z.infer<typeof PublicationSchema>;

/**
 * Replaces the published catalogue.
 * @param keepPrevious keeps the names and hosts of the catalogue before, while its pages are still served
 */
export type Publish = (publication: Publication, keepPrevious: boolean) => Promise<void>;
