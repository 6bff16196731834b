/**
 * Checks a hosted project from outside, with the public key, as visitors and the administrator reach it: every route of
 * the allow-list, what must be rejected, sign-in, and an offer that is removed afterwards. Safe to repeat.
 */
import { BACKEND_ROUTES, type BackendRoute, type DatabaseRoute } from '../http/backend-routes.ts';
import { SERVICE_CALLS } from './service-calls.ts';
import { solveProof } from './solve-proof.ts';

export interface OutsideCheckOptions {
  readonly url: string;
  readonly publishableKey: string;
  /** An origin whose pages make offers, such as `https://lap.app`, and that of the admin host. */
  readonly siteOrigin: string;
  readonly adminOrigin: string;
  /** A domain that is for sale; undefined where none is. */
  readonly domain: string | undefined;
  /** Turnstile is the bot check of the pages. */
  readonly usesTurnstile: boolean;
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
  /** Erases a customer's offers, as the owner does. @returns their number */
  eraseCustomer(email: string): Promise<number>;
}

/** `why` says what was wrong and what to do, or why the check was left out. */
export type Finding =
  | { readonly status: 'passed'; readonly what: string }
  | { readonly status: 'failed' | 'left out'; readonly what: string; readonly why: string };

/** Time for one request, in milliseconds: the first call of a function starts it. */
const TIMEOUT_MS = 30_000;

const NOWHERE = '00000000-0000-4000-8000-000000000000';
/** An origin that is no site of the owner's. */
const FOREIGN_ORIGIN = 'https://foreign.invalid';

interface Sample {
  readonly query?: string;
  readonly body?: unknown;
  /** Changes something where it is accepted, so that it is not sent with a session. */
  readonly hasEffect?: boolean;
}

/** A request for each route of the data API and of auth, by method and path; it names no row that exists. */
export const SAMPLES: Readonly<Record<string, Sample>> = {
  'GET /rest/v1/offers': { query: '?select=id&limit=1' },
  'HEAD /rest/v1/offers': { query: '?select=id&limit=1' },
  'PATCH /rest/v1/offers': { query: `?id=eq.${NOWHERE}`, body: { status: 'pending' } },
  'POST /rest/v1/rpc/offer_pages': { body: { page_size: 1 } },
  'POST /rest/v1/rpc/find_offers': { body: { filter: {}, page_size: 1 } },
  'POST /rest/v1/rpc/offer_counts': { body: {} },
  'POST /rest/v1/rpc/asking_prices': { body: { names: [] } },
  'POST /rest/v1/rpc/offer_history': { body: { offer_id: NOWHERE } },
  'POST /rest/v1/rpc/offer_message': { body: { offer_id: NOWHERE } },
  'POST /rest/v1/rpc/new_offers': { body: { since: '2020-01-01T00:00:00Z' } },
  'POST /rest/v1/rpc/message_status': { body: {} },
  'POST /rest/v1/rpc/retry_messages': { body: {}, hasEffect: true },
  'POST /rest/v1/rpc/extend_admin_session': { body: {} },
  'POST /auth/v1/token': {
    query: '?grant_type=refresh_token',
    body: { refresh_token: NOWHERE },
    hasEffect: true,
  },
  'GET /auth/v1/user': {},
  'POST /auth/v1/logout': { query: '?scope=local', hasEffect: true },
};

const DEPLOY = 'Run npm run deploy:backend again.';
const MIGRATE = `The project does not know it: its migrations are not applied, or its data API has not reloaded yet. ${DEPLOY}`;

/** Yields what was found, check by check. */
export async function* checkFromOutside(options: OutsideCheckOptions): AsyncGenerator<Finding> {
  const send = createSend(options);
  yield* checkVisitor(send);
  yield* checkSettings(send);
  yield* checkFunctions(send, options);
  yield* checkAdministrator(send, options);
  yield* checkOffer(send, options);
}

/** What a visitor, or anybody with the public key, must not get. */
async function* checkVisitor(send: Send): AsyncGenerator<Finding> {
  for (const [method, path, route] of databaseRoutes()) {
    const { query = '', body } = SAMPLES[`${method} ${path}`] ?? {};
    const response = await send(method, `${path}${query}`, { body });
    yield finding(`visitor: ${method} ${path} is closed`, closedProblem(response, route));
  }
  for (const [method, path, more] of [
    ['POST', '/rest/v1/offers', { body: { domain_name: 'x' } }],
    ['DELETE', `/rest/v1/offers?id=eq.${NOWHERE}`, {}],
    ['GET', '/rest/v1/admins', { headers: { 'accept-profile': 'private' } }],
    ['POST', '/rest/v1/rpc/is_admin', { body: {}, headers: { 'content-profile': 'private' } }],
  ] as const) {
    const { status } = await send(method, path, more);
    const isClosed = status >= 400 && status < 500;
    yield finding(
      `visitor: ${method} ${path.split('?')[0]}${'headers' in more ? ' of the schema private' : ''} is closed`,
      isClosed
        ? undefined
        : `It responded with ${status}. In the project’s API settings expose the schema public only.`,
    );
  }
  for (const [name, body] of Object.entries(SERVICE_CALLS)) {
    const response = await send('POST', `/rest/v1/rpc/${name}`, { body });
    yield finding(`visitor: ${name} is for the functions alone`, rejectedProblem(response));
  }
}

/** What the project's own settings open. */
async function* checkSettings(send: Send): AsyncGenerator<Finding> {
  const { status, json } = await send('GET', '/auth/v1/settings', {});
  const settings = json as { disable_signup?: boolean; external?: Record<string, boolean> } | undefined;
  const what = 'auth: sign-up is off, sign-in with a password is on';
  if (status !== 200 || settings === undefined) {
    yield finding(what, `The settings of auth could not be read (${status}).`);
  } else if (settings.disable_signup !== true || settings.external?.anonymous_users === true) {
    yield finding(
      what,
      `Everybody can create an account. ${DEPLOY} Or turn sign-ups off in the project’s dashboard.`,
    );
  } else {
    const isOn = settings.external?.email === true;
    yield finding(what, isOn ? undefined : 'The email provider is off, so nobody can sign in. Turn it on.');
  }
}

async function* checkFunctions(send: Send, options: OutsideCheckOptions): AsyncGenerator<Finding> {
  for (const [path, methods] of Object.entries(BACKEND_ROUTES)) {
    const route = methods.OPTIONS;
    if (route === undefined || route.to === 'database') continue;
    const origin = route.adminOnly ? options.adminOrigin : options.siteOrigin;
    const preflight = await send('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': methods.GET ? 'GET' : 'POST' },
    });
    const allowed = preflight.headers.get('access-control-allow-origin');
    yield finding(
      `function ${route.to}: pages of ${origin} may call it`,
      allowed === origin ? undefined : originProblem(preflight, route.to, origin, route.adminOnly),
    );
    const foreign = await send('OPTIONS', path, { headers: { origin: FOREIGN_ORIGIN } });
    const isOpen = [FOREIGN_ORIGIN, '*'].includes(foreign.headers.get('access-control-allow-origin') ?? '');
    yield finding(
      `function ${route.to}: pages of other sites may not`,
      isOpen ? `It allows every origin. ${DEPLOY}` : undefined,
    );
    const empty = await send(methods.GET ? 'GET' : 'POST', path, {
      headers: { origin },
      ...(methods.GET ? {} : { body: {} }),
    });
    yield finding(
      `function ${route.to}: rejects an empty request`,
      functionProblem(empty, options, route.to),
    );
  }
  const { status } = await send('POST', '/functions/v1/deliver', { body: {} });
  yield finding(
    'function deliver: needs the secret key',
    status === 401 ? undefined : `It responded with ${status} to the public key. ${DEPLOY}`,
  );
}

async function* checkAdministrator(send: Send, options: OutsideCheckOptions): AsyncGenerator<Finding> {
  const what = 'administrator: signs in through admin-auth';
  const { administrator, adminOrigin } = options;
  if (administrator === undefined) {
    yield { status: 'left out', what, why: 'Set ADMIN_EMAIL and ADMIN_PASSWORD to have it checked.' };
    return;
  }
  const signedIn = await send('POST', '/functions/v1/admin-auth', {
    headers: { origin: adminOrigin },
    body: administrator,
  });
  const token = (signedIn.json as { session?: { access_token?: string } } | undefined)?.session?.access_token;
  yield finding(
    what,
    token === undefined ? `It responded with ${signedIn.status}: ${messageOf(signedIn)}` : undefined,
  );
  if (token === undefined) return;
  const headers = { authorization: `Bearer ${token}` };
  for (const [method, path] of databaseRoutes()) {
    const { query = '', body, hasEffect } = SAMPLES[`${method} ${path}`] ?? {};
    if (hasEffect) continue;
    const response = await send(method, `${path}${query}`, { body, headers });
    yield finding(
      `administrator: ${method} ${path} responds`,
      response.status < 300 ? undefined : `It responded with ${response.status}: ${messageOf(response)}`,
    );
  }
  const query = `?id=eq.${NOWHERE}`;
  const other = await send('PATCH', `/rest/v1/offers${query}`, { body: { customer_name: 'x' }, headers });
  yield finding('administrator: changes no column but the status', rejectedProblem(other));
  for (const [name, body] of Object.entries(SERVICE_CALLS)) {
    const response = await send('POST', `/rest/v1/rpc/${name}`, { body, headers });
    yield finding(`administrator: ${name} is for the functions alone`, rejectedProblem(response));
  }
  const left = await send('POST', '/auth/v1/logout?scope=local', { headers });
  const after = await send('POST', '/rest/v1/rpc/offer_counts', { body: {}, headers });
  yield finding(
    'administrator: reads nothing after signing out',
    left.status < 300 && after.status >= 400
      ? undefined
      : `It responded with ${left.status} and ${after.status}.`,
  );
}

async function* checkOffer(send: Send, options: OutsideCheckOptions): AsyncGenerator<Finding> {
  const what = 'offer: is stored once, and erased';
  const { domain, siteOrigin } = options;
  if (options.usesTurnstile) {
    const why = 'Turnstile’s token comes from a browser only: make an offer on a page, then erase it.';
    yield { status: 'left out', what, why };
    return;
  }
  if (domain === undefined) {
    yield { status: 'left out', what, why: 'No domain of the catalogue is for sale.' };
    return;
  }
  const headers = { origin: siteOrigin };
  const issued = await send('GET', `/functions/v1/bot-check?domain=${domain}`, { headers });
  const token = issued.status === 200 ? await solveProof(issued.json) : undefined;
  if (token === undefined) {
    yield finding(what, `There is no challenge of the bot check (${issued.status}: ${messageOf(issued)}).`);
    return;
  }
  // example.com takes no mail, so that a confirmation reaches nobody.
  const customer_email = `deployment-test-${crypto.randomUUID()}@example.com`;
  const body = {
    domain_name: domain,
    offer_amount: 'A test of the deployment, erased at once',
    customer_name: 'Test',
    customer_email,
    turnstile_token: token,
  };
  const first = await send('POST', '/functions/v1/order-submit', { body, headers });
  const second = await send('POST', '/functions/v1/order-submit', { body, headers });
  const erased = await options.eraseCustomer(customer_email);
  const isRight = first.status === 201 && second.status === 200 && erased === 1;
  yield finding(
    what,
    isRight
      ? undefined
      : `It responded with ${first.status} (${messageOf(first)}), a second time with ${second.status}, and ${erased} were erased.`,
  );
}

interface Answer {
  /** 0: no response. */
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

type Send = (
  method: string,
  path: string,
  more: { body?: unknown; headers?: Readonly<Record<string, string>> },
) => Promise<Answer>;

function createSend({ url, publishableKey }: OutsideCheckOptions): Send {
  return async (method, path, { body, headers }) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        redirect: 'error',
        headers: {
          apikey: publishableKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, json: parse(text) };
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      return { status: 0, headers: new Headers(), json: { message: cause?.message ?? message } };
    }
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function databaseRoutes(): [string, string, DatabaseRoute][] {
  return Object.entries(BACKEND_ROUTES).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, route]: [string, BackendRoute]) =>
      route.to === 'database' ? [[method, path, route] as [string, string, DatabaseRoute]] : [],
    ),
  );
}

function finding(what: string, why: string | undefined): Finding {
  return why === undefined ? { status: 'passed', what } : { status: 'failed', what, why };
}

/** A list that is empty shows nothing. Auth rejects with 400, too. */
function closedProblem(answer: Answer, route: DatabaseRoute): string | undefined {
  const isEmpty = Array.isArray(answer.json) && answer.json.length === 0;
  if (answer.status === 200 && route.body === undefined && isEmpty) return undefined;
  if (route.elsewhere === 404 && [400, 401, 403, 404].includes(answer.status)) return undefined;
  return rejectedProblem(answer);
}

function rejectedProblem(answer: Answer): string | undefined {
  if (answer.status === 401 || answer.status === 403) return undefined;
  if (answer.status === 404) return MIGRATE;
  if (answer.status === 0 || answer.status >= 500) return unavailable(answer);
  return `It responded with ${answer.status} instead of 401 or 403: a grant is too wide. ${DEPLOY}`;
}

function originProblem(answer: Answer, name: string, origin: string, adminOnly: boolean): string {
  if (answer.status === 404) return `The function ${name} is not deployed. ${DEPLOY}`;
  if (answer.status === 503) {
    return `${unavailable(answer)} Perhaps no catalogue is published (npm run build), or a secret is wrong (see the function’s log).`;
  }
  if (answer.status === 0 || answer.status >= 500) return unavailable(answer);
  const host = new URL(origin).host;
  return adminOnly
    ? `It responded with ${answer.status}: ${host} is not the admin host of the project. Set ADMIN_HOST, then run npm run deploy:backend again.`
    : `It responded with ${answer.status}: ${host} is not in the published catalogue. Run npm run build.`;
}

function functionProblem(
  answer: Answer,
  { usesTurnstile }: OutsideCheckOptions,
  name: string,
): string | undefined {
  const { code } = (answer.json ?? {}) as { code?: string };
  const wanted = name === 'bot-check' && usesTurnstile ? 'not_found' : ['missing', 'malformed'];
  if (typeof code === 'string' && wanted.includes(code)) return undefined;
  if (name === 'bot-check' && (code === 'not_found' || code === 'missing')) {
    return usesTurnstile
      ? 'The pages use Turnstile, the project does not: TURNSTILE_SECRET_KEY is not among its secrets.'
      : 'The project uses Turnstile, the pages do not: set TURNSTILE_SITE_KEY, or run supabase secrets unset TURNSTILE_SECRET_KEY.';
  }
  if (answer.status === 401) {
    return `It responded with 401: the platform checks a token before it (verify_jwt), or the public key is another project’s. ${DEPLOY}`;
  }
  if (answer.status === 404) return `The function ${name} is not deployed. ${DEPLOY}`;
  return unavailable(answer);
}

function unavailable(answer: Answer): string {
  return answer.status === 0
    ? `There was no response (${messageOf(answer)}). Check SUPABASE_URL, and that the project is not paused.`
    : `It responded with ${answer.status}: ${messageOf(answer)}`;
}

/** What the project says about an error. */
function messageOf({ json }: Answer): string {
  const { error, message, msg } = (json ?? {}) as Record<string, unknown>;
  return String(error ?? message ?? msg ?? 'no message').slice(0, 200);
}
