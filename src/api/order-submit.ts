import { FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js';
import * as z from 'zod/mini';
import { OfferReceiptSchema, type OfferSubmission } from '#contract/offer.ts';
import { RefusalSchema } from '#contract/refusals.ts';
import { ANSWER_TIMEOUT, functions } from './functions.ts';

/** `refused` is the function's own word (empty where it gave none); `unexpected` is anything else. */
export type OfferAnswer =
  | { status: 'stored' }
  | {
      status: 'refused';
      refusal: { sentence?: string; code?: string | undefined; field?: string | undefined };
    }
  | { status: 'unexpected' };

/**
 * Hands an offer in. Never throws.
 * Without a complete answer the same offer is sent once more: the function stores it once,
 * so that a lost answer costs the visitor nothing.
 */
export async function sendOffer(submission: OfferSubmission): Promise<OfferAnswer> {
  return (await attempt(submission)) ?? (await attempt(submission)) ?? { status: 'unexpected' };
}

async function attempt(submission: OfferSubmission): Promise<OfferAnswer | undefined> {
  const { data, error } = await functions.invoke('order-submit', {
    body: submission,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT),
  });
  if (error instanceof FunctionsHttpError || error instanceof FunctionsRelayError)
    return refusal(error.context);
  if (error) return undefined;
  // A captive portal answers 200 as well, with its own page.
  return z.safeParse(OfferReceiptSchema, data).success ? { status: 'stored' } : { status: 'unexpected' };
}

async function refusal(response: Response): Promise<OfferAnswer> {
  try {
    const { success, data } = z.safeParse(RefusalSchema, await response.json());
    return {
      status: 'refused',
      refusal: success ? { sentence: data.error, code: data.code, field: data.field } : {},
    };
  } catch {
    return { status: 'unexpected' };
  }
}
