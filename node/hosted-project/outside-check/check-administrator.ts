/** Signs in as the administrator, sends each request of the dashboard and some that must be rejected, and signs out. */
import { checkServiceCalls } from './check-visitor.ts';
import { type Finding, finding, rejectedProblem, unavailable } from './findings.ts';
import type { OutsideCheckOptions } from './options.ts';
import type { CheckedResponse, Send } from './requests.ts';
import { databaseRoutes, NO_OFFER, SAMPLES } from './route-samples.ts';

export async function* checkAdministrator(
  send: Send,
  { administrator, adminOrigin }: OutsideCheckOptions,
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
  yield finding(what, token === undefined ? unavailable(signedIn) : undefined);
  if (token === undefined) return;
  const sendAs: Send = (method, path, { body }) =>
    send(method, path, { body, headers: { authorization: `Bearer ${token}` } });
  for (const [method, path] of databaseRoutes()) {
    const { query = '', body, hasEffect } = SAMPLES[`${method} ${path}`] ?? {};
    if (hasEffect) continue;
    const response = await sendAs(method, `${path}${query}`, { body });
    yield finding(
      `administrator: ${method} ${path} responds`,
      isOk(response) ? undefined : unavailable(response),
    );
  }
  const query = `?id=eq.${NO_OFFER}`;
  const other = await sendAs('PATCH', `/rest/v1/offers${query}`, { body: { customer_name: 'x' } });
  yield finding('administrator: changes no column but the status', rejectedProblem(other));
  const removed = await sendAs('DELETE', `/rest/v1/offers${query}`, {});
  yield finding('administrator: deletes no offer', rejectedProblem(removed));
  yield* checkServiceCalls('administrator', sendAs);
  const left = await sendAs('POST', '/auth/v1/logout?scope=local', {});
  const after = await sendAs('POST', '/rest/v1/rpc/offer_counts', { body: {} });
  const isOut = isOk(left) && after.status >= 400;
  yield finding(
    'administrator: reads nothing after signing out',
    isOut ? undefined : `It responded with ${left.status} and ${after.status}.`,
  );
}

function isOk({ status }: CheckedResponse): boolean {
  return status > 0 && status < 300;
}
