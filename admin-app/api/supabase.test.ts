import '../../src/api/settings.stub.ts';
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { beforeEach, mock, type TestContext, test } from 'node:test';
import type { Session } from '@supabase/supabase-js';
import type { NegotiationRequest } from '#contract/negotiation.ts';
import { waitUntil } from '../../tests/support/terminal.ts';
import { extendSession } from './admin-session.ts';
import { createNegotiationApi } from './negotiation.ts';
import { createOffersApi } from './offers.ts';

const KEY = 'sb-project-auth-token';
const ADA = { id: '1', email: 'ada@example.com' };

let items = new Map<string, string>();
let requests: Request[] = [];
let respond: (request: Request) => Response;
let isClientMissing = false;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== './supabase-client.ts') return next(specifier, context);
    if (isClientMissing) throw new Error('no network');
    // Each test has a client of its own.
    const found = next(specifier, context);
    return { ...found, url: `${found.url}${new URL(context.parentURL ?? '').search}` };
  },
});

beforeEach(() => {
  mock.restoreAll();
  items = new Map();
  requests = [];
  isClientMissing = false;
  respond = () => Response.json(true);
  mock.method(globalThis, 'fetch', async (input: string, init?: RequestInit) => {
    const request = new Request(input, { ...init, signal: null });
    requests.push(request);
    return respond(request);
  });
  const localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  // By `window` and `document` supabase-js knows that it is in a browser. It renews nothing by itself in a hidden page.
  const window = { addEventListener: () => {}, location: { href: 'https://names.example/admin' } };
  const document = { visibilityState: 'hidden' };
  for (const [name, value] of Object.entries({ localStorage, window, document, BroadcastChannel: undefined }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
});

let copies = 0;

/** The module, as a page loads it, and what it tells of the session. */
async function open(session: Session | undefined) {
  if (session) items.set(KEY, JSON.stringify(session));
  copies += 1;
  const module: typeof import('./supabase.ts') = await import(`./supabase.ts?${copies}`);
  const told: [string, string | undefined][] = [];
  module.supabase.auth.onAuthStateChange((event, next) => told.push([event, next?.access_token]));
  await waitUntil(() => told.some(([event]) => event === 'INITIAL_SESSION'));
  return { ...module, told };
}

/** Timers of 10 s and more, which do not run by themselves. */
function holdLongTimers(context: TestContext) {
  const timers: { act: () => void; milliseconds: number }[] = [];
  const { setTimeout: setTimer } = globalThis;
  context.mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number) => {
    if (milliseconds < 10_000) return setTimer(act, milliseconds);
    timers.push({ act, milliseconds });
    return 0;
  });
  return timers;
}

function sessionOf(token: string, lifetime = 600): Session {
  return {
    access_token: token,
    refresh_token: `r-${token}`,
    token_type: 'bearer',
    expires_in: 600,
    expires_at: Math.floor(Date.now() / 1000) + lifetime,
    user: ADA,
  } as unknown as Session;
}

test('a stored session is told and used before supabase-js is loaded, and is no new one once it is', async () => {
  const page = await open(sessionOf('a1'));
  assert.deepEqual(page.told, [['INITIAL_SESSION', 'a1']]);
  assert.equal(await extendSession(page.supabase), true);
  const [request] = requests;
  assert.equal(request?.url, 'https://project.example/rest/v1/rpc/extend_admin_session');
  assert.equal(request?.headers.get('apikey'), 'sb_publishable_test');
  assert.equal(request?.headers.get('authorization'), 'Bearer a1');
  assert.equal(request?.headers.get('content-profile'), 'public');

  page.startClient();
  await waitUntil(() => page.told.length > 1);
  assert.deepEqual(new Set(page.told.slice(1).map(([event]) => event)), new Set(['SIGNED_IN']));
  assert.equal(requests.length, 1);
});

test('without a session that is told at once, and a call has no token', async () => {
  const page = await open(undefined);
  assert.deepEqual(page.told, [['INITIAL_SESSION', undefined]]);
  await extendSession(page.supabase);
  assert.equal(requests[0]?.headers.get('authorization'), null);
});

test('a session that another tab ends before supabase-js is loaded is told once it is', async () => {
  const page = await open(sessionOf('a1'));
  items.clear();
  page.startClient();
  await waitUntil(() => page.told.length > 1);
  assert.deepEqual(page.told, [
    ['INITIAL_SESSION', 'a1'],
    ['INITIAL_SESSION', undefined],
  ]);
});

test('a session whose refresh is rejected is left to supabase-js, which removes it', async () => {
  respond = () => Response.json({ error_code: 'refresh_token_not_found', msg: 'No.' }, { status: 400 });
  const page = await open(sessionOf('a1', -60));
  assert.deepEqual(page.told.at(-1), ['INITIAL_SESSION', undefined]);
  assert.equal(items.size, 0);
});

test('Logout removes the session at once, and supabase-js ends it on the server once it is loaded', async () => {
  respond = () => new Response(null, { status: 204 });
  const page = await open(sessionOf('a1'));
  const signedOut = page.supabase.auth.signOut({ scope: 'local' });
  assert.equal(items.size, 0);
  assert.deepEqual(page.told.at(-1), ['SIGNED_OUT', undefined]);
  assert.deepEqual(await signedOut, { error: null });
  assert.deepEqual(
    requests.map(({ url, headers }) => [url, headers.get('authorization')]),
    [['https://project.example/auth/v1/logout?scope=local', 'Bearer a1']],
  );
});

test('Logout before supabase-js is loaded leaves alone a session that another tab has opened meanwhile', async () => {
  respond = () => new Response(null, { status: 204 });
  const page = await open(sessionOf('a1'));
  const signedOut = page.supabase.auth.signOut({ scope: 'local' });
  const next = JSON.stringify(sessionOf('b1'));
  items.set(KEY, next);
  await signedOut;
  assert.equal(items.get(KEY), next);
  assert.equal(requests.at(-1)?.headers.get('authorization'), 'Bearer a1');
});

test('Logout removes the session also where supabase-js cannot be loaded, and the next try loads it', async (context) => {
  holdLongTimers(context);
  const page = await open(sessionOf('a1'));
  isClientMissing = true;
  await assert.rejects(page.supabase.auth.signOut({ scope: 'local' }));
  assert.equal(items.size, 0);
  assert.deepEqual(page.told.at(-1), ['SIGNED_OUT', undefined]);

  isClientMissing = false;
  const session = sessionOf('a2');
  respond = ({ url }) => Response.json(url.endsWith('/admin-auth') ? { session } : session);
  const signedIn = await page.authenticate({ email: ADA.email, password: 'correct horse' });
  assert.equal(signedIn.ok, true);
  assert.equal((await page.supabase.auth.getSession()).data.session?.access_token, 'a2');
});

test('a call fails without a message where supabase-js cannot be loaded', async (context) => {
  holdLongTimers(context);
  const page = await open(sessionOf('a1'));
  isClientMissing = true;
  respond = () => Response.json({ message: 'JWT expired' }, { status: 401 });
  const request = { action: 'read', id: '1' } as unknown as NegotiationRequest;
  await assert.rejects(createNegotiationApi(page.supabase).callNegotiation(request), { message: '' });
  const { signal } = new AbortController();
  await assert.rejects(createOffersApi(page.supabase).readPageIndex({}, signal), { message: '' });
});

test('supabase-js is loaded again by itself where that failed', async (context) => {
  const page = await open(sessionOf('a1'));
  isClientMissing = true;
  context.mock.method(console, 'error', () => {});
  const timers = holdLongTimers(context);
  page.startClient();
  await waitUntil(() => timers.length > 0);
  isClientMissing = false;
  items.clear();
  assert.deepEqual(
    timers.map(({ milliseconds }) => milliseconds),
    [30_000],
  );
  timers[0]?.act();
  await waitUntil(() => page.told.length > 1);
  assert.deepEqual(page.told.at(-1), ['INITIAL_SESSION', undefined]);
});

test('every request times out after 20 s', async (context) => {
  const page = await open(undefined);
  const times: number[] = [];
  const { setTimeout: setTimer } = globalThis;
  context.mock.method(globalThis, 'setTimeout', (act: () => void, milliseconds: number) => {
    if (milliseconds < 10_000) return setTimer(act, milliseconds);
    times.push(milliseconds);
    return setTimer(act, 0);
  });
  context.mock.method(globalThis, 'fetch', (_: unknown, init?: RequestInit) => {
    return new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  });
  const { signal } = new AbortController();
  await assert.rejects(createOffersApi(page.supabase).readPage({}, undefined, signal));
  await assert.rejects(createOffersApi(page.supabase).readPageIndex({}, signal));
  const signedIn = await page.authenticate({ email: 'ada@example.com', password: 'correct horse' });
  assert.equal(signedIn.ok, false);
  assert.deepEqual(times, [20_000, 20_000, 20_000]);
});
