/** What a stolen session or secret is of use at the public port: nothing on another host, and no role beyond the admin's. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Offer } from '#contract/offer.ts';
import {
  ADMINISTRATOR_REQUESTS,
  VISITORS_REJECTED,
} from '../../commands/hosted/outside-check/expected-access.ts';
import { type HttpRequest, type HttpResponse, jsonOf, sendRequest } from '../support/http-client.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import type { AbusedProduct } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { type DataKeys, dataKeys } from './data-keys.ts';
import { hs256 } from './forged-tokens.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';
import { storedOffers } from './stored-offers.ts';

/** Domains for sale, and an unknown host. */
const OTHER_HOSTS = ['lap.app', 'www.lap.app', 'lap.app.localhost', 'evil.example'];

const JSON_TYPE = { 'content-type': 'application/json' };

/** Every way to the database that the public port has, and the session's own account; a refresh has no token. */
const ROUTES: HttpRequest[] = [
  ...Object.entries({ ...ADMINISTRATOR_REQUESTS, ...VISITORS_REJECTED }).flatMap(
    ([request, { query = '', body }]) => {
      const [method = '', path = ''] = request.split(' ');
      if (/^\/auth\/v1\/(?:token|logout)$/.test(path)) return [];
      return [
        { method, path: path + query, ...(body && { headers: JSON_TYPE, body: JSON.stringify(body) }) },
      ];
    },
  ),
  {
    method: 'PATCH',
    path: '/rest/v1/offers?id=not.is.null',
    headers: JSON_TYPE,
    body: '{"status":"accepted"}',
  },
];

/** Claims that change a real administrator's token; `undefined` removes one. */
const CHANGED_CLAIMS: [what: string, claims: Record<string, unknown>][] = [
  ['the role service_role', { role: 'service_role' }],
  ['the role postgres', { role: 'postgres' }],
  ['the role supabase_admin', { role: 'supabase_admin' }],
  ['the role authenticator', { role: 'authenticator' }],
  ['a role in capitals', { role: 'SERVICE_ROLE' }],
  ['a list of roles', { role: ['authenticated', 'service_role'] }],
  ['an empty role', { role: '' }],
  ['no role', { role: undefined }],
  ['the role service_role and no end', { role: 'service_role', exp: undefined }],
  ['no end', { exp: undefined }],
  ['an end that is null', { exp: null }],
  ['an end that is a text', { exp: '9999999999' }],
  ['an end that is infinite', { exp: 1e308 }],
  ['another audience', { aud: 'service_role' }],
  ['a list of audiences', { aud: ['authenticated', 'service_role'] }],
  ['no audience', { aud: undefined }],
];

/** Claims with which a token is well-formed, and belongs to no administrator's open session all the same. */
const USELESS_CLAIMS: [what: string, claims: Record<string, unknown>][] = [
  ['an end in the past', { exp: 1 }],
  ['a beginning in the future', { nbf: Math.floor(Date.now() / 1000) + 3_600 }],
  ['no session', { session_id: undefined }],
  ['another session', { session_id: '00000000-0000-4000-8000-000000000000' }],
  ['another user', { sub: '00000000-0000-4000-8000-000000000000' }],
  ['no user', { sub: undefined }],
];

describe('session theft', () => {
  let product: AbusedProduct;
  let keys: DataKeys;
  let session: { access_token: string; refresh_token: string };
  let stored: Offer[];

  before(async () => {
    product = await sharedProduct();
    keys = dataKeys(product.dataDir);
    const turnstile_token = encodeProof(await proofMaker(keys.secretKey)());
    assert.equal((await product.call('order-submit', { ...PLANTED_OFFER, turnstile_token })).status, 201);
    count('acknowledged');
    session = jsonOf(await product.call('admin-auth', ADMIN)).session as typeof session;
    stored = await storedOffers(product);
    assert.ok(stored.length > 0);
  });
  after(async () => {
    assert.deepEqual(await storedOffers(product), stored, 'nothing was changed');
  });

  const bearer = (token: string, apikey = PUBLIC_KEY) => ({ apikey, authorization: `Bearer ${token}` });

  /** Rejected with one of the statuses, and without a row. */
  const assertRejected = async (
    what: string,
    request: HttpRequest,
    statuses: number[],
  ): Promise<HttpResponse> => {
    const response = await badInput(what, product.request(request));
    const title = `${what}: ${request.method ?? 'GET'} ${request.path}`;
    const isAllowed = response.status < 400 && !['', '[]'].includes(response.text);
    if (isAllowed) count('unauthorised');
    assert.ok(statuses.includes(response.status), `${title} got ${response.status}: ${response.text}`);
    return response;
  };

  test('the session opens every route on localhost', async () => {
    const headers = bearer(session.access_token);
    assert.equal((await product.request({ path: '/auth/v1/user', headers })).status, 200);
    const offers = { path: '/rest/v1/offers?select=*&order=created_at.desc', headers };
    assert.match((await sendRequest(product.port, offers)).text, /^\[\{/);
  });

  for (const host of OTHER_HOSTS) {
    test(`a session gets nothing on ${host}`, async () => {
      for (const route of ROUTES) {
        const headers = { ...route.headers, ...bearer(session.access_token), host };
        const status = route.path.startsWith('/auth/') ? 404 : 401;
        await assertRejected(host, { ...route, headers }, [status]);
      }
      const renewal = {
        method: 'POST',
        path: '/auth/v1/token?grant_type=refresh_token',
        headers: { ...JSON_TYPE, apikey: PUBLIC_KEY, host },
        body: JSON.stringify({ refresh_token: session.refresh_token }),
      };
      await assertRejected(host, renewal, [404]);
      const signOut = { method: 'POST', path: '/auth/v1/logout?scope=global' };
      await assertRejected(host, { ...signOut, headers: { ...bearer(session.access_token), host } }, [404]);
      // Neither was used up by it.
      const headers = bearer(session.access_token);
      assert.equal((await product.request({ path: '/auth/v1/user', headers })).status, 200);
    });
  }

  for (const [what, changed] of CHANGED_CLAIMS) {
    test(`a token with ${what}, signed with the right secret, is rejected with 401`, async () => {
      const token = hs256({ ...claimsOf(session.access_token), ...changed }, keys.jwtSecret);
      for (const route of ROUTES) {
        for (const headers of [bearer(token), bearer(token, token), { apikey: token }]) {
          await assertRejected(what, { ...route, headers: { ...route.headers, ...headers } }, [401]);
        }
      }
    });
  }

  for (const [what, changed] of USELESS_CLAIMS) {
    test(`a token with ${what}, signed with the right secret, reads and changes nothing`, async () => {
      const token = hs256({ ...claimsOf(session.access_token), ...changed }, keys.jwtSecret);
      for (const route of ROUTES.filter(({ path }) => path.startsWith('/rest/'))) {
        const headers = { ...route.headers, ...bearer(token) };
        const response = await badInput(what, product.request({ ...route, headers }));
        const isNothing = response.status >= 400 || ['', '[]', 'false'].includes(response.text);
        if (!isNothing) count('unauthorised');
        assert.ok(isNothing, `${route.path} got ${response.status}: ${response.text}`);
      }
    });
  }

  test('the secret key is rejected at the public port, wherever it stands', async () => {
    const { secretKey } = keys;
    const routes: HttpRequest[] = [
      ...ROUTES,
      { path: '/functions/v1/bot-check?domain=lap.app' },
      { method: 'POST', path: '/functions/v1/order-submit', headers: JSON_TYPE, body: '{}' },
      { method: 'POST', path: '/functions/v1/admin-auth', headers: JSON_TYPE, body: JSON.stringify(ADMIN) },
    ];
    for (const route of routes) {
      for (const headers of [{ apikey: secretKey }, bearer(secretKey), bearer(secretKey, secretKey)]) {
        await assertRejected(
          'the secret key',
          { ...route, headers: { ...route.headers, ...headers } },
          [401],
        );
      }
    }
    // What only the functions may call, and what only the owner's commands may.
    const inside: HttpRequest[] = [
      { method: 'POST', path: '/rest/v1/rpc/submit_offer', headers: JSON_TYPE, body: '{}' },
      {
        method: 'POST',
        path: '/rest/v1/rpc/erase_customer',
        headers: JSON_TYPE,
        body: '{"email":"a@example.com"}',
      },
      {
        method: 'POST',
        path: '/auth/v1/token?grant_type=password',
        headers: JSON_TYPE,
        body: JSON.stringify(ADMIN),
      },
      { path: '/auth/v1/admin/users' },
      { path: '/control/backup' },
    ];
    for (const route of inside) {
      const headers = { ...route.headers, ...bearer(secretKey, secretKey) };
      await assertRejected('the secret key', { ...route, headers }, [401, 404]);
    }
  });
});

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}
