/** Signs in as the administrator, sends each request of the dashboard and some that must be rejected, and signs out. */
import { SERVICE_CALLS } from '../service-calls.ts';
import { type Finding, finding, rejectedProblem } from './findings.ts';
import { messageOf, type Send } from './requests.ts';
import { databaseRoutes, NO_OFFER, SAMPLES } from './route-samples.ts';

export interface AdministratorCheckOptions {
  /** Origin of the admin host. */
  readonly adminOrigin: string;
  /** Undefined where the password is not known. */
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
}

export async function* checkAdministrator(
  send: Send,
  { administrator, adminOrigin }: AdministratorCheckOptions,
): AsyncGenerator<Finding> {
  const what = 'administrator: signs in through admin-auth';
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
      response.status > 0 && response.status < 300
        ? undefined
        : `It responded with ${response.status}: ${messageOf(response)}`,
    );
  }
  const query = `?id=eq.${NO_OFFER}`;
  const other = await send('PATCH', `/rest/v1/offers${query}`, { body: { customer_name: 'x' }, headers });
  yield finding('administrator: changes no column but the status', rejectedProblem(other));
  const removed = await send('DELETE', `/rest/v1/offers${query}`, { headers });
  yield finding('administrator: deletes no offer', rejectedProblem(removed));
  for (const [name, body] of Object.entries(SERVICE_CALLS)) {
    const response = await send('POST', `/rest/v1/rpc/${name}`, { body, headers });
    yield finding(`administrator: ${name} is for the functions alone`, rejectedProblem(response));
  }
  const left = await send('POST', '/auth/v1/logout?scope=local', { headers });
  const after = await send('POST', '/rest/v1/rpc/offer_counts', { body: {}, headers });
  const isOut = left.status > 0 && left.status < 300 && after.status >= 400;
  yield finding(
    'administrator: reads nothing after signing out',
    isOut ? undefined : `It responded with ${left.status} and ${after.status}.`,
  );
}
