/** The owner, who signs in without a pause: each session that was handed out opens the list of offers. */
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { functionCall } from './abused-product.ts';
import { count } from './report.ts';
import { persist, Rejected } from './visitors.ts';

export interface Owner {
  /** No further sign-ins; settles when the last session was used. */
  finish(): Promise<void>;
}

export function startOwner(port: number): Owner {
  let leaving = false;
  const signIns = (async () => {
    while (!leaving) {
      const signedIn = await persist(async () =>
        assertOk(await sendRequest(port, functionCall('admin-auth', ADMIN))),
      );
      const { session } = jsonOf(signedIn) as { session: { access_token: string } };
      const headers = { apikey: PUBLIC_KEY, authorization: `Bearer ${session.access_token}` };
      const list = { path: '/rest/v1/offers?select=id&limit=1', headers };
      await persist(async () => assertOk(await sendRequest(port, list)));
      count('ownerSignIns');
    }
  })();
  // Reported by `finish` at the latest.
  signIns.catch(() => {});
  return {
    finish: async () => {
      leaving = true;
      await signIns;
    },
  };
}

function assertOk(response: HttpResponse): HttpResponse {
  if (response.status === 200) return response;
  if (response.status >= 500) throw new Error(`not now: ${response.status}`);
  count('ownerLockedOut');
  throw new Rejected(`the owner got ${response.status}: ${response.text}`);
}
