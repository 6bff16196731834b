/** The owner, who signs in again and again: each session that was handed out opens the list of offers. */
import { setTimeout as pause } from 'node:timers/promises';
import { type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, functionCall } from './abused-product.ts';
import { count } from './report.ts';
import { runsOf } from './short-form.ts';
import { persist, Rejected } from './visitors.ts';

export interface Owner {
  /** Settles once the owner has signed in again. */
  waitForSignIn(): Promise<void>;
  /** No further sign-ins; settles when the last session was used. */
  finish(): Promise<void>;
}

/** Between two sign-ins, each of which costs the server a hash. */
const PAUSE_MS = runsOf(0, 1_000);

export function startOwner(port: number): Owner {
  let leaving = false;
  let signedInOnce = Promise.withResolvers<void>();
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
      signedInOnce.resolve();
      await pause(PAUSE_MS);
    }
  })();
  // Reported by `finish` at the latest.
  signIns.catch(() => {});
  return {
    waitForSignIn: () => {
      signedInOnce = Promise.withResolvers();
      return Promise.race([signedInOnce.promise, signIns]);
    },
    finish: async () => {
      leaving = true;
      await signIns;
    },
  };
}

/** Calls `negotiation` as the owner. */
export function ask(
  product: Pick<AbusedProduct, 'requestAsAdmin'>,
  body: object,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  const call = functionCall('negotiation', body);
  return product.requestAsAdmin({ ...call, headers: { 'content-type': 'application/json', ...headers } });
}

function assertOk(response: HttpResponse): HttpResponse {
  if (response.status === 200) return response;
  if (response.status >= 500) throw new Error(`not now: ${response.status}`);
  count('ownerLockedOut');
  throw new Rejected(`the owner got ${response.status}: ${response.text}`);
}
