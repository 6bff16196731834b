/**
 * The calls of the database, each in one place: who makes it, its body, its result and a sample. The allow-list of the server,
 * the golden list of rights, the check of a hosted project and the typed clients follow from this table.
 * A browser imports the results of administrators alone: a bundler leaves out the rest.
 */
import * as z from 'zod/mini';
import { NegotiationSchema, StoredLinkSchema, StoredPaymentSchema } from './negotiation.ts';
import { OFFER_STATUSES, OfferSchema, readAmountFields } from './offer.ts';
import { ListingStateSchema, PublishedSettingsSchema } from './publication.ts';

const targetKind = /* @__PURE__ */ (() => z.enum(['mail', 'webhook']))();

/** Servers that take no message: what does not work, how many messages wait, and when one of them is tried (null: all are). */
const problems = /* @__PURE__ */ (() =>
  z.array(z.object({ problem: z.string(), waiting: z.number(), next_try_at: z.nullable(z.string()) })))();

/** As `public.schema_version` of supabase/schemas. */
export const SCHEMA_VERSION = 13;

/**
 * Held offers, or those below the minimum of their domain that are not held, in place of the others; of the others pending ones
 * whose promised time is over, those with a message, or those that the buyer withdrew.
 */
export const ONLY = ['held', 'low', 'overdue', 'message', 'withdrawn'] as const;
export type Only = (typeof ONLY)[number];

/** What names are listed by; the default is the name, which ends every other sort, too. */
export const NAME_SORTS = [
  ...(['name', 'state', 'price', 'offers', 'last_offer'] as const),
  // Visits in so many days, today included.
  ...(['visits_7', 'visits_30'] as const),
] as const;
export type NameSort = (typeof NAME_SORTS)[number];

/** Names with open offers, or those without a price. */
export const ONLY_NAMES = ['offers', 'no_price'] as const;
export type OnlyNames = (typeof ONLY_NAMES)[number];

/** The amount of an offer, or of its last move that named one. */
const amount = /* @__PURE__ */ (() => z.object({ amount: z.string(), ...readAmountFields() }))();

/** Numbers of a name. Days are those of UTC, and the last one is today. */
const numbers = /* @__PURE__ */ (() =>
  z.object({
    /** Visits in 7 days, in 30, and in the 30 days before these. */
    week: z.number(),
    month: z.number(),
    before: z.number(),
    /** In 30 days: bot checks that were asked for, offers without held ones, and accepted offers. */
    begun: z.number(),
    sent: z.number(),
    agreed: z.number(),
    /** Visits in each of the last 12 times 30 days, oldest first. */
    periods: z.array(z.number()),
  }))();
export type NameNumbers = z.output<typeof numbers>;

/** The results of the dashboard's calls, by the name of the function. */
export const DASHBOARD_RESULTS = /* @__PURE__ */ (() => ({
  /** Names that are not in the catalogue are missing. */
  asking_prices: z.array(
    z.object({
      name: z.string(),
      /** `for_sale`, `sold` or `reserved`; a later version may have others. */
      state: z.string(),
      /** The owner's text. */
      price: z.nullish(z.string()),
    }),
  ),
  /** Number of messages that were taken from the report. */
  dismiss_message: z.number(),
  /** Whether the session is valid. */
  extend_admin_session: z.boolean(),
  find_offers: z.object({ offers: z.array(OfferSchema) }),
  /** First lines without a salutation, by offer id; offers without a message are missing. */
  message_lines: z.record(z.string(), z.string()),
  list_names: z.object({
    /** Of the filter. */
    total: z.number(),
    names: z.array(
      z.object({
        name: z.string(),
        /** As of asking_prices. */
        state: z.string(),
        /** The owner's text. */
        price: z.nullable(z.string()),
        /** Number of pending offers that are neither held nor low. */
        open: z.number(),
        /**
         * The highest amount that could be read in such offers and in those under negotiation: of those in the currency of the
         * price, else of any.
         */
        best: z.nullable(amount),
        /** Of the newest accepted offer. */
        agreed: z.nullable(amount),
        /** Of offers that are neither held nor low. */
        last_offer_at: z.nullable(z.string()),
        /** Absent while no server counts. */
        numbers: z.optional(numbers),
      }),
    ),
  }),
  message_status: z.object({
    /** Number of configured email addresses. */
    mail: z.number(),
    /** Number of configured webhooks. */
    webhooks: z.number(),
    /** Messages that are not sent yet, those that will be tried again included. */
    queued: z.number(),
    /** Messages that are not tried again by themselves. */
    failed: z.number(),
    sent: z.number(),
    last_sent_at: z.nullish(z.string()),
    /** Messages from before a backup was restored, which wait for the owner's command. */
    paused: z.number(),
    /** The last failed try of a message that is not sent. */
    last_failure: z.nullish(
      z.object({
        /** The response of the mail server or webhook, at most 300 characters. */
        reason: z.string(),
        target_kind: targetKind,
        /** Null where the message is not tried again by itself. */
        retry_at: z.nullish(z.string()),
      }),
    ),
    problems: z.nullish(problems),
    /** The latest deliveries that are not tried again by themselves, newest first, at most 20. */
    failures: z.nullish(
      z.array(
        z.object({
          id: z.number(),
          /** As in the schemas' `private.messages`. */
          kind: z.string(),
          /** Of one of its offers. */
          domain: z.string(),
          /** Number of its offers: more than one in a digest. */
          offers: z.number(),
          /** As that of `last_failure`. */
          reason: z.string(),
          target_kind: targetKind,
        }),
      ),
    ),
    /** Ids of offers whose confirmation the mail server rejected for good, because of the customer's address. */
    rejected_confirmations: z.nullish(z.array(z.string())),
  }),
  name_counts: z.object({
    /** Number of names by state. */
    state: z.object({ for_sale: z.number(), reserved: z.number(), sold: z.number() }),
    /** Number of names with open offers. */
    offers: z.number(),
    no_price: z.number(),
  }),
  /** Null while no server counts. */
  name_numbers: z.nullable(numbers),
  /** At most 100 changes of the catalogue by administrators, the newest first. Values are texts as in its file; null: no own one. */
  name_history: z.array(
    z.object({
      id: z.number(),
      batch: z.string(),
      name: z.string(),
      /** `state`, `price`, `minimum`, `description.LANG`, or `entry` of a new name. */
      field: z.string(),
      from: z.nullable(z.string()),
      to: z.nullable(z.string()),
      changed_at: z.string(),
      /** Null where the user is deleted. */
      changed_by_email: z.nullable(z.string()),
      /** When the file had it; null while it is open, and of a dropped change. */
      written_at: z.nullable(z.string()),
      /** When it was taken back, because the file had another value, or could not be written. */
      dropped_at: z.nullable(z.string()),
      /** Of a dropped change: what the file had. */
      found: z.nullable(z.string()),
    }),
  ),
  new_offers: z.object({
    /** Newest first, without held ones. Begins a minute before `since`, for offers that were stored late. */
    offers: z.array(OfferSchema),
    /** Number of pending offers, without held ones. */
    pending: z.number(),
    /** Number of held offers. */
    held: z.optional(z.number()),
    /** Number of the newest move of a buyer; absent where there is none. */
    moved: z.optional(z.number()),
  }),
  offer_counts: z.object({
    /** Number of offers by status, without held and low ones. */
    status: z.record(z.string(), z.number()),
    held: z.number(),
    /** Without held ones. */
    low: z.number(),
    overdue: z.number(),
    /** Offers with a message, without held and low ones. */
    messages: z.number(),
    /** Rejected offers that the buyer withdrew, without held and low ones: their last move is `withdraw`. */
    withdrawn: z.number(),
    /** Offers in which the next move is the owner's, without held and low ones. */
    waiting: z.optional(z.number()),
    /** The newest move of a buyer, which changes no other number. */
    moved: z.nullish(z.number()),
    /** Domains that have offers, in alphabetical order. */
    domains: z.array(z.string()),
  }),
  /** The changes of the status from the audit, oldest first. */
  offer_history: z.array(
    z.object({
      old_status: z.string(),
      new_status: z.string(),
      changed_at: z.string(),
      /** Null where the user is deleted or the change did not come from the dashboard. */
      changed_by_email: z.nullable(z.string()),
    }),
  ),
  offer_message: z.object({
    /** What the customer added to the offer, in lines; null for nothing. */
    message: z.nullable(z.string()),
    /** What the mail server said when it rejected the customer's address; null unless it did. */
    confirmation_rejected: z.nullish(z.string()),
  }),
  /** Each page by the key of its first row; all of them as one value, so that no row limit applies. */
  offer_pages: z.array(
    z.object({ page: z.number(), first_sort_key: z.string(), first_id: z.string(), total: z.number() }),
  ),
  /** Whether the offer was there. */
  remove_offer: z.boolean(),
  /** Number of messages that are due again. */
  retry_messages: z.number(),
  /** SCHEMA_VERSION where it is that of the migrations. */
  schema_version: z.number(),
  /** The last move by offer id, and the amount that counts; offers without moves are missing. */
  standings: z.record(
    z.string(),
    z.object({
      /** As of a move. */
      kind: z.string(),
      at: z.string(),
      valid_until: z.optional(z.string()),
      /** The one that was named last in a move; agreed where the move is an acceptance. */
      amount: z.optional(z.string()),
      ...readAmountFields(),
      /** Of an accepted offer. Without any move, `kind` is `close` and `at` the time of the agreement. */
      deal: z.optional(
        z.object({
          reference: z.string(),
          pay_by: z.optional(z.string()),
          paid_at: z.optional(z.string()),
          transferred_at: z.optional(z.string()),
          sold_at: z.optional(z.string()),
        }),
      ),
    }),
  ),
}))();

const UUID_TEXT = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const TIME_TEXT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?(?:Z|[+-]\\d\\d:\\d\\d)';

/** Parts of patterns: an id, and a time as the database writes it into JSON: `2026-11-23T01:02:03.123456+00:00`. */
export const TEXTS = { uuid: UUID_TEXT, time: TIME_TEXT } as const;

export const DOMAIN_PATTERN = /^[a-z0-9.-]{1,253}$/;

/** A status as it is set. */
export const StatusChangeSchema = /* @__PURE__ */ (() =>
  z.strictObject({ status: z.enum(OFFER_STATUSES) }))();

/** The id of no row. */
export const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Options {
  /** Changes something where it is accepted, so that the check from outside does not send it with a session. */
  readonly hasEffect?: true;
  /** Of administrators: made by an edge function with their token. No route leads to it. */
  readonly byFunction?: true;
  /** A wrong result would be written to a file, or printed: the database checks itself before. */
  readonly mayTakeLong?: true;
}

/**
 * Rows of the table.
 * @param who an administrator with the token of a session, or the functions and the owner's commands with the secret key
 */
function rowsOf<Who extends 'administrator' | 'service'>(who: Who) {
  /**
   * @param body its fields, and no others
   * @param sample names no row that exists, and changes nothing even where a grant is wrong
   */
  return <Shape extends z.core.$ZodLooseShape, Result extends z.ZodMiniType>(
    body: Shape,
    result: Result,
    sample: z.input<z.ZodMiniObject<Shape, z.core.$strict>>,
    options: Options = {},
  ) => ({ ...options, who, body: z.strictObject(body), result, sample });
}

/** What PostgREST finds a function by are the names of its arguments: those of the body. */
export const CALLS = /* @__PURE__ */ (() => {
  const administrator = rowsOf('administrator');
  const service = rowsOf('service');
  const uuid = z.string().check(z.regex(new RegExp(`^${UUID_TEXT}$`)));
  const time = z.string().check(z.regex(new RegExp(`^${TIME_TEXT}$`)));
  /** A time, or currency, amount and time, as `private.offer_order` makes them. */
  const sortKey = z.string().check(z.regex(new RegExp(`^(?:${TIME_TEXT}|[A-Z ]{3} \\d{18} \\d{20})$`)));
  const domain = z.string().check(z.regex(DOMAIN_PATTERN));
  const rows = (most: number) => z.int().check(z.minimum(1), z.maximum(most));
  const list = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item));
  const texts = list(z.string());
  const ids = list(z.number());
  const nothing = {};
  const ofOffer = { offer_id: uuid };
  const ofUser = { user_id: z.string() };
  /** JSON that the database reads. */
  const json = z.unknown();
  /** Of functions that return nothing. */
  const none = z.unknown();
  const plainTerm = z.string().check(
    z.maxLength(100),
    // Neither fits into a text of the database.
    z.refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text)),
  );
  /** Which offers to list, as `private.offer_conditions` reads it. */
  const filter = z.strictObject({
    /** In any text of the offer, in its message, in the note of a move or in the amount that was named last. */
    term: z.optional(plainTerm.check(z.minLength(3))),
    status: z.optional(z.enum(OFFER_STATUSES)),
    domain: z.optional(domain),
    only: z.optional(z.enum(ONLY)),
    /**
     * Pending offers first, those with the least time left at the top; or by amount within a currency, the highest first, and
     * those without one last; otherwise the newest first.
     */
    sort: z.optional(z.enum(['date', 'urgent', 'amount'])),
  });
  const orNull = z.nullable(z.string());
  const names = z.strictObject({
    /** A part of the name, in any letter case. */
    term: z.optional(plainTerm),
    state: z.optional(ListingStateSchema),
    only: z.optional(z.enum(ONLY_NAMES)),
  });
  const nameChange = z.strictObject({
    name: domain,
    /** As of name_history. */
    field: z.string(),
    from: orNull,
    to: orNull,
    /** What `private.listings` has from now on, with the defaults of the catalogue filled in; absent parts stay as they are. */
    listing: z.optional(
      z.strictObject({
        state: z.optional(ListingStateSchema),
        /** As an entry of a publication. */
        price: z.optional(orNull),
        value: z.optional(orNull),
        currency: z.optional(orNull),
        minimum: z.optional(z.nullable(z.strictObject({ amount: z.string(), currency: z.string() }))),
      }),
    ),
  });
  const low = z.optional(z.literal(true));
  /** Limits that are full: the seconds until they are not, by bucket. */
  const full = z.nullish(z.record(z.string(), z.number()));
  const submission = z.discriminatedUnion('outcome', [
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
    /** A limit is reached for `wait` seconds; `full`: those of this sender, for every offer. */
    z.object({ outcome: z.literal('limited'), wait: z.number(), full }),
  ]);
  const negotiation = z.object({
    outcome: z.enum([
      ...(['read', 'made', 'repeated', 'moved', 'ended', 'not_possible', 'too_many', 'mails_full'] as const),
      ...(['taken', 'unknown', 'invalid', 'limited'] as const),
    ]),
    state: z.nullish(NegotiationSchema),
    payment: z.nullish(StoredPaymentSchema),
    link: z.nullish(StoredLinkSchema),
    taken_by: z.nullish(z.string()),
    wait: z.optional(z.number()),
    full,
  });
  const results = DASHBOARD_RESULTS;

  return {
    // The dashboard.
    asking_prices: administrator(
      // Of 1,000 names only short ones fit into the longest body, 64 KiB.
      { names: list(domain).check(z.maxLength(1_000)) },
      results.asking_prices,
      { names: [] },
    ),
    dismiss_message: administrator(
      { id: z.int().check(z.positive()) },
      results.dismiss_message,
      { id: 1 },
      { hasEffect: true },
    ),
    extend_admin_session: administrator(nothing, results.extend_admin_session, {}),
    find_offers: administrator(
      {
        filter: z.optional(filter),
        from_sort_key: z.optional(sortKey),
        from_id: z.optional(uuid),
        page_size: z.optional(rows(100)),
      },
      results.find_offers,
      { filter: {}, page_size: 1 },
    ),
    list_names: administrator(
      {
        filter: z.optional(names),
        sort: z.optional(z.enum(NAME_SORTS)),
        descending: z.optional(z.boolean()),
        /** From 0. */
        page: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
        page_size: z.optional(rows(100)),
      },
      results.list_names,
      { filter: {}, page_size: 1 },
    ),
    message_lines: administrator({ offer_ids: list(uuid).check(z.maxLength(1_000)) }, results.message_lines, {
      offer_ids: [],
    }),
    message_status: administrator(nothing, results.message_status, {}),
    name_counts: administrator(nothing, results.name_counts, {}),
    name_history: administrator(
      {
        name: z.optional(domain),
        batch: z.optional(uuid),
        /** The id after which, in this order, the page begins. */
        before: z.optional(z.int().check(z.positive())),
      },
      results.name_history,
      { name: 'example.invalid' },
    ),
    name_numbers: administrator({ name: domain }, results.name_numbers, { name: 'example.invalid' }),
    new_offers: administrator({ since: time }, results.new_offers, { since: '2020-01-01T00:00:00Z' }),
    offer_counts: administrator(nothing, results.offer_counts, {}),
    offer_history: administrator(ofOffer, results.offer_history, { offer_id: NOBODY }),
    offer_message: administrator(ofOffer, results.offer_message, { offer_id: NOBODY }),
    offer_pages: administrator({ page_size: rows(1_000), filter: z.optional(filter) }, results.offer_pages, {
      page_size: 1,
    }),
    remove_offer: administrator(ofOffer, results.remove_offer, { offer_id: NOBODY }, { hasEffect: true }),
    retry_messages: administrator(nothing, results.retry_messages, {}, { hasEffect: true }),
    schema_version: administrator(nothing, results.schema_version, {}),
    standings: administrator({ offer_ids: list(uuid).check(z.maxLength(1_000)) }, results.standings, {
      offer_ids: [],
    }),
    /**
     * Stores changes of the catalogue before its file is written. `repeated`: the batch was stored before, with the same ids.
     * `changed`: nothing is stored, since these fields were changed meanwhile, to these values.
     */
    change_names: administrator(
      { batch: uuid, changes: list(nameChange).check(z.maxLength(500)) },
      z.discriminatedUnion('outcome', [
        /** In the order of the changes. */
        z.object({ outcome: z.enum(['made', 'repeated']), ids: z.array(z.number()) }),
        z.object({
          outcome: z.literal('changed'),
          changed: z.array(z.object({ name: z.string(), field: z.string(), value: orNull })),
        }),
        z.object({ outcome: z.literal('limited'), wait: z.number() }),
      ]),
      { batch: NOBODY, changes: [] },
      { byFunction: true },
    ),
    negotiate_as_owner: administrator(
      {
        offer_id: z.string(),
        move: z.optional(json),
        link: z.optional(json),
        mail: z.optional(z.boolean()),
        mail_limits: z.optional(json),
        deal: z.optional(json),
      },
      negotiation,
      { offer_id: NOBODY },
      { byFunction: true },
    ),

    // The edge functions.
    acquire_messages: service(
      { max: z.number(), lease_seconds: z.number(), sent: z.optional(ids) },
      z.array(json),
      { max: 0, lease_seconds: 1 },
    ),
    /** Whether the messages may be tried. */
    begin_delivery: service({ ids }, z.boolean(), { ids: [] }),
    begin_bot_check: service(
      { token_hash: z.string(), payload_hash: z.string(), sender: json, checks: json },
      submission,
      { token_hash: 'x', payload_hash: 'x', sender: [], checks: [] },
    ),
    /** The seconds to wait, and when the attempt was counted. */
    begin_sign_in: service({ limits: json }, z.object({ wait: z.number(), counted_at: z.string(), full }), {
      limits: [],
    }),
    make_messages_due: service(nothing, none, {}),
    mark_messages_failed: service(
      {
        ids,
        reason: z.string(),
        permanent: z.boolean(),
        address_rejected: z.optional(z.boolean()),
        failure: z.optional(
          z.object({ problem: z.string(), reply: z.string(), lasting: z.boolean(), certain: z.boolean() }),
        ),
      },
      none,
      { ids: [], reason: 'x', permanent: false },
    ),
    mark_messages_sent: service({ ids }, none, { ids: [] }),
    mark_recovery_reported: service({ server: z.string() }, none, { server: 'x' }),
    negotiate_as_buyer: service(
      {
        token_hash: z.string(),
        limits: json,
        move: z.optional(json),
        targets: z.optional(texts),
        mail: z.optional(z.boolean()),
        mail_limits: z.optional(json),
      },
      negotiation,
      { token_hash: 'x', limits: [] },
    ),
    /** A factor's fields are absent without one. */
    open_admin_session: service(
      {
        user_id: z.string(),
        session_id: z.string(),
        hours: z.number(),
        idle_minutes: z.number(),
        step: z.optional(z.number()),
        recovery: z.optional(z.string()),
      },
      z.object({
        status: z.enum(['opened', 'none', 'code_required', 'wrong_code', 'too_many_codes']),
        sealed: z.optional(z.string()),
        key_id: z.optional(z.string()),
        left: z.optional(z.number()),
        wrong: z.optional(z.number()),
      }),
      { user_id: NOBODY, session_id: 'x', hours: 1, idle_minutes: 5 },
    ),
    /** With `reminder_limits`, which count them, reminders to buyers too. */
    queue_overdue: service({ targets: texts, reminder_limits: z.optional(json) }, z.number(), {
      targets: [],
    }),
    /** The beginnings of all links' hashes, of one length. */
    read_link_hashes: service(nothing, z.array(z.string()), {}),
    /** Null before the first publication, the version alone if it is known. */
    read_listings: service(
      { known: z.optional(z.nullable(z.number())), known_build: z.optional(z.nullable(z.string())) },
      z.nullable(
        z.object({
          version: z.number(),
          hosts: z.optional(z.array(z.string())),
          language: z.optional(z.string()),
          build: z.optional(z.nullable(z.string())),
          /** Absent before the migration that added it. */
          settings: z.optional(PublishedSettingsSchema),
          states: z.optional(z.record(z.string(), ListingStateSchema)),
        }),
      ),
      {},
    ),
    release_hits: service({ limits: json, counted_at: z.optional(z.string()) }, none, { limits: [] }),
    /** Servers that work again, which is yet to be reported to the owner. */
    report_delivery: service(
      { mail: z.number(), webhooks: z.number(), servers: z.record(z.string(), z.string()) },
      z.array(z.object({ server: z.string(), problem: z.string(), since: z.string(), waited: z.number() })),
      { mail: 0, webhooks: 0, servers: {} },
    ),
    submit_offer: service(
      {
        offer: json,
        token_hash: z.string(),
        payload_hash: z.string(),
        limits: json,
        checks: z.optional(json),
        expired: z.optional(z.boolean()),
        messages: z.optional(json),
      },
      submission,
      { offer: {}, token_hash: 'x', payload_hash: 'x', limits: {} },
    ),

    // The owner's commands and the server.
    /** Adds to the numbers of names, once for each batch. `is_on`: whether a server counts; absent: as before. */
    add_numbers: service(
      {
        batch: uuid,
        counts: list(
          z.strictObject({
            name: domain,
            /** Such as 2026-11-29, in UTC. */
            day: z.string(),
            visits: z.optional(z.number()),
            begun: z.optional(z.number()),
          }),
        ),
        is_on: z.optional(z.boolean()),
      },
      none,
      { batch: NOBODY, counts: [] },
    ),
    count_offers: service(
      { newest_created_at: z.optional(z.string()), newest_id: z.optional(z.string()) },
      z.number(),
      {},
      { mayTakeLong: true },
    ),
    end_admin_sessions: service(ofUser, none, { user_id: NOBODY }),
    /** Number of the offers. */
    erase_customer: service(
      { email: z.string() },
      z.number(),
      { email: 'nobody@example.invalid' },
      { mayTakeLong: true },
    ),
    export_offers: service(
      { page_size: z.number(), before_created_at: z.optional(z.string()), before_id: z.optional(z.string()) },
      // What the next page is found by; the other columns are as the database has them.
      z.object({
        offers: z.array(z.looseObject({ id: z.string(), created_at: z.string() })),
        has_messages: z.boolean(),
      }),
      { page_size: 0 },
      { mayTakeLong: true },
    ),
    grant_administrator: service(ofUser, none, { user_id: NOBODY }),
    /** Of each change, that the file has it, or what it has in its place: null for no own value. */
    mark_name_changes: service(
      { written: ids, dropped: list(z.strictObject({ id: z.number(), found: orNull })) },
      none,
      { written: [], dropped: [] },
    ),
    /** The version. */
    publish_listings: service(
      {
        entries: json,
        hosts: texts,
        keep_previous: z.boolean(),
        language: z.optional(z.string()),
        build: z.optional(z.string()),
        built_at: z.optional(z.string()),
        read_at: z.optional(z.string()),
        settings: z.optional(json),
      },
      z.number(),
      { entries: [], hosts: [], keep_previous: true },
      { mayTakeLong: true },
    ),
    /** Number of the offers. */
    purge_offers: service(
      { older_than: z.string(), accepted: z.boolean(), purge: z.optional(z.boolean()) },
      z.number(),
      { older_than: '1000 years', accepted: false },
      { mayTakeLong: true },
    ),
    read_access: service(nothing, z.array(z.string()), {}),
    /** Amounts that no reader has read yet, at most 500: of an offer (number 1), or of one of its moves. */
    read_unread_amounts: service(
      nothing,
      z.array(
        z.object({
          offer_id: z.string(),
          number: z.number(),
          text: z.string(),
          /** The owner's text. */
          price: z.nullable(z.string()),
          minimum_currency: z.nullable(z.string()),
        }),
      ),
      {},
      { mayTakeLong: true },
    ),
    store_amounts: service({ amounts: json }, none, { amounts: [] }, { mayTakeLong: true }),
    /** The first one first. */
    read_administrators: service(
      nothing,
      z.array(
        z.object({
          user_id: z.string(),
          email: z.string(),
          since: z.string(),
          has_factor: z.optional(z.boolean()),
        }),
      ),
      {},
    ),
    read_customer: service(
      { email: z.string() },
      z.object({ offers: z.array(json), mails: z.array(z.record(z.string(), json)) }),
      { email: 'nobody@example.invalid' },
      { mayTakeLong: true },
    ),
    /** No field holds an email address or a URL. */
    read_message_state: service(
      nothing,
      z.object({
        /**
         * Waiting, held back after a restore, given up, and sent so far. Given up are neither dismissed messages nor confirmations
         * whose address was rejected.
         */
        queued: z.number(),
        paused: z.number(),
        failed: z.number(),
        sent: z.number(),
        /** How long the oldest message that is not held back has been waiting, without digests and confirmations whose address was rejected. */
        wait_seconds: z.number(),
        /** The server's response to the last failed try of a message that is not sent; null where there is none. */
        reason: z.nullable(z.string()),
        problems,
      }),
      {},
    ),
    /** Changes of the catalogue of which it is not stored whether its file has them, the oldest first. */
    read_open_name_changes: service(
      nothing,
      z.array(
        z.object({
          id: z.number(),
          batch: z.string(),
          name: z.string(),
          field: z.string(),
          from: orNull,
          to: orNull,
          changed_at: z.string(),
        }),
      ),
      {},
    ),
    /** `next` is passed as `after` for the following rows, null at the end. */
    read_rows: service(
      { kind: z.string(), after: z.optional(z.nullable(z.string())) },
      z.object({
        rows: z.array(z.record(z.string(), json)),
        next: z.nullable(z.string()),
        total: z.number(),
      }),
      { kind: 'erased_offers' },
      { mayTakeLong: true },
    ),
    /** `oldest`: when the oldest of them arrived, in ISO 8601; null where there is none. */
    read_unanswered: service(
      { hours: z.number() },
      z.object({ count: z.number(), oldest: z.nullable(z.string()) }),
      { hours: 24 },
    ),
    receive_rows: service(
      { kind: z.string(), rows: json },
      z.object({ present: z.number(), erased: z.number(), total: z.number() }),
      { kind: 'offers', rows: [] },
      { mayTakeLong: true },
    ),
    remove_expired: service(nothing, none, {}),
    /** Whether there was one. */
    remove_factor: service(ofUser, z.boolean(), { user_id: NOBODY }),
    /** Number of the messages that were held back. */
    resume_messages: service(nothing, z.number(), {}),
    revoke_administrator: service(ofUser, z.enum(['revoked', 'last', 'none']), { user_id: NOBODY }),
    /** False where the user is no administrator or has a factor. */
    set_factor: service(
      {
        user_id: z.string(),
        sealed: z.string(),
        key_id: z.string(),
        step: z.number(),
        recovery_hashes: texts,
      },
      z.boolean(),
      { user_id: NOBODY, sealed: 'x', key_id: 'x', step: 0, recovery_hashes: [] },
    ),
  };
})();

type Table = typeof CALLS;
export type CallName = keyof Table;
/** The names of one side. */
export type CallOf<Who> = { [Name in CallName]: Table[Name]['who'] extends Who ? Name : never }[CallName];
export type Arguments<Name extends CallName> = z.input<Table[Name]['body']>;
export type Returned<Name extends CallName> = z.output<Table[Name]['result']>;

/** One row, whatever its call. */
export interface Call extends Options {
  readonly who: 'administrator' | 'service';
  readonly body: z.ZodMiniObject;
  readonly result: z.ZodMiniType;
  readonly sample: Readonly<Record<string, unknown>>;
}

/** Every row with its name. */
/* @__NO_SIDE_EFFECTS__ */
export function callsOf(who: Call['who']): (Call & { readonly name: string })[] {
  return Object.entries<Call>(CALLS).flatMap(([name, row]) => (row.who === who ? [{ name, ...row }] : []));
}
