import { FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js';
import { type RejectionBody, readRejection } from '#contract/rejections.ts';
import { functions, RESPONSE_TIMEOUT_MS } from './functions.ts';
import { timeoutSignal } from './timeout-signal.ts';

/**
 * `rejected` is the function's own error (empty where it sent none); `unsupported`: this browser lacks an API;
 * `unexpected` is any other failure.
 */
export type CallResult =
  | { status: 'done'; body: unknown }
  | { status: 'rejected'; rejection: Partial<RejectionBody> }
  | { status: 'unsupported' | 'unexpected' };

/** A backend needs 10 to 15 s to restart. */
const REPEAT_FOR_MS = 30_000;
const MIN_RETRY_DELAY_S = 5;
/** Before each repetition of a request that got no response, while the browser believes itself online. */
const NO_RESPONSE_DELAYS_MS = [0, 1_000, 2_000];

/**
 * Calls a function that does the same request only once. Never throws.
 * Sends the request again if no complete response arrives, as in a tunnel, and for half a minute while the backend is down
 * (502 to 504): it may have been done all the same.
 */
export async function callFunction(name: string, request: object): Promise<CallResult> {
  try {
    return await callUntilResponse(name, request);
  } catch {
    return { status: 'unsupported' };
  }
}

async function callUntilResponse(name: string, request: object): Promise<CallResult> {
  let result = await attempt(name, request, Date.now() + REPEAT_FOR_MS);
  for (const delayMs of NO_RESPONSE_DELAYS_MS) {
    if (result || (delayMs > 0 && globalThis.navigator?.onLine === false)) break;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    result = await attempt(name, request);
  }
  return result ?? { status: 'unexpected' };
}

/**
 * Undefined without a response. After a 502 to 504 it waits as long as Retry-After says, and tries again.
 * @param until the time of the last repetition, in milliseconds
 */
async function attempt(name: string, request: object, until = 0): Promise<CallResult | undefined> {
  const { data, error } = await functions.invoke(name, {
    body: request,
    signal: timeoutSignal(RESPONSE_TIMEOUT_MS),
  });
  if (error instanceof FunctionsHttpError || error instanceof FunctionsRelayError) {
    const { headers, status } = error.context;
    const delayMs = Math.max(MIN_RETRY_DELAY_S, headers.get('retry-after')) * 1000;
    if (/50[234]/.test(status) && Date.now() + delayMs <= until) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return attempt(name, request, until);
    }
    return error.context.json().then(rejectionOf, () => ({ status: 'unexpected' }));
  }
  if (error instanceof ReferenceError) throw error;
  if (error) return undefined;
  const body = bodyOf(data);
  if (body === undefined) return { status: 'unexpected' };
  // Some functions send `error: null` with a success.
  return body?.error == null ? { status: 'done', body } : rejectionOf(body);
}

/** Undefined for a body that is not JSON: a captive portal sends status 200 as well, with its own page. */
function bodyOf(data: unknown): { error?: unknown } | null | undefined {
  // The client parses JSON by its media type only.
  if (typeof data !== 'string') return data as object;
  try {
    // A 204 has no body.
    return JSON.parse(data || 'null');
  } catch {
    return undefined;
  }
}

function rejectionOf(body: unknown): CallResult {
  const rejection = readRejection(body);
  return { status: 'rejected', rejection };
}
