import { REFUSALS } from '#contract/refusals.ts';

/** What the gateway rejects by itself: the HTTP status and the sentence, by code. */
export const REJECTIONS = {
  method_not_allowed: REFUSALS.method_not_allowed,
  not_json: REFUSALS.not_json,
  too_large: REFUSALS.too_large,
  too_slow: REFUSALS.too_slow,
  malformed: REFUSALS.malformed,
  unavailable: REFUSALS.unavailable,
  unauthorized: REFUSALS.unauthorized,
  too_many_requests: [429, 'Too many requests that failed. Please try again later.'],
  not_signed_in: [401, 'Please sign in first.'],
  unknown_route: [404, 'There is nothing at this path.'],
  unsupported_query: [400, 'This query or one of its headers is not supported here.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type RejectionCode = keyof typeof REJECTIONS;
