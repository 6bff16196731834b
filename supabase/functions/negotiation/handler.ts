/**
 * Reads a negotiation and makes moves: the owner's with the token of a session, the buyer's with that of a link. The
 * database decides who may do what, and which of two moves was first.
 */
import { domainToUnicode } from 'node:url';
import type { CallDatabase } from '../_shared/call-database.ts';
import { readClient } from '../_shared/client-ip.ts';
import type { Arguments, Returned } from '../_shared/contract/calls.ts';
import { withoutDirectionMarks } from '../_shared/contract/direction-marks.ts';
import { escapeMarkup } from '../_shared/contract/escape-markup.ts';
import {
  MAX_NOTE,
  type Move,
  type Negotiation,
  type NegotiationRequest,
  NegotiationRequestSchema,
  type StoredLink,
} from '../_shared/contract/negotiation.ts';
import { isBlank, OFFER_LIMITS } from '../_shared/contract/offer.ts';
import { parseAmount } from '../_shared/contract/price-of.ts';
import { REJECTIONS, type RejectionCode } from '../_shared/contract/rejections.ts';
import { shownMove } from '../_shared/contract/shown-amount.ts';
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
import { createPossibleLinks } from './possible-links.ts';

const DAY_MS = 86_400_000;

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

  return async (request) => {
    const body = parseRequest(await readJson(request, BODY_BOUNDS));
    return 'token' in body ? await forBuyer(request, body) : await forOwner(request, body);
  };

  async function forBuyer(request: Request, { token, move }: BuyerRequest): Promise<Result> {
    if (!TOKEN.test(token)) throw new Rejection('link_invalid');
    const hash = hashOfToken(token);
    const client = readClient(request, settings);
    const limits = limitsOfSender(settings, 'link', client);
    // A link that is dead is in the list of links, too.
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
    const state = withClosing(outcome.state, await listings.read());
    // Browsers cannot decode names.
    const shown = state ? domainToUnicode(state.domain) || state.domain : '';
    return resultOf(outcome, state && (shown === state.domain ? state : { ...state, shown }));
  }

  async function forOwner(
    request: Request,
    { offer_id, move, preview, new_link }: OwnerRequest,
  ): Promise<Result> {
    const authorization = request.headers.get('authorization');
    if (authorization === null) throw new Rejection('session_ended');
    const isAdminHost = await allowedOrigin(request, { listings, settings }, true);
    if (request.headers.has('origin') && isAdminHost === undefined) throw new Rejection('foreign_origin');
    let outcome = await call('negotiate_as_owner', { offer_id }, authorization);
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
        ...withClosing(state, catalogue),
        mails: messages.mail !== undefined,
        ...(link && { link: linkUrl(secretKey, catalogue, { ...state, id: offer_id }, link) }),
        ...(preview &&
          messages.mail &&
          state.can.includes(preview.kind) && { mail: mailAbout(preview, offer_id, state, link, catalogue) }),
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
    { kind, amount, note, days = USUAL_DAYS, seen }: Move,
    id: string,
    state: Negotiation,
    newest: StoredLink | null | undefined,
    catalogue: PublishedCatalogue,
  ) {
    const price = parseAmount(amount ?? '', catalogue.settings.currencies);
    const named =
      kind === 'accept'
        ? state.moves.findLast((one) => one.amount)
        : { amount, value: price && Number(price.amount), currency: price?.currency };
    const link = linkFor(id, newest);
    const url = linkUrl(secretKey, catalogue, { ...state, id }, link);
    const move = {
      number: seen + 1,
      kind,
      ...(named?.amount != null && {
        amount: named.amount,
        value: named.value ?? null,
        currency: named.currency ?? null,
      }),
      ...(note !== undefined && !isBlank(note) && { note }),
      ...(kind === 'counter' && { valid_until: new Date(Date.now() + days * DAY_MS).toISOString() }),
    };
    const content = reply(
      { domain_name: state.domain, move },
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

/** The state with the closing text, once the offer is accepted. */
function withClosing<State extends Negotiation | null | undefined>(
  state: State,
  { settings, language: first }: PublishedCatalogue,
): State {
  if (state?.status !== 'accepted') return state;
  const { closing = {} } = settings;
  const language = [state.language ?? first, first].find((one) => closing[one] !== undefined);
  if (language === undefined) return state;
  // Typed by the buyer, perhaps: it must not turn the owner's text around.
  const agreed = state.moves.findLast(({ amount }) => amount);
  const amount = withoutDirectionMarks(agreed?.amount ?? '');
  const shown = shownMove({ ...agreed, kind: 'accept', amount }, language);
  const inText: Record<string, string> = {
    domain: escapeMarkup(state.domain),
    amount: shown.isClear ? `<span translate="no">${shown.text}</span>` : escapeMarkup(amount),
  };
  const inUrl: Record<string, string> = { domain: state.domain, amount };
  // Braces in targets of links are encoded.
  const filled = closing[language]?.replace(
    /\{(domain|amount)\}|%7B(domain|amount)%7D/g,
    (_, text = '', url = '') => inText[text] ?? encodeURIComponent(inUrl[url] ?? ''),
  );
  return { ...state, closing: filled };
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
