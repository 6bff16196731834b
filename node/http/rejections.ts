import { REJECTIONS as FUNCTION_REJECTIONS } from '#contract/rejections.ts';

/** What the gateway rejects by itself: the HTTP status and the message, by code. */
export const REJECTIONS = {
  method_not_allowed: FUNCTION_REJECTIONS.method_not_allowed,
  not_json: FUNCTION_REJECTIONS.not_json,
  too_large: FUNCTION_REJECTIONS.too_large,
  too_slow: FUNCTION_REJECTIONS.too_slow,
  malformed: FUNCTION_REJECTIONS.malformed,
  unavailable: FUNCTION_REJECTIONS.unavailable,
  unauthorized: FUNCTION_REJECTIONS.unauthorized,
  // Not 429: supabase-js ends the session on 429 and retries on 503.
  too_many_requests: [503, 'Too many requests that failed. Please try again later.'],
  not_signed_in: [401, 'Please sign in first.'],
  unknown_route: [404, 'There is nothing at this path.'],
  unsupported_query: [400, 'This query or one of its headers is not supported here.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RejectionCode = keyof typeof REJECTIONS;
