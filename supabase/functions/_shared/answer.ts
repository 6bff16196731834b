/** Answers of the functions: JSON, never stored, readable by the site's own pages (CORS) whatever the outcome. */
import type { Challenge } from './contract/bot-check.ts';
import { REFUSALS, type RefusalCode } from './contract/refusals.ts';

/** A successful answer. */
export function answer(request: Request, status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: headers(request) });
}

/**
 * A refusal: the sentence of `REFUSALS` with its gaps filled, its code, and the id under which the log has it.
 * @param about what else a program may want to know of it; see `RefusalSchema`
 */
export function refuse(
  request: Request,
  code: RefusalCode,
  gaps: Record<string, string> = {},
  more: Record<string, string> = {},
  about: About = {},
): Response {
  const [status, sentence] = REFUSALS[code];
  const error = sentence.replace(/\{(\w+)\}/g, (_, gap: string) => gaps[gap] ?? '');
  return new Response(JSON.stringify({ error, code, ...about, request_id: requestId(request) }), {
    status,
    headers: { ...headers(request), ...more },
  });
}

/** What programs may use of a rejection, besides its code. */
interface About {
  field?: string;
  minutes?: number;
  /** Its proof makes the same request acceptable. */
  challenge?: Challenge;
}

/** Rejects a request until `seconds` have passed. */
export function refuseFor(request: Request, code: RefusalCode, seconds: number, about: About = {}): Response {
  const minutes = Math.ceil(seconds / 60);
  return refuse(
    request,
    code,
    { minutes: minutes === 1 ? 'a minute' : `${minutes} minutes` },
    { 'retry-after': String(seconds) },
    { ...about, minutes },
  );
}

/** The answer to a preflight. */
export function preflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...headers(request),
      'access-control-allow-headers': 'authorization, x-client-info, apikey, content-type',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-max-age': '86400',
    },
  });
}

/** Names a request in the answer and in the log. */
export function requestId(request: Request): string {
  let id = requestIds.get(request);
  if (id === undefined) {
    id = crypto.randomUUID();
    requestIds.set(request, id);
  }
  return id;
}
const requestIds = new WeakMap<Request, string>();

/** Lets the pages of this origin read the answer; to be called once the origin is known to be our own. */
export function allowOrigin(request: Request, origin: string): void {
  allowedOrigins.set(request, origin);
}
const allowedOrigins = new WeakMap<Request, string>();

function headers(request: Request): Record<string, string> {
  const origin = allowedOrigins.get(request);
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId(request),
    vary: 'Origin',
    ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
  };
}
