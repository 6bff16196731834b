/**
 * Accepts an offer. Checks the body, the domain and the token as far as possible without a request; then the bot check;
 * then the database counts the offer in its limits and stores it once.
 */
import { assertForSale, rejectionOf } from '../_shared/assert-for-sale.ts';
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Client, readClient } from '../_shared/client-ip.ts';
import type { Returned } from '../_shared/contract/calls.ts';
import type { OfferSubmission } from '../_shared/contract/offer.ts';
import { parseAmount } from '../_shared/contract/price-of.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { createLimitedSenders } from '../_shared/limited-senders.ts';
import type { Listings } from '../_shared/listings.ts';
import { limitsOfSender } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { LimitReached, Rejection } from '../_shared/rejection.ts';
import { requestHost } from '../_shared/request-host.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck, BotCheckToken } from './bot-check.ts';
import { confirmationLimits, offerLimits } from './limits.ts';
import { queuedMessages } from './queued-messages.ts';
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

type Outcome = Returned<'submit_offer'>;

/** `locale` belongs to the messages: the same offer has the same texts. */
type Offer = Omit<OfferSubmission, 'turnstile_token' | 'locale'>;

/** Creates the handler, with its own cache of limited senders. */
export function createSubmitOffer({
  settings,
  listings,
  botCheck,
  callDatabase,
  afterStored,
}: OrderSubmit): Handler {
  const limitedSenders = createLimitedSenders();

  return async (request) => {
    const { turnstile_token, locale, ...offer } = parseSubmission(await readJson(request, BODY_BOUNDS));
    await assertForSale(listings, offer.domain_name);
    const sentTo = requestHost(request, settings);
    const token = botCheck.read(turnstile_token, offer.domain_name, sentTo);
    if (token === undefined) {
      const isOther = !settings.turnstile && TURNSTILE_TOKEN.test(turnstile_token);
      throw new Rejection(isOther ? 'bot_check_other' : 'bot_check_failed');
    }

    const client = readClient(request, settings);
    const outcome = await accept(offer, locale, token, client);
    if (outcome.outcome === 'stored') afterStored?.();
    return resultOf(outcome);
  };

  async function accept(
    offer: Offer,
    locale: string | undefined,
    token: BotCheckToken,
    client: Client,
  ): Promise<Outcome> {
    const keys = idempotencyKeysOf(settings, offer, token);
    const limits = offerLimits(settings, offer.domain_name, client);
    const checks = botCheck.limitsFailures ? limitsOfSender(settings, 'failed-check', client) : [];
    const ofSender = [...limits.sender, ...checks];
    const wait = limitedSenders.wait(ofSender);
    if (wait > 0) return { outcome: 'limited', wait };
    const remembered = (outcome: Outcome) => {
      if (outcome.outcome === 'limited') limitedSenders.add(ofSender, outcome.full);
      // Its check was released.
      if (outcome.outcome === 'stored') limitedSenders.forget(checks);
      return outcome;
    };
    if (botCheck.limitsFailures) {
      const begun = await callDatabase('begin_bot_check', { ...keys, sender: limits.sender, checks });
      if (begun.outcome !== 'new') return remembered(begun);
    }
    const verdict = await token.verify(client);
    if (verdict === 'unavailable') {
      if (botCheck.limitsFailures) await callDatabase('release_hits', { limits: checks });
      limitedSenders.forget(checks);
      throw new Rejection('bot_check_unavailable', { headers: { 'retry-after': '30' } });
    }
    if (verdict === 'failed') throw new Rejection('bot_check_failed');

    // The database stores it, with the currency of a number alone, and compares it with the owner's minimum.
    const price = parseAmount(offer.offer_amount, (await listings.read()).settings.currencies);
    const row = {
      offer: { ...offer, ...(locale && { locale }), ...(price && { price }) },
      ...keys,
      limits,
      checks,
      // The database knows whether it was stored before the token expired.
      expired: verdict === 'expired',
      messages: queuedMessages(
        settings.messages,
        offer.customer_email,
        locale,
        confirmationLimits(settings, client),
        settings.secretKey,
      ),
    };
    const store = () => callDatabase('submit_offer', row);
    // Repeated if it fails: the idempotency key makes it the same offer, whether or not the first call stored it.
    return remembered(await store().catch(store));
  }
}

/** Identifies an offer that was sent again. */
function idempotencyKeysOf(settings: Settings, offer: Offer, token: BotCheckToken) {
  const texts = JSON.stringify(Object.entries(offer).sort());
  return {
    token_hash: keyedHash(settings.secretKey, 'offer-token', token.identity),
    payload_hash: keyedHash(settings.secretKey, 'offer-texts', texts),
  };
}

function resultOf(outcome: Outcome): Result {
  switch (outcome.outcome) {
    case 'stored':
      return { status: 201, body: storedBody(outcome) };
    case 'repeated':
      return { status: 200, body: storedBody(outcome) };
    case 'conflict':
      throw new Rejection('bot_check_used');
    case 'expired':
      throw new Rejection('bot_check_expired');
    case 'limited':
      throw new LimitReached('too_many_offers', outcome.wait);
    case 'not_for_sale':
      throw rejectionOf(outcome.state);
    case 'new':
      throw new TypeError('new is no final outcome');
  }
}

function storedBody({ id, low }: Extract<Outcome, { id: string }>) {
  return { id, ...(low && { low }) };
}
