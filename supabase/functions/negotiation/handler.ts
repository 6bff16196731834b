/**
 * Reads a negotiation and makes moves: the owner's with the token of a session, the buyer's with that of a link. The
 * database decides who may do what, and which of two moves was first.
 */
import { domainToUnicode } from 'node:url';
import type { CallDatabase } from '../_shared/call-database.ts';
import { readClient } from '../_shared/client-ip.ts';
import type { Arguments, Returned } from '../_shared/contract/calls.ts';
import { payLinkOf } from '../_shared/contract/checkout.ts';
import {
  type DealChange,
  MAX_NOTE,
  MAX_PAY_LINK,
  type Move,
  type Negotiation,
  type NegotiationRequest,
  NegotiationRequestSchema,
  type StoredLink,
  type StoredPayment,
} from '../_shared/contract/negotiation.ts';
import { isBlank, OFFER_LIMITS } from '../_shared/contract/offer.ts';
import { parseAmount } from '../_shared/contract/price-of.ts';
import { REJECTIONS, type RejectionCode } from '../_shared/contract/rejections.ts';
import { fifoCache } from '../_shared/fifo-cache.ts';
import { createLimitedSenders } from '../_shared/limited-senders.ts';
import type { Listings, PublishedCatalogue } from '../_shared/listings.ts';
import { ownerTargets } from '../_shared/message-targets.ts';
import { hashOfToken, linkToken, linkUrl, makeLink } from '../_shared/offer-link.ts';
import { limitOf, limitsOfSender } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { LimitReached, Rejection } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import { allowedOrigin, type Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import { renderMail } from '../deliver/render-mail.ts';
import { reply } from '../deliver/reply.ts';
import { NO_REFERENCE, withDeal } from './deal-view.ts';
import { createPossibleLinks } from './possible-links.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Of one link; its page makes two calls a minute while it is open. */
const MAX_USES_A_MINUTE = 60;
const MAX_LINKS_COUNTED = 10_000;

/** A counter-offer is valid for so many days where it names none. */
const USUAL_DAYS = 7;

const BODY_BOUNDS = { maxBytes: 16 * 1024, timeoutMs: 5_000 };

/** As `linkToken` makes them. */
const TOKEN = /^[0-9a-f]{32}$/;

type Outcome = Returned<'negotiate_as_buyer'>;

export interface NegotiationContext {
  readonly settings: Settings;
  readonly listings: Listings;
  readonly callDatabase: CallDatabase;
  /** Called after each move that was made; must return at once. */
  readonly afterMove?: (() => void) | undefined;
}

type OwnerRequest = Extract<NegotiationRequest, { offer_id: string }>;
type BuyerRequest = Extract<NegotiationRequest, { token: string }>;

/** Creates the handler, with its own cache of limited senders. */
export function createNegotiation({
  settings,
  listings,
  callDatabase,
  afterMove,
}: NegotiationContext): Handler {
  const { secretKey, messages } = settings;
  const limited = createLimitedSenders();
  const possibleLinks = createPossibleLinks(callDatabase);
  /** Of links that open, by the hash of their token: a confirmation brings one to everybody with a mailbox. */
  const uses = fifoCache<{ readonly since: number; count: number }>(MAX_LINKS_COUNTED);

  return async (request) => {
    const body = parseRequest(await readJson(request, BODY_BOUNDS));
    return 'token' in body ? await forBuyer(request, body) : await forOwner(request, body);
  };

  async function forBuyer(request: Request, { token, move }: BuyerRequest): Promise<Result> {
    if (!TOKEN.test(token)) throw new Rejection('link_invalid');
    const hash = hashOfToken(token);
    const client = readClient(request, settings);
    const limits = limitsOfSender(settings, 'link', client);
    const recent = recentUses(hash);
    if (recent && recent.count >= MAX_USES_A_MINUTE)
      throw new LimitReached('too_many_links', Math.ceil((recent.since + MINUTE_MS - Date.now()) / 1_000));
    // One that has died since the list was read is in it.
    const dead = [{ bucket: 'dead link', key: hash }];
    const wait = limited.wait(limits);
    if (wait > 0 && (limited.wait(dead) > 0 || !(await possibleLinks.has(hash))))
      throw new LimitReached('too_many_links', wait);
    const outcome = await call('negotiate_as_buyer', {
      token_hash: hash,
      limits,
      ...(move && { move: await storedMove(move), targets: ownerTargets(messages), ...mailsToBuyer() }),
    });
    if (outcome.outcome === 'limited')
      limited.add([...limits, ...dead], { ...outcome.full, 'dead link': outcome.wait ?? 0 });
    if (outcome.state) countUse(hash);
    const state = outcome.state && withDeal(outcome.state, outcome.payment, await listings.read(), false);
    // Browsers cannot decode names.
    const shown = state ? domainToUnicode(state.domain) || state.domain : '';
    return resultOf(
      outcome,
      state && {
        ...state,
        ...(shown !== state.domain && { shown }),
        mails: messages.mail !== undefined,
      },
    );
  }

  function recentUses(hash: string) {
    const used = uses.get(hash);
    return used && Date.now() - used.since < MINUTE_MS ? used : undefined;
  }

  /** Looks for its count again: other requests with the link may have ended meanwhile. */
  function countUse(hash: string): void {
    const recent = recentUses(hash);
    if (recent) recent.count += 1;
    else uses.set(hash, { since: Date.now(), count: 1 });
  }

  async function forOwner(
    request: Request,
    { offer_id, move, preview, new_link, deal }: OwnerRequest,
  ): Promise<Result> {
    const authorization = request.headers.get('authorization');
    if (authorization === null) throw new Rejection('session_ended');
    const isAdminHost = await allowedOrigin(request, { listings, settings }, true);
    if (request.headers.has('origin') && isAdminHost === undefined) throw new Rejection('foreign_origin');
    if (deal && (move || new_link)) throw new Rejection('malformed');
    const change = deal && storedChange(deal, (await listings.read()).settings.checkoutHosts);
    let outcome = await call(
      'negotiate_as_owner',
      { offer_id, ...(change && { deal: change }) },
      authorization,
    );
    if (outcome.outcome === 'read' && (move || new_link)) {
      const args = {
        offer_id,
        link: linkFor(offer_id, outcome.link, new_link),
        ...(move && { move: await storedMove(move), ...mailsToBuyer() }),
      };
      outcome = await call('negotiate_as_owner', args, authorization);
    }
    const { state, link } = outcome;
    if (link) possibleLinks.add(link.hash);
    const catalogue = await listings.read();
    return resultOf(
      outcome,
      state && {
        ...withDeal(state, outcome.payment, catalogue, true),
        mails: messages.mail !== undefined,
        ...(link && { link: linkUrl(secretKey, catalogue, { ...state, id: offer_id }, link) }),
        ...(preview &&
          messages.mail &&
          (preview.kind !== 'take_back' || state.had_mail) &&
          state.can.includes(preview.kind) && {
            mail: mailAbout(preview, offer_id, state, link, catalogue, outcome.payment ?? {}),
          }),
      },
    );
  }

  /** The move without a note that is blank, with what was read in its amount. */
  async function storedMove({ note, ...move }: Move) {
    const price = parseAmount(move.amount ?? '', (await listings.read()).settings.currencies);
    return { ...move, ...(note !== undefined && !isBlank(note) && { note }), ...(price && { price }) };
  }

  /** Whether moves are mailed to the buyer, and the limit of such mails. */
  function mailsToBuyer() {
    return { mail: messages.mail !== undefined, mail_limits: [limitOf(settings, 'reply.all', '')] };
  }

  /** What the function `deliver` would send about a move of the owner. Before the first move, the link has no token yet. */
  function mailAbout(
    { kind, amount, note, days = USUAL_DAYS, seen, as }: Move,
    id: string,
    state: Negotiation,
    newest: StoredLink | null | undefined,
    catalogue: PublishedCatalogue,
    payment: StoredPayment,
  ) {
    const { payDays } = catalogue.settings;
    const price = parseAmount(amount ?? '', catalogue.settings.currencies);
    const named =
      kind === 'accept'
        ? state.moves.findLast((one) => one.amount)
        : { amount, value: price && Number(price.amount), currency: price?.currency };
    const link = linkFor(id, newest);
    const url = linkUrl(secretKey, catalogue, { ...state, id }, link, { kind, as });
    const agreed = named?.amount != null && {
      amount: named.amount,
      value: named.value ?? null,
      currency: named.currency ?? null,
    };
    const move = {
      number: seen + 1,
      kind,
      ...agreed,
      ...(note !== undefined && !isBlank(note) && { note }),
      ...(as && { as }),
      ...(kind === 'counter' && { valid_until: new Date(Date.now() + days * DAY_MS).toISOString() }),
    };
    const deal = payment.way !== undefined &&
      kind === 'accept' && {
        ...payment,
        ...{ number: 0, reference: NO_REFERENCE, ...agreed },
        ...(payDays && { pay_by: new Date(Date.now() + payDays * DAY_MS).toISOString().slice(0, 10) }),
      };
    const content = reply(
      { domain_name: state.domain, move, ...(deal && { deal }) },
      [state.language, catalogue.language],
      link === newest ? url : url?.replace(/#.*/, '#…'),
    );
    const { subject, text } = renderMail(content, catalogue.settings);
    return { subject, text };
  }

  /** The link that a move's mail has: the newest one, or another one if that was made under another secret key. */
  function linkFor(offerId: string, newest: StoredLink | null | undefined, replace?: true) {
    const isOurs = newest && hashOfToken(linkToken(secretKey, offerId, newest)) === newest.hash;
    if (isOurs && !replace) return newest;
    return { ...makeLink(secretKey, offerId, (newest?.number ?? 0) + 1), ...(replace && { replace }) };
  }

  /** A call that fails is repeated once: a move that was made is not made again. */
  async function call<Name extends 'negotiate_as_buyer' | 'negotiate_as_owner'>(
    name: Name,
    args: Arguments<Name>,
    authorization?: string,
  ): Promise<Outcome> {
    const once = () => callDatabase(name, args, authorization);
    let isSecond = false;
    const outcome = await once().catch((error: unknown) => {
      if (error instanceof Rejection && error.code === 'session_ended') throw error;
      isSecond = true;
      return once();
    });
    // `repeated`, if the first response was lost. A client that repeats a move starts nothing.
    if (outcome.outcome === 'made' || (outcome.outcome === 'repeated' && isSecond)) afterMove?.();
    return outcome;
  }
}

/** @throws Rejection for the first field that is missing, unknown or invalid */
function parseRequest(body: unknown): NegotiationRequest {
  const { success, data, error } = NegotiationRequestSchema.safeParse(body);
  if (success) {
    const move = data.move ?? ('preview' in data ? data.preview : undefined);
    if ((move?.kind === 'counter' || move?.kind === 'offer') && move.amount === undefined) {
      throw new Rejection('missing', { values: { field: 'the amount' }, body: { field: 'amount' } });
    }
    return data;
  }
  // Of the two forms of a body, the issues of the one that was meant.
  const [issue] = error.issues;
  const isToken = typeof body === 'object' && body !== null && 'token' in body;
  const inner = issue?.code === 'invalid_union' ? issue.errors[isToken ? 1 : 0]?.[0] : issue;
  if (inner?.path.at(-1) === 'amount' || inner?.path.at(-1) === 'note') {
    const field = String(inner.path.at(-1));
    const max = String(field === 'note' ? MAX_NOTE : OFFER_LIMITS.offer_amount);
    const code = Object.hasOwn(REJECTIONS, inner.message) ? (inner.message as RejectionCode) : 'malformed';
    throw new Rejection(code, { values: { field: `the ${field}`, max }, body: { field } });
  }
  throw new Rejection('malformed');
}

/** The change with its link as browsers read it. @throws Rejection for a link or a date that is none to pay by */
function storedChange(change: DealChange, hosts: readonly string[] = []): DealChange {
  if (change.field === 'pay_by' && change.to !== null) {
    // The owner's day may be yesterday's or tomorrow's in UTC; the database has the last word.
    const days = (Date.parse(change.to) - Date.now()) / DAY_MS;
    if (days < -2 || days > 366) throw new Rejection('not_a_pay_date', { body: { field: 'pay_by' } });
  }
  if (change.field !== 'link' || change.to === null) return change;
  if (hosts.length === 0) throw new Rejection('not_possible');
  const link = payLinkOf(change.to.trim());
  const body = { field: 'link' };
  if (link === undefined)
    throw new Rejection('not_a_pay_link', { values: { max: String(MAX_PAY_LINK) }, body });
  const { host } = new URL(link);
  if (!hosts.includes(host))
    throw new Rejection('pay_link_elsewhere', { values: { host, hosts: hosts.join(', ') }, body });
  return { ...change, to: link };
}

function resultOf({ outcome, wait = 0, taken_by }: Outcome, state: Negotiation | null | undefined): Result {
  if (outcome === 'limited') throw new LimitReached('too_many_links', wait);
  if (outcome === 'unknown') throw new Rejection('offer_erased');
  if (outcome === 'invalid' || !state) throw new Rejection('link_invalid');
  switch (outcome) {
    case 'moved':
      throw new Rejection('moved', { body: { state } });
    case 'taken':
      // A buyer does not learn that there is another.
      if (!taken_by) throw new Rejection('not_possible');
      throw new Rejection('name_accepted', { values: { name: taken_by } });
    case 'too_many':
      throw new Rejection('too_many_moves');
    case 'mails_full':
    case 'ended':
    case 'not_possible':
      throw new Rejection(outcome);
  }
  return { status: 200, body: state };
}
