import { REJECTIONS as FUNCTION_REJECTIONS } from '#contract/rejections.ts';

/** Rejections of the functions and of the gateway: status and message, by code. */
export const REJECTIONS = {
  ...FUNCTION_REJECTIONS,
  // Not 429: supabase-js ends the session on 429 and retries on 503.
  too_many_requests: [503, 'Too many requests that failed. Please try again later.'],
  not_signed_in: [401, 'Please sign in first.'],
  unknown_route: [404, 'There is nothing at this path.'],
  unsupported_query: [400, 'This query or one of its headers is not supported here.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RejectionCode = keyof typeof REJECTIONS;
