/** Takes one offer, in this order: readable, known domain, earlier answer and limits, bot check, stored once. */
import * as z from 'zod/mini';
import { answer, refuse, refuseFor } from '../_shared/answer.ts';
import type { SiteHosts } from '../_shared/contract/hosts.ts';
import { OFFER_LIMITS, type OfferSubmission, OfferSubmissionSchema } from '../_shared/contract/offer.ts';
import { REFUSALS, type RefusalCode } from '../_shared/contract/refusals.ts';
import { keyedHash } from '../_shared/keyed-hash.ts';
import { clientAddress, type Limit, limitOf } from '../_shared/rate-limits.ts';
import { readJson } from '../_shared/read-json.ts';
import { type CallDatabase, DatabaseUnavailable } from '../_shared/service.ts';
import type { Settings } from '../_shared/settings.ts';
import type { BotCheck } from './bot-check.ts';

export interface OrderSubmit {
  readonly settings: Settings;
  readonly site: SiteHosts;
  readonly botCheck: BotCheck;
  readonly callDatabase: CallDatabase;
}

const BODY = { bytes: 64 * 1024, milliseconds: 5_000 };

export async function submitOffer(request: Request, here: OrderSubmit): Promise<Response> {
  const body = await readJson(request, BODY);
  if ('refusal' in body) return refuse(request, body.refusal);
  const parsed = OfferSubmissionSchema.safeParse(body.object);
  if (!parsed.success) return refuseFields(request, parsed.error.issues);
  const { turnstile_token: token, ...offer } = parsed.data;
  if (!here.site.names.has(offer.domain_name)) return refuse(request, 'unknown_domain');
  const identity = here.botCheck.identify(token);
  if (identity === undefined) return refuse(request, 'bot_check_failed');
  try {
    return await take(request, here, offer, token, identity);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    console.error(JSON.stringify({ event: 'database_unavailable', reason: error.message }));
    return refuse(request, 'unavailable', {}, { 'retry-after': '5' });
  }
}

type OfferTexts = Omit<OfferSubmission, 'turnstile_token'>;

async function take(
  request: Request,
  here: OrderSubmit,
  offer: OfferTexts,
  token: string,
  identity: string,
): Promise<Response> {
  const { settings, botCheck, callDatabase } = here;
  const address = clientAddress(request, settings);
  const receipt = {
    token_hash: await keyedHash(settings.secretKey, 'offer-token', identity),
    payload_hash: await keyedHash(
      settings.secretKey,
      'offer-texts',
      JSON.stringify(Object.entries(offer).sort()),
    ),
  };
  const sharedLimits = await sharedLimitsOf(settings, offer);

  const announced = OutcomeSchema.parse(
    await callDatabase('announce_offer', {
      ...receipt,
      own_limits: [await ownLimitOf(settings, address)],
      shared_limits: sharedLimits,
    }),
  );
  if (announced.outcome !== 'new') return say(request, announced);

  const verdict = await botCheck.verify(token, address);
  if (!verdict.passed) {
    const unreachable = verdict.refusal === 'bot_check_unavailable';
    return refuse(request, verdict.refusal, {}, unreachable ? { 'retry-after': '30' } : {});
  }

  const store = () => callDatabase('submit_offer', { offer, ...receipt, shared_limits: sharedLimits });
  // Once more when no answer came: the receipt makes it the same offer, whether or not the first one was stored.
  return say(request, OutcomeSchema.parse(await store().catch(store)));
}

/** What `announce_offer` and `submit_offer` answer. */
const OutcomeSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('new') }),
  z.object({ outcome: z.literal('stored'), id: z.uuid() }),
  z.object({ outcome: z.literal('repeated'), id: z.uuid() }),
  z.object({ outcome: z.literal('conflict') }),
  z.object({ outcome: z.literal('limited'), wait: z.number() }),
]);
type Outcome = z.infer<typeof OutcomeSchema>;

function say(request: Request, outcome: Outcome): Response {
  switch (outcome.outcome) {
    case 'stored':
      return answer(request, 201, { id: outcome.id });
    case 'repeated':
      return answer(request, 200, { id: outcome.id });
    case 'conflict':
      return refuse(request, 'bot_check_used');
    case 'limited':
      return refuseFor(request, 'too_many_offers', outcome.wait);
    case 'new':
      throw new TypeError('announced, but not stored');
  }
}

/** Counted before the bot check: what only this visitor can use up. */
function ownLimitOf(settings: Settings, address: string | undefined): Promise<Limit> {
  return address === undefined
    ? limitOf(settings, 'submit.unknown-address', '')
    : limitOf(settings, 'submit.address', address);
}

/** Counted with the offer, after the bot check: nobody can use these up for others without doing the work. */
function sharedLimitsOf(settings: Settings, offer: OfferTexts): Promise<Limit[]> {
  return Promise.all([
    limitOf(settings, 'submit.email', offer.customer_email.toLowerCase()),
    limitOf(settings, 'submit.domain', offer.domain_name),
    limitOf(settings, 'submit.everybody', ''),
  ]);
}

/** The fields as the form's labels call them. */
const FIELD_NAMES: Record<string, string> = {
  domain_name: 'the domain',
  offer_amount: 'your offer',
  customer_name: 'your name',
  customer_email: 'your email',
  turnstile_token: 'the bot check',
};

function refuseFields(request: Request, issues: z.core.$ZodIssue[]): Response {
  const issue = issues[0];
  if (issue?.code === 'unrecognized_keys') {
    return refuse(request, 'unknown_field', { field: (issue.keys[0] ?? '').slice(0, 40) });
  }
  const field = String(issue?.path[0] ?? '');
  const code = issue && Object.hasOwn(REFUSALS, issue.message) ? (issue.message as RefusalCode) : 'malformed';
  const max = Object.hasOwn(OFFER_LIMITS, field) ? OFFER_LIMITS[field as keyof typeof OFFER_LIMITS] : '';
  const named = FIELD_NAMES[field];
  const gaps = { field: named ?? 'every field', max: String(max) };
  return refuse(request, code, gaps, {}, named ? { field } : {});
}
