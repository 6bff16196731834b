import { FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js';
import type { OfferSubmission } from '#contract/offer.ts';
import { type RejectionBody, readRejection } from '#contract/rejections.ts';
import { functions, RESPONSE_TIMEOUT_MS } from './functions.ts';

/** `rejected` is the function's own error (empty where it sent none); `unexpected` is any other failure. */
export type OfferResult =
  | { status: 'stored'; low?: true }
  | { status: 'rejected'; rejection: Partial<RejectionBody> }
  | { status: 'unexpected' };

/**
 * Submits an offer. Never throws.
 * Sends the same offer once more if no complete response arrives, and for half a minute while the backend is down (502 to
 * 504): the offer may be stored all the same. The function stores it once, so that a lost
 * response costs the visitor nothing; with a fresh token it would be a second offer.
 */
export async function sendOffer(submission: OfferSubmission): Promise<OfferResult> {
  return (
    (await attempt(submission, Date.now() + REPEAT_FOR_MS)) ??
    (await attempt(submission)) ?? { status: 'unexpected' }
  );
}

/** A backend needs 10 to 15 s to restart. */
const REPEAT_FOR_MS = 30_000;
const MIN_RETRY_DELAY_S = 5;

/**
 * Undefined without a response. After a 502 to 504 it waits as long as Retry-After says, and tries again.
 * @param until the time of the last repetition, in milliseconds
 */
async function attempt(submission: OfferSubmission, until = 0): Promise<OfferResult | undefined> {
  const { data, error } = await functions.invoke('order-submit', {
    body: submission,
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  if (error instanceof FunctionsHttpError || error instanceof FunctionsRelayError) {
    const { headers, status } = error.context;
    const delayMs = Math.max(MIN_RETRY_DELAY_S, headers.get('retry-after')) * 1000;
    if (/50[234]/.test(status) && Date.now() + delayMs <= until) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return attempt(submission, until);
    }
    return error.context.json().then(rejectionOf, () => ({ status: 'unexpected' }));
  }
  if (error) return undefined;
  const body = bodyOf(data);
  if (body === undefined) return { status: 'unexpected' };
  // Some functions send `error: null` with a success.
  if (body?.error != null) return rejectionOf(body);
  return body?.low === true ? { status: 'stored', low: true } : { status: 'stored' };
}

/** Undefined for a body that is not JSON: a captive portal sends status 200 as well, with its own page. */
function bodyOf(data: unknown): { error?: unknown; low?: unknown } | null | undefined {
  // The client parses JSON by its media type only.
  if (typeof data !== 'string') return data as object;
  try {
    // A 204 has no body.
    return JSON.parse(data || 'null');
  } catch {
    return undefined;
  }
}

function rejectionOf(body: unknown): OfferResult {
  const rejection = readRejection(body);
  return { status: 'rejected', rejection };
}
