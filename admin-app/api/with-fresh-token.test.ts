import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AuthApiError,
  type AuthError,
  AuthRefreshDiscardedError,
  AuthRetryableFetchError,
  AuthSessionMissingError,
  AuthUnknownError,
} from '@supabase/supabase-js';
import { extendSession } from './admin-session.ts';
import { clientOf } from './fake-backend.ts';
import { createOffersApi } from './offers.ts';
import { withFreshToken } from './with-fresh-token.ts';

const ENDED = { name: 'SessionEnded', message: 'Your session has ended. Please sign in again.' };
const REJECTED = new AuthApiError('Invalid Refresh Token', 400, 'refresh_token_not_found');
const TOO_MANY = new AuthApiError('Request rate limit reached', 429, 'over_request_rate_limit');
const NOT_FOUND = new AuthApiError('Not found', 404, 'unknown_route');
const offline = new AuthRetryableFetchError('Failed to fetch', 0);

/** A server that rejects the first `count` requests, and a session whose refresh ends with `refreshError`. */
function backend(count: number, refreshError: AuthError | null) {
  let requests = 0;
  let refreshes = 0;
  const client = clientOf(({ url }) => {
    requests += 1;
    if (requests <= count)
      return Response.json({ code: 'PGRST301', message: 'JWT expired' }, { status: 401 });
    return Response.json(url.pathname.endsWith('/extend_admin_session') ? true : [{ id: '1' }]);
  });
  client.auth.refreshSession = async () => {
    refreshes += 1;
    return { data: { session: null, user: null }, error: refreshError } as Awaited<
      ReturnType<typeof client.auth.refreshSession>
    >;
  };
  return { client, calls: () => ({ requests, refreshes }) };
}

const change = ({ client }: ReturnType<typeof backend>) =>
  createOffersApi(client).changeStatus('1', 'pending', 'accepted');

test('a request rejected with 401 is sent once more with a refreshed token', async () => {
  for (const refreshError of [null, new AuthRefreshDiscardedError()]) {
    const server = backend(1, refreshError);
    assert.equal(await change(server), 'changed');
    assert.deepEqual(server.calls(), { requests: 2, refreshes: 1 });
    assert.equal(await extendSession(backend(1, refreshError).client), true);
  }
});

test('of two requests that are rejected with one token, the later one is sent again without a refresh', async () => {
  const server = backend(1, null);
  const late = Promise.withResolvers<void>();
  let sent = 0;
  const second = withFreshToken(server.client.auth, async () => {
    sent += 1;
    if (sent === 1) await late.promise;
    return { status: sent === 1 ? 401 : 200 };
  });
  await extendSession(server.client);
  late.resolve();
  assert.deepEqual([await second, server.calls().refreshes], [{ status: 200 }, 1]);
});

test('a request that is not rejected refreshes no token', async () => {
  const server = backend(0, null);
  await change(server);
  assert.deepEqual(server.calls(), { requests: 1, refreshes: 0 });
});

test('a session whose token is rejected twice, or cannot be refreshed, has ended', async () => {
  for (const [count, refreshError] of [
    [2, null],
    [1, REJECTED],
    [1, new AuthSessionMissingError()],
  ] as const) {
    await assert.rejects(change(backend(count, refreshError)), ENDED);
    assert.equal(await extendSession(backend(count, refreshError).client), false);
  }
});

test('a temporary failure to refresh ends no session', async () => {
  for (const refreshError of [offline, TOO_MANY, NOT_FOUND, new AuthUnknownError('no JSON', undefined)]) {
    await assert.rejects(change(backend(1, refreshError)), { name: 'Error', message: '' });
    assert.equal(await extendSession(backend(1, refreshError).client), undefined);
  }
});
