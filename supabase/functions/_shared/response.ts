import { interpolate } from './contract/interpolate.ts';
import { REJECTIONS } from './contract/rejections.ts';
import { Rejection } from './rejection.ts';

/** What a handler returns for a success. */
export interface Result {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/**
 * Makes a response that is never cached.
 * @param allowedOrigin the origin whose pages may read it (CORS), if any
 */
export function toResponse(
  result: Result | Rejection,
  requestId: string,
  allowedOrigin: string | undefined,
): Response {
  const { status, body, headers } = result instanceof Rejection ? resultOf(result, requestId) : result;
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      vary: 'Origin',
      ...(allowedOrigin === undefined ? {} : { 'access-control-allow-origin': allowedOrigin }),
      ...headers,
    },
  });
}

function resultOf({ code, details }: Rejection, requestId: string): Result {
  const { values = {}, headers = {}, body } = details;
  const [status, message] = REJECTIONS[code];
  const error = interpolate(message, values);
  return { status, headers, body: { error, code, ...body, request_id: requestId } };
}
