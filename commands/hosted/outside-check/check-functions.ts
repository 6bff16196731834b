/** Whether the edge functions are deployed, let the owner's pages call them and no others, and fit the pages. */
import { describeMismatch, PROVIDER_PATH } from '#contract/bot-check-provider.ts';
import { BACKEND_ROUTES } from '../../../server/http/backend-routes.ts';
import {
  type CheckedResponse,
  codeOf,
  DEPLOY,
  type Finding,
  finding,
  functionProblem,
  type OutsideCheckOptions,
  type Send,
} from './requests.ts';

/** An origin that is no site of the owner's. */
const FOREIGN_ORIGIN = 'https://foreign.invalid';

/** Codes of the functions for a request without its fields; `not_found`: Turnstile is the bot check. */
const EMPTY_REQUEST_CODES = ['missing', 'malformed', 'not_found'];

export async function* checkFunctions(
  send: Send,
  { siteOrigin, adminOrigin, usesTurnstile }: OutsideCheckOptions,
): AsyncGenerator<Finding> {
  for (const [path, { OPTIONS: route, GET }] of Object.entries(BACKEND_ROUTES)) {
    if (route === undefined || route.to === 'database') continue;
    const origin = route.adminOnly ? adminOrigin : siteOrigin;
    const headers = { origin, 'access-control-request-method': GET ? 'GET' : 'POST' };
    const preflight = await send('OPTIONS', path, { headers });
    const problem = allowedOrigin(preflight) === origin ? undefined : originProblem(preflight, origin, route);
    yield finding(`function ${route.to}: pages of ${origin} may call it`, problem);
    const foreign = await send('OPTIONS', path, { headers: { origin: FOREIGN_ORIGIN } });
    const isOpen = [FOREIGN_ORIGIN, '*'].includes(allowedOrigin(foreign) ?? '');
    yield finding(
      `function ${route.to}: pages of other sites may not`,
      isOpen ? `It allows every origin. ${DEPLOY}` : undefined,
    );
    const empty = await send(GET ? 'GET' : 'POST', path, {
      headers: { origin },
      ...(GET ? {} : { body: {} }),
    });
    const isRejected = EMPTY_REQUEST_CODES.includes(codeOf(empty));
    yield finding(
      `function ${route.to}: rejects an empty request`,
      isRejected ? undefined : functionProblem(empty, route.to),
    );
  }
  const shown = await send('GET', `/functions/v1${PROVIDER_PATH}`, { headers: { origin: siteOrigin } });
  const isOlder = ['missing', 'not_found'].includes(codeOf(shown));
  const provider = usesTurnstile ? 'turnstile' : 'proof_of_work';
  yield finding(
    'function bot-check: expects the bot check of the pages',
    shown.status === 200
      ? describeMismatch(provider, shown.json)
      : isOlder
        ? `The function is of an older version than the pages. ${DEPLOY}`
        : functionProblem(shown, 'bot-check'),
  );
  const sent = await send('POST', '/functions/v1/deliver', { body: {} });
  const isClosed = sent.status === 401 && codeOf(sent) === 'unauthorized';
  yield finding(
    'function deliver: needs the secret key',
    isClosed ? undefined : functionProblem(sent, 'deliver'),
  );
}

function allowedOrigin({ headers }: CheckedResponse): string | null {
  return headers.get('access-control-allow-origin');
}

function originProblem(
  response: CheckedResponse,
  origin: string,
  { to, adminOnly }: { to: string; adminOnly: boolean },
): string {
  const { status } = response;
  if (status === 0 || status === 404 || status >= 500) return functionProblem(response, to);
  const host = new URL(origin).host;
  return adminOnly
    ? `It responded with ${status}: ${host} is not the admin host of the project. Set ADMIN_HOST, then run npm run deploy:backend again.`
    : `It responded with ${status}: ${host} is not in the published catalogue. Run npm run build.`;
}
