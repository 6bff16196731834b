/** Whether the edge functions are deployed, let the owner's pages call them and no others, and fit the pages. */
import { describeMismatch, PROVIDER_PATH } from '#contract/bot-check-provider.ts';
import { BACKEND_ROUTES } from '../../http/backend-routes.ts';
import { DEPLOY, type Finding, finding, unavailable } from './findings.ts';
import type { OutsideCheckOptions } from './options.ts';
import { type CheckedResponse, codeOf, messageOf, type Send } from './requests.ts';

/** An origin that is no site of the owner's. */
const FOREIGN_ORIGIN = 'https://foreign.invalid';

/** Codes of the functions for a request without its fields; `not_found`: Turnstile is the bot check. */
const EMPTY_REQUEST_CODES = ['missing', 'malformed', 'not_found'];

export async function* checkFunctions(send: Send, options: OutsideCheckOptions): AsyncGenerator<Finding> {
  for (const [path, methods] of Object.entries(BACKEND_ROUTES)) {
    const route = methods.OPTIONS;
    if (route === undefined || route.to === 'database') continue;
    const origin = route.adminOnly ? options.adminOrigin : options.siteOrigin;
    const method = methods.GET ? 'GET' : 'POST';
    const preflight = await send('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': method },
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
    const empty = await send(method, path, { headers: { origin }, body: methods.GET ? undefined : {} });
    const isRejected = EMPTY_REQUEST_CODES.includes(String(codeOf(empty)));
    yield finding(
      `function ${route.to}: rejects an empty request`,
      isRejected ? undefined : responseProblem(empty, route.to),
    );
  }
  yield await checkProvider(send, options);
  const sent = await send('POST', '/functions/v1/deliver', { body: {} });
  yield finding(
    'function deliver: needs the secret key',
    sent.status === 401 && codeOf(sent) === 'unauthorized' ? undefined : deliverProblem(sent),
  );
}

async function checkProvider(
  send: Send,
  { siteOrigin, usesTurnstile }: OutsideCheckOptions,
): Promise<Finding> {
  const shown = await send('GET', `/functions/v1${PROVIDER_PATH}`, { headers: { origin: siteOrigin } });
  const what = 'function bot-check: expects the bot check of the pages';
  if (shown.status === 200) {
    return finding(what, describeMismatch(usesTurnstile ? 'turnstile' : 'proof_of_work', shown.json));
  }
  const isOlder = ['missing', 'not_found'].includes(String(codeOf(shown)));
  const older = `The function is of an older version than the pages. ${DEPLOY}`;
  return finding(what, isOlder ? older : responseProblem(shown, 'bot-check'));
}

function originProblem(response: CheckedResponse, name: string, origin: string, adminOnly: boolean): string {
  if (response.status === 404) return `The function ${name} is not deployed. ${DEPLOY}`;
  if (response.status === 503) {
    return `${unavailable(response)} Perhaps no catalogue is published (npm run build), or a secret is wrong (see the function’s log).`;
  }
  if (response.status === 0 || response.status >= 500) return unavailable(response);
  const host = new URL(origin).host;
  return adminOnly
    ? `It responded with ${response.status}: ${host} is not the admin host of the project. Set ADMIN_HOST, then run npm run deploy:backend again.`
    : `It responded with ${response.status}: ${host} is not in the published catalogue. Run npm run build.`;
}

function responseProblem(response: CheckedResponse, name: string): string {
  if (response.status === 404) return `The function ${name} is not deployed. ${DEPLOY}`;
  if (response.status === 401) {
    return `The platform wants a token before the function runs (verify_jwt; ${messageOf(response)}). ${DEPLOY}`;
  }
  return unavailable(response);
}

function deliverProblem(response: CheckedResponse): string {
  return response.status < 300 && response.status > 0
    ? `It responded with ${response.status} to the public key. ${DEPLOY}`
    : responseProblem(response, 'deliver');
}
