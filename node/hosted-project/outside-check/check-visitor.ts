/** What a visitor, or any client with the public key, must not get. */
import type { DatabaseRoute } from '../../http/backend-routes.ts';
import { SERVICE_CALLS } from '../service-calls.ts';
import { type Finding, finding, rejectedProblem } from './findings.ts';
import { type CheckedResponse, codeOf, type Send } from './requests.ts';
import { databaseRoutes, NO_OFFER, SAMPLES } from './route-samples.ts';

/** PostgREST's code for a schema that is not exposed. */
const NOT_EXPOSED = 'PGRST106';

export async function* checkVisitor(send: Send): AsyncGenerator<Finding> {
  for (const [method, path, route] of databaseRoutes()) {
    const { query = '', body } = SAMPLES[`${method} ${path}`] ?? {};
    const response = await send(method, `${path}${query}`, { body });
    yield finding(`visitor: ${method} ${path} is closed`, closedProblem(response, route));
  }
  const added = await send('POST', '/rest/v1/offers', { body: { domain_name: 'x' } });
  yield finding('visitor: POST /rest/v1/offers is closed', rejectedProblem(added));
  const removed = await send('DELETE', `/rest/v1/offers?id=eq.${NO_OFFER}`, {});
  yield finding('visitor: DELETE /rest/v1/offers is closed', rejectedProblem(removed));
  const hidden = await send('GET', '/rest/v1/admins', { headers: { 'accept-profile': 'private' } });
  yield finding(
    'visitor: the schema private is not exposed',
    codeOf(hidden) === NOT_EXPOSED
      ? undefined
      : `It responded with ${hidden.status}. In the project’s API settings expose the schema public only.`,
  );
  yield* checkServiceCalls('visitor', send);
}

/** Calls every function of the database that is for the functions alone. */
export async function* checkServiceCalls(who: string, send: Send): AsyncGenerator<Finding> {
  for (const [name, body] of Object.entries(SERVICE_CALLS)) {
    const response = await send('POST', `/rest/v1/rpc/${name}`, { body });
    yield finding(`${who}: ${name} is for the functions alone`, rejectedProblem(response));
  }
}

/** A list that is empty shows nothing. Auth rejects with 400, too. */
function closedProblem(response: CheckedResponse, route: DatabaseRoute): string | undefined {
  const isEmpty = Array.isArray(response.json) && response.json.length === 0;
  if (response.status === 200 && route.body === undefined && isEmpty) return undefined;
  if (route.adminOnly && [400, 401, 403, 404].includes(response.status)) return undefined;
  return rejectedProblem(response);
}
