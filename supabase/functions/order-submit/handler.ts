/**
 * Accepts an offer, in this order: the body, the domain, the token as far as it can be verified here, an earlier response
 * to the same token, the bot check and its work, and the row, which is stored once.
 */
import * as z from 'zod/mini';
import type { CallDatabase } from '../_shared/call-database.ts';
import { type Client, readClient } from '../_shared/client-ip.ts';
import type { SiteHosts } from '../_shared/contract/hosts.ts';
import { OFFER_LIMITS, type OfferSubmission, OfferSubmissionSchema } from '../_shared/contract/offer.ts';
import { REJECTIONS, type RejectionCode } from '../_shared/contract/rejections.ts';
import { fifoCache } from '../_shared/fifo-cache.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { accountOf, type Limit, limitOf, limitOfIp, limitsOfSender } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { LimitReached, Rejection } from '../_shared/rejection.ts';
import type { Result } from '../_shared/response.ts';
import type { Handler } from '../_shared/serve-function.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck, BotCheckToken } from './bot-check.ts';

export interface OrderSubmit {
  readonly settings: Settings;
  readonly site: SiteHosts;
  readonly botCheck: BotCheck;
  readonly callDatabase: CallDatabase;
}

const BODY_BOUNDS = { maxBytes: 64 * 1024, timeoutMs: 5_000 };

/** Tokens whose outcome is in memory, so that one sent again costs no call of the database; some 4 MB. */
const MAX_SEEN_TOKENS = 10_000;

/** What became of a token, by its hash. */
type SeenToken =
  | { outcome: 'stored'; id: string; payload_hash: string }
  /** Nothing is stored for it, and its work is not enough. */
  | { outcome: 'harder'; step: number }
  /** Nothing is stored for it, and nothing will be. */
  | { outcome: 'expired' };

/** The handler; it holds what it remembers of tokens. */
export function createSubmitOffer(here: OrderSubmit): Handler {
  const seen = fifoCache<SeenToken>(MAX_SEEN_TOKENS);
  /** A stored offer stays so, whatever a request that ran beside it found. */
  const remember = (tokenHash: string, token: SeenToken) => {
    if (seen.get(tokenHash)?.outcome !== 'stored') seen.set(tokenHash, token);
  };

  return async (request) => {
    const { turnstile_token, ...offer } = parseSubmission(await readJson(request, BODY_BOUNDS));
    if (!here.site.names.has(offer.domain_name)) throw new Rejection('unknown_domain');
    const token = await here.botCheck.read(turnstile_token, offer.domain_name);
    if (token === undefined) throw new Rejection('bot_check_failed');
    return await accept(request, offer, token);
  };

  async function accept(request: Request, offer: OfferTexts, token: BotCheckToken): Promise<Result> {
    const { settings, botCheck, callDatabase } = here;
    const client = readClient(request, settings);
    const receipt = await receiptOf(settings, offer, token);
    const respond = (outcome: Outcome) => {
      const now = seenToken(outcome, receipt);
      if (now) remember(receipt.token_hash, now);
      return resultOf(outcome, token);
    };

    const known = knownOutcome(seen.get(receipt.token_hash), receipt.payload_hash, token.work);
    if (known) return resultOf(known, token);

    const steps = await stepsOf(settings, offer, client);
    const failures = botCheck.limitsFailures ? [await limitOfIp(settings, 'failed-check', client)] : [];
    const announced = OutcomeSchema.parse(
      await callDatabase('announce_offer', { ...receipt, steps, failures }),
    );
    if (announced.outcome !== 'new') return respond(announced);

    const verdict = await token.verify(client);
    if (!verdict.passed) {
      if (verdict.rejection === 'bot_check_unavailable') {
        throw new Rejection(verdict.rejection, { headers: { 'retry-after': '30' } });
      }
      if (failures.length > 0) await callDatabase('count_failed_check', { limits: failures });
      // Only a token that was verified here may stay in memory: anybody can make up others.
      else if (verdict.rejection === 'bot_check_expired')
        remember(receipt.token_hash, { outcome: 'expired' });
      throw new Rejection(verdict.rejection);
    }
    const step = Math.min(announced.step, botCheck.maxWork);
    if (step > token.work) return respond({ outcome: 'harder', step });

    const heldLimits = [
      ...(await limitsOfSender(settings, 'held', client)).map(asOwn),
      await limitOf(settings, 'held.domain', offer.domain_name),
    ];
    const store = () =>
      callDatabase('submit_offer', {
        offer,
        ...receipt,
        steps,
        work: token.work,
        max_work: botCheck.maxWork,
        held_limits: heldLimits,
      });
    // Once more without a response: the receipt makes it the same offer, whether or not the first call stored it.
    return respond(OutcomeSchema.parse(await store().catch(store)));
  }
}

type OfferTexts = Omit<OfferSubmission, 'turnstile_token'>;

interface Receipt {
  readonly token_hash: string;
  readonly payload_hash: string;
}

async function receiptOf(settings: Settings, offer: OfferTexts, token: BotCheckToken): Promise<Receipt> {
  const texts = JSON.stringify(Object.entries(offer).sort());
  return {
    token_hash: await keyedHash(settings.secretKey, 'offer-token', token.identity),
    payload_hash: await keyedHash(settings.secretKey, 'offer-texts', texts),
  };
}

/** What `announce_offer` and `submit_offer` return. */
const OutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('new'), step: z.number() }),
  z.object({ outcome: z.literal('stored'), id: z.uuid() }),
  z.object({ outcome: z.literal('repeated'), id: z.uuid() }),
  z.object({ outcome: z.literal('conflict') }),
  z.object({ outcome: z.literal('harder'), step: z.number() }),
  z.object({ outcome: z.literal('limited'), wait: z.number() }),
]);
type Outcome = z.infer<typeof OutcomeSchema> | { outcome: 'expired' };

/** What is remembered of an outcome, if anything. */
function seenToken(outcome: Outcome, { payload_hash }: Receipt): SeenToken | undefined {
  if (outcome.outcome === 'stored' || outcome.outcome === 'repeated') {
    return { outcome: 'stored', id: outcome.id, payload_hash };
  }
  return outcome.outcome === 'harder' ? outcome : undefined;
}

/** The outcome of a token that was seen before; undefined where the database must be called. */
function knownOutcome(seen: SeenToken | undefined, payloadHash: string, work: number): Outcome | undefined {
  switch (seen?.outcome) {
    case 'stored':
      return seen.payload_hash === payloadHash
        ? { outcome: 'repeated', id: seen.id }
        : { outcome: 'conflict' };
    case 'harder':
      // The proof of its harder challenge has the same hash.
      return seen.step > work ? seen : undefined;
    default:
      return seen;
  }
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
      throw new TypeError('announced, but not stored');
  }
}

/** The limits whose multiples are the steps of the work. */
async function stepsOf(settings: Settings, offer: OfferTexts, client: Client | undefined): Promise<Limit[]> {
  const [sender, email, ...shared] = await Promise.all([
    limitsOfSender(settings, 'submit', client),
    limitOf(settings, 'submit.email', accountOf(offer.customer_email)),
    limitOf(settings, 'submit.domain', offer.domain_name),
    limitOf(settings, 'submit.everybody', ''),
  ]);
  return [...[...sender, email].map(asOwn), ...shared];
}

function asOwn(limit: Limit): Limit {
  return { ...limit, own: true };
}

/** The fields as the form's labels call them. */
const FIELD_NAMES: Record<string, string> = {
  domain_name: 'the domain',
  offer_amount: 'your offer',
  customer_name: 'your name',
  customer_email: 'your email',
  turnstile_token: 'the bot check',
};

function parseSubmission(body: unknown): OfferSubmission {
  const { success, data, error } = OfferSubmissionSchema.safeParse(body);
  if (success) return data;
  const issue = error.issues[0];
  if (issue?.code === 'unrecognized_keys') {
    throw new Rejection('unknown_field', { values: { field: (issue.keys[0] ?? '').slice(0, 40) } });
  }
  const field = String(issue?.path[0] ?? '');
  const code =
    issue && Object.hasOwn(REJECTIONS, issue.message) ? (issue.message as RejectionCode) : 'malformed';
  const max = Object.hasOwn(OFFER_LIMITS, field) ? OFFER_LIMITS[field as keyof typeof OFFER_LIMITS] : '';
  const label = FIELD_NAMES[field];
  throw new Rejection(code, {
    values: { field: label ?? 'every field', max: String(max) },
    body: label ? { field } : {},
  });
}
