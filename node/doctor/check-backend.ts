import * as z from 'zod/mini';
import type { Finding } from './finding.ts';

export interface Backend {
  /** Origin of the functions and of the data API. */
  readonly origin: string;
  readonly publishableKey: string;
}

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
  const state = (isRunning: boolean, status: Finding['status'], message: string): ProductState => ({
    isRunning,
    finding: { status, check: 'product', message },
  });
  const response = await send(`${origin}/health`, {}, timeoutMs);
  if (typeof response === 'string') {
    return isHosted
      ? state(
          false,
          'skip',
          `No product runs at ${origin} (${response}): other machines may serve the pages.`,
        )
      : state(false, 'fail', `The product does not run at ${origin} (${response}): start it with npm start.`);
  }
  const health = HealthSchema.safeParse(readJson(response.body)).data;
  if (!health) {
    return state(false, 'fail', `Another program responds at ${origin}: stop it, or set another PORT.`);
  }
  if (health.status === 'ok')
    return state(true, 'ok', `The product runs at ${origin}, and all its parts work.`);
  const reasons = Object.entries(health.reasons ?? {}).map(([part, reason]) => `${part}: ${reason}`);
  const shown = reasons.join(' ') || 'GET /health of the admin host lists the reasons.';
  const isServing = response.status === 200;
  return state(true, isServing ? 'warn' : 'fail', `The product runs, and a part does not work. ${shown}`);
}

/** Judges whether offers can be sent, and whether visitors cannot read them. */
export async function checkBackend(
  { origin, publishableKey }: Backend,
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
  const finding = (status: Finding['status'], message: string): Finding => ({
    status,
    check: 'order-submit',
    message,
  });
  if (typeof response === 'string') return finding('fail', `order-submit does not respond (${response}).`);
  switch (response.status) {
    case 400:
      return finding('ok', 'order-submit responds.');
    case 401:
    case 403:
      return finding(
        'fail',
        `order-submit rejects the public key (${response.status}): copy SUPABASE_PUBLISHABLE_KEY again.`,
      );
    case 404:
      return finding('fail', 'order-submit is not there (404): run supabase functions deploy.');
    case PAUSED:
      return finding('fail', PAUSED_MESSAGE);
    case 429:
      return finding('fail', 'order-submit gets too many requests (429): run this again in a minute.');
    case 200:
      return finding('fail', `Something else responds instead of order-submit (200). ${ELSEWHERE}`);
    default:
      return finding('fail', `order-submit responds with ${response.status} instead of 400: see its log.`);
  }
}

/** @param response the error where there is none */
export function judgeDataApi(response: Response | string): Finding {
  const finding = (status: Finding['status'], message: string): Finding => ({
    status,
    check: 'data-api',
    message,
  });
  if (typeof response === 'string') return finding('fail', `The data API does not respond (${response}).`);
  if (response.status === 401)
    return finding('ok', 'The data API responds, and visitors cannot read offers (401).');
  if (response.status === PAUSED) return finding('fail', PAUSED_MESSAGE);
  if (response.status === 200 && !Array.isArray(readJson(response.body))) {
    return finding('fail', `Something else responds instead of the data API (200). ${ELSEWHERE}`);
  }
  if (response.status === 200) {
    return finding(
      'fail',
      'VISITORS CAN READ /rest/v1/offers (200 instead of 401): stop the site and run the migrations.',
    );
  }
  return finding(
    'fail',
    `The data API responds with ${response.status} instead of 401: see the log of the backend.`,
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

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
