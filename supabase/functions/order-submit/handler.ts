/**
 * Accepts an offer. Checks the body, the domain, the token as far as possible without a request, and whether the token
 * was sent before; then the bot check and its work; then stores the offer once.
 */
import { assertForSale, rejectionOf } from '../_shared/assert-for-sale.ts';
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Client, readClient } from '../_shared/client-ip.ts';
import type { OfferSubmission } from '../_shared/contract/offer.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import type { Listings } from '../_shared/listings.ts';
import { type Limit, limitOfIp } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { LimitReached, Rejection } from '../_shared/rejection.ts';
import { requestHost } from '../_shared/request-host.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck, BotCheckToken } from './bot-check.ts';
import { confirmationLimits, heldLimits, stepLimits } from './limits.ts';
import { type Outcome, OutcomeSchema, type Receipt } from './outcome.ts';
import { queuedMessages } from './queued-messages.ts';
import { createSeenTokens } from './seen-tokens.ts';
import { parseSubmission } from './submission.ts';

const BODY_BOUNDS = { maxBytes: 64 * 1024, timeoutMs: 5_000 };

/** A token of Turnstile has dots, which a proof of work (base64) never has. */
const TURNSTILE_TOKEN = /^[\w-]+(?:\.[\w-]+)+$/;

export interface OrderSubmit {
  readonly settings: Settings;
  readonly listings: Listings;
  readonly botCheck: BotCheck;
  readonly callDatabase: CallDatabase;
  /** Called for each new offer; must return at once. */
  readonly afterStored?: (() => void) | undefined;
}

/** `locale` belongs to the messages: the same offer has the same texts. */
type Offer = Omit<OfferSubmission, 'turnstile_token' | 'locale'>;

/** What the database needs to decide whether the offer is stored, and whether as held. */
interface OfferLimits {
  readonly steps: readonly Limit[];
  readonly max_work: number;
  readonly held_limits: readonly Limit[];
}

/** Creates the handler, with its own cache of tokens. */
export function createSubmitOffer({
  settings,
  listings,
  botCheck,
  callDatabase,
  afterStored,
}: OrderSubmit): Handler {
  const seenTokens = createSeenTokens();

  return async (request) => {
    const { turnstile_token, locale, ...offer } = parseSubmission(await readJson(request, BODY_BOUNDS));
    await assertForSale(listings, offer.domain_name);
    const sentTo = requestHost(request, settings);
    const token = await botCheck.read(turnstile_token, offer.domain_name, sentTo);
    if (token === undefined) {
      const isOther = !settings.turnstile && TURNSTILE_TOKEN.test(turnstile_token);
      throw new Rejection(isOther ? 'bot_check_other' : 'bot_check_failed');
    }

    const receipt = receiptOf(settings, offer, token);
    const known = seenTokens.find(receipt, token.work);
    if (known) return await resultOf(known, token);
    const outcome = await accept(offer, locale, token, receipt, readClient(request, settings));
    seenTokens.add(receipt, outcome);
    if (outcome.outcome === 'stored') afterStored?.();
    return await resultOf(outcome, token);
  };

  async function accept(
    offer: Offer,
    locale: string | undefined,
    token: BotCheckToken,
    receipt: Receipt,
    client: Client | undefined,
  ): Promise<Outcome> {
    const limits = {
      steps: stepLimits(settings, offer, client),
      max_work: botCheck.maxWork,
      held_limits: heldLimits(settings, offer, client),
    };
    // With a valid proof of work submit_offer decides alone: a second call would double the work of the database.
    if (botCheck.limitsFailures || (await token.verify(client)) !== 'passed') {
      const rejected = await lookAhead(token, receipt, client, limits);
      if (rejected) return rejected;
    }

    const row = {
      offer: { ...offer, ...(locale && { locale }) },
      ...receipt,
      ...limits,
      work: token.work,
      messages: queuedMessages(
        settings.messages,
        offer.customer_email,
        locale,
        confirmationLimits(settings, client),
      ),
    };
    const store = () => callDatabase('submit_offer', row);
    // Repeated if it fails: the receipt makes it the same offer, whether or not the first call stored it.
    const stored = OutcomeSchema.parse(await store().catch(store));
    // Thrown, so that it is not cached: the domain may be for sale again.
    if (stored.outcome === 'not_for_sale') throw rejectionOf(stored.state);
    return stored;
  }

  /**
   * Queries the database before the bot check: whether an offer with an expired token was stored before, and whether the
   * offer would be rejected, so that no request to a third party is wasted.
   * @returns undefined if the bot check is passed
   */
  async function lookAhead(
    token: BotCheckToken,
    receipt: Receipt,
    client: Client | undefined,
    limits: OfferLimits,
  ): Promise<Outcome | undefined> {
    const failures = botCheck.limitsFailures ? [limitOfIp(settings, 'failed-check', client)] : [];
    const announced = OutcomeSchema.parse(
      await callDatabase('announce_offer', { ...receipt, ...limits, failures }),
    );
    // Thrown, so that it is not cached: with `limitsFailures` the token is not verified yet.
    if (announced.outcome === 'limited' && botCheck.limitsFailures) {
      throw new LimitReached('too_many_offers', announced.wait);
    }
    if (announced.outcome !== 'new') return announced;

    const verdict = await token.verify(client);
    if (verdict === 'unavailable') {
      throw new Rejection('bot_check_unavailable', { headers: { 'retry-after': '30' } });
    }
    // Cached only if the token was verified here: unverified tokens would fill the cache.
    if (verdict === 'expired' && !botCheck.limitsFailures) return { outcome: 'expired' };
    if (verdict !== 'passed') {
      if (botCheck.limitsFailures) await callDatabase('count_failed_check', { limits: failures });
      throw new Rejection(`bot_check_${verdict}`);
    }
    return undefined;
  }
}

function receiptOf(settings: Settings, offer: Offer, token: BotCheckToken): Receipt {
  const texts = JSON.stringify(Object.entries(offer).sort());
  return {
    token_hash: keyedHash(settings.secretKey, 'offer-token', token.identity),
    payload_hash: keyedHash(settings.secretKey, 'offer-texts', texts),
  };
}

async function resultOf(outcome: Outcome, token: BotCheckToken): Promise<Result> {
  switch (outcome.outcome) {
    case 'stored':
      return { status: 201, body: { id: outcome.id } };
    case 'repeated':
      return { status: 200, body: { id: outcome.id } };
    case 'conflict':
      throw new Rejection('bot_check_used');
    case 'expired':
      throw new Rejection('bot_check_expired');
    case 'limited':
      throw new LimitReached('too_many_offers', outcome.wait);
    case 'harder': {
      const challenge = await token.issueHarder?.(outcome.step);
      if (!challenge) throw new TypeError('harder, but without a challenge');
      throw new Rejection('harder_check', { body: { challenge } });
    }
    case 'new':
    case 'not_for_sale':
      throw new TypeError(`${outcome.outcome} is no final outcome`);
  }
}
