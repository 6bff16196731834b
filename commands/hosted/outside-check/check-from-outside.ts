/**
 * Checks a hosted project from outside, with the public key, as visitors and the administrator reach it: every request of
 * the table in expected-access.ts, sign-in, the functions, and an offer that is removed afterwards. The secret key reads the
 * rights in the database. Safe to repeat.
 */

import { checkAccess } from './check-access.ts';
import { checkFunctions } from './check-functions.ts';
import { checkOffer } from './check-offer.ts';
import {
  ADMINISTRATOR_REQUESTS,
  REJECTED_REQUESTS,
  type SampleRequest,
  VISITORS_REJECTED,
} from './expected-access.ts';
import {
  type CheckedResponse,
  codeOf,
  createSend,
  DEPLOY,
  type Finding,
  finding,
  messageOf,
  type OutsideCheckOptions,
  rejectedProblem,
  type Send,
  unavailable,
} from './requests.ts';

/** PostgREST's code for a schema that is not exposed. */
const NOT_EXPOSED = 'PGRST106';

/** Yields what was found, check by check. */
export async function* checkFromOutside(options: OutsideCheckOptions): AsyncGenerator<Finding> {
  const send = createSend(options);
  const settings = await send('GET', '/auth/v1/settings');
  // Without the right key every route looks closed.
  const isReached = settings.status === 200 && settings.json instanceof Object;
  const what = 'auth: sign-up is off, sign-in with a password is on';
  yield finding(what, isReached ? settingsProblem(settings) : reachProblem(settings));
  if (!isReached) return;
  const canErase = yield* checkAccess(options.project);
  yield* checkVisitor(send);
  yield* checkFunctions(send, options);
  yield* checkAdministrator(send, options);
  yield await checkOffer(send, options, canErase);
}

/** What a visitor, or any client with the public key, must not get. */
async function* checkVisitor(send: Send): AsyncGenerator<Finding> {
  for (const [request, sample] of Object.entries({ ...ADMINISTRATOR_REQUESTS, ...VISITORS_REJECTED })) {
    const response = await sendSample(send, request, sample);
    const isRejectedByAuth = request.includes(' /auth/') && [400, 404].includes(response.status);
    const problem = isRejectedByAuth ? undefined : rejectedProblem(response);
    yield finding(`visitor: ${request} is closed`, problem);
  }
  const hidden = await send('GET', '/rest/v1/admins', { headers: { 'accept-profile': 'private' } });
  yield finding(
    'visitor: the schema private is not exposed',
    codeOf(hidden) === NOT_EXPOSED
      ? undefined
      : `It responded with ${hidden.status}. In the project’s API settings expose the schema public only.`,
  );
  yield* checkRejected('visitor', send);
}

/** Signs in, sends each request of the dashboard and those that must be rejected, and signs out. */
async function* checkAdministrator(
  send: Send,
  { administrator, adminOrigin }: OutsideCheckOptions,
): AsyncGenerator<Finding> {
  const what = 'administrator: signs in through admin-auth';
  if (administrator === undefined) {
    yield { status: 'left out', what, why: 'Set ADMIN_EMAIL and ADMIN_PASSWORD to have it checked.' };
    return;
  }
  const headers = { origin: adminOrigin };
  const signedIn = await send('POST', '/functions/v1/admin-auth', { headers, body: administrator });
  const token = (signedIn.json as { session?: { access_token?: string } } | undefined)?.session?.access_token;
  yield finding(what, token === undefined ? unavailable(signedIn) : undefined);
  if (token === undefined) return;
  const sendAs: Send = (method, path, { body } = {}) =>
    send(method, path, { body, headers: { authorization: `Bearer ${token}` } });
  for (const [request, sample] of Object.entries(ADMINISTRATOR_REQUESTS)) {
    if (sample.hasEffect) continue;
    const response = await sendSample(sendAs, request, sample);
    yield finding(`administrator: ${request} responds`, isOk(response) ? undefined : unavailable(response));
  }
  yield* checkRejected('administrator', sendAs);
  const left = await sendAs('POST', '/auth/v1/logout?scope=local');
  const after = await sendAs('POST', '/rest/v1/rpc/offer_counts', { body: {} });
  const isOut = isOk(left) && after.status >= 400;
  yield finding(
    'administrator: reads nothing after signing out',
    isOut ? undefined : `It responded with ${left.status} and ${after.status}.`,
  );
}

async function* checkRejected(who: string, send: Send): AsyncGenerator<Finding> {
  for (const [request, sample] of Object.entries(REJECTED_REQUESTS)) {
    const fields = Object.keys(sample.body ?? {}).join(', ');
    const what = `${who}: ${request}${fields && ` with ${fields}`} is rejected`;
    yield finding(what, rejectedProblem(await sendSample(send, request, sample)));
  }
}

async function sendSample(send: Send, request: string, { query = '', body }: SampleRequest) {
  const [method = '', path] = request.split(' ');
  return await send(method, path + query, { body });
}

function isOk({ status }: CheckedResponse): boolean {
  return status > 0 && status < 300;
}

function settingsProblem({ json }: CheckedResponse): string | undefined {
  const { disable_signup, external } = json as {
    disable_signup?: boolean;
    external?: Record<string, boolean>;
  };
  if (disable_signup !== true || external?.anonymous_users === true) {
    return `Everybody can create an account. ${DEPLOY} Or turn sign-ups off in the project’s dashboard.`;
  }
  if (external?.email === true) return undefined;
  return 'The email provider is off, so nobody can sign in. Turn it on.';
}

function reachProblem(response: CheckedResponse): string {
  const rest = 'The other checks were not made.';
  if (response.status === 401 || response.status === 403) {
    return (
      `The project rejected the public key (${messageOf(response)}). Copy SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY from ` +
      `the same project. ${rest}`
    );
  }
  return response.status === 200
    ? `The response is no JSON: SUPABASE_URL leads to something else. ${rest}`
    : `${unavailable(response)} ${rest}`;
}
