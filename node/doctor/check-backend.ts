import * as z from 'zod/mini';
import { parseJson } from '../hosted-project/outside-check/requests.ts';
import { type Finding, findingsOf } from './finding.ts';

const HealthSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  reasons: z.optional(z.record(z.string(), z.string())),
});

export interface ProductState {
  readonly isRunning: boolean;
  readonly finding: Finding;
}

/** Judges `GET /health` of the product on this machine. */
export async function checkProduct(
  origin: string,
  isHosted: boolean,
  timeoutMs: number,
): Promise<ProductState> {
  const { ok, skip, warn, fail } = findingsOf('product');
  const response = await send(`${origin}/health`, {}, timeoutMs);
  if (typeof response === 'string') {
    const finding = isHosted
      ? skip(`No product runs at ${origin} (${response}): other machines may serve the pages.`)
      : fail(`The product does not run at ${origin} (${response}): start it with npm start.`);
    return { isRunning: false, finding };
  }
  const health = HealthSchema.safeParse(parseJson(response.body)).data;
  if (!health) {
    const finding = fail(`Another program responds at ${origin}: stop it, or set another PORT.`);
    return { isRunning: false, finding };
  }
  if (health.status === 'ok') {
    return { isRunning: true, finding: ok(`The product runs at ${origin}, and all its parts work.`) };
  }
  const reasons = Object.entries(health.reasons ?? {}).map(([part, reason]) => `${part}: ${reason}`);
  const shown = reasons.join(' ') || 'GET /health of the admin host lists the reasons.';
  const judge = response.status === 200 ? warn : fail;
  return { isRunning: true, finding: judge(`The product runs, and a part does not work. ${shown}`) };
}

/**
 * Judges whether offers can be sent, and whether visitors cannot read them.
 * @param origin of the functions and of the data API
 */
export async function checkBackend(
  origin: string,
  publishableKey: string,
  timeoutMs: number,
): Promise<Finding[]> {
  const headers = { apikey: publishableKey, 'content-type': 'application/json' };
  const [offer, read] = await Promise.all([
    // Rejected for its missing fields, before it costs anything.
    send(`${origin}/functions/v1/order-submit`, { method: 'POST', headers, body: '{}' }, timeoutMs),
    send(`${origin}/rest/v1/offers?select=id&limit=1`, { headers }, timeoutMs),
  ]);
  return [judgeOrderSubmit(offer), judgeDataApi(read)];
}

/** The platform's status for a project that is paused. */
const PAUSED = 540;
const PAUSED_MESSAGE =
  'The project is paused (540), and takes no offers: restore it in the platform’s dashboard.';
const ELSEWHERE = 'Check SUPABASE_URL, and that no proxy or login page of this network responds.';

type Response = { readonly status: number; readonly body: string };

/** @param response the error where there is none */
export function judgeOrderSubmit(response: Response | string): Finding {
  const { ok, fail } = findingsOf('order-submit');
  if (typeof response === 'string') return fail(`order-submit does not respond (${response}).`);
  const { status } = response;
  if (status === 400) return ok('order-submit responds.');
  const rejected = `order-submit rejects the public key (${status}): copy SUPABASE_PUBLISHABLE_KEY again.`;
  const problems: Record<number, string> = {
    200: `Something else responds instead of order-submit (200). ${ELSEWHERE}`,
    401: rejected,
    403: rejected,
    404: 'order-submit is not there (404): run supabase functions deploy.',
    429: 'order-submit gets too many requests (429): run this again in a minute.',
    [PAUSED]: PAUSED_MESSAGE,
  };
  return fail(problems[status] ?? `order-submit responds with ${status} instead of 400: see its log.`);
}

/** @param response the error where there is none */
export function judgeDataApi(response: Response | string): Finding {
  const { ok, fail } = findingsOf('data-api');
  if (typeof response === 'string') return fail(`The data API does not respond (${response}).`);
  const { status, body } = response;
  if (status === 401) return ok('The data API responds, and visitors cannot read offers (401).');
  if (status === PAUSED) return fail(PAUSED_MESSAGE);
  if (status !== 200) {
    return fail(`The data API responds with ${status} instead of 401: see the log of the backend.`);
  }
  return fail(
    Array.isArray(parseJson(body))
      ? 'VISITORS CAN READ /rest/v1/offers (200 instead of 401): stop the site and run the migrations.'
      : `Something else responds instead of the data API (200). ${ELSEWHERE}`,
  );
}

/** Returns the error's code where there is no response. */
async function send(url: string, init: RequestInit, timeoutMs: number): Promise<Response | string> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    return name === 'TimeoutError' ? 'no response in time' : (cause?.code ?? message);
  }
}
