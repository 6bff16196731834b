import { FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js';
import * as z from 'zod/mini';
import { type Challenge, WithChallengeSchema } from '#contract/bot-check.ts';
import { OfferReceiptSchema, type OfferSubmission } from '#contract/offer.ts';
import { type RejectionBody, RejectionBodySchema } from '#contract/rejections.ts';
import { functions, RESPONSE_TIMEOUT_MS } from './functions.ts';

/** `rejected` is the function's own error (empty where it sent none); `unexpected` is any other failure. */
export type OfferResult =
  | { status: 'stored' }
  /** The proof of work was too easy: the same offer is accepted with the proof of this challenge. */
  | { status: 'harder'; challenge: Challenge }
  | { status: 'rejected'; rejection: Partial<RejectionBody> }
  | { status: 'unexpected' };

/**
 * Submits an offer. Never throws.
 * Sends the same offer once more if no complete response arrives, or, after a delay, if a proxy reports that the backend
 * is down (502 to 504): the offer may be stored all the same. The function stores it once, so that a lost
 * response costs the visitor nothing; with a fresh token it would be a second offer.
 */
export async function sendOffer(submission: OfferSubmission): Promise<OfferResult> {
  return (
    (await attempt(submission, RETRY_DELAY_MS)) ?? (await attempt(submission)) ?? { status: 'unexpected' }
  );
}

/** Time that a backend needs to restart. */
const RETRY_DELAY_MS = 5_000;

/** Undefined without a response. Waits `retryDelayMs` after a 502 to 504, if given. */
async function attempt(submission: OfferSubmission, retryDelayMs?: number): Promise<OfferResult | undefined> {
  const { data, error } = await functions.invoke('order-submit', {
    body: submission,
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  if (error instanceof FunctionsHttpError || error instanceof FunctionsRelayError) {
    if (retryDelayMs && /50[234]/.test(error.context.status))
      return new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    return readRejection(error.context);
  }
  if (error) return undefined;
  if (carriesError(data)) return rejectionOf(data);
  // A captive portal sends status 200 as well, with its own page.
  return z.safeParse(OfferReceiptSchema, data).success ? { status: 'stored' } : { status: 'unexpected' };
}

async function readRejection(response: Response): Promise<OfferResult> {
  try {
    return rejectionOf(await response.json());
  } catch {
    return { status: 'unexpected' };
  }
}

function rejectionOf(body: unknown): OfferResult {
  const flat = withErrorText(body);
  const rejection =
    z.safeParse(RejectionBodySchema, flat).data ?? z.safeParse(ErrorTextSchema, flat).data ?? {};
  const harder = rejection.code === 'harder_check' && z.safeParse(WithChallengeSchema, body).data;
  if (harder) return { status: 'harder', ...harder };
  return { status: 'rejected', rejection };
}

/** The body with an error object replaced by its message. */
function withErrorText(body: unknown): unknown {
  const { data } = z.safeParse(z.looseObject({ error: z.object({ message: z.string() }) }), body);
  return data ? { ...data, error: data.error.message } : body;
}

/** The message is shown also where another field is not as the contract says. */
const ErrorTextSchema: z.ZodMiniType<Partial<RejectionBody>> = z.pick(RejectionBodySchema, { error: true });

/** Some functions send `error: null` with a success. */
function carriesError(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'error' in data && data.error != null;
}
