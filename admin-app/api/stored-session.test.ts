import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { createClient } from '@supabase/supabase-js';
import { createStoredSession } from './stored-session.ts';

const URL_OF_PROJECT = 'https://project.example';
const KEY = 'sb_publishable_test';
const NOW = Date.UTC(2026, 10, 20);
const NOW_S = NOW / 1000;
const STORED = {
  access_token: 'a1',
  refresh_token: 'r1',
  token_type: 'bearer',
  expires_in: 600,
  expires_at: NOW_S + 300,
  user: { id: '1', email: 'ada@example.com' },
};
const ENDED = { ...STORED, expires_at: NOW_S - 86_400 };
/** By a server whose clock is a day ahead. */
const RENEWED = { ...STORED, access_token: 'a2', refresh_token: 'r2', expires_at: NOW_S + 87_000 };

let items = new Map<string, string>();
let respond: () => Response | Promise<Response>;
const requests: Request[] = [];
const stored = createStoredSession(URL_OF_PROJECT, KEY);
const storage = {
  getItem: (name: string) => items.get(name) ?? null,
  setItem: (name: string, value: string) => void items.set(name, value),
  removeItem: (name: string) => void items.delete(name),
};

const store = (session: object) => items.set(stored.storageKey, JSON.stringify(session));
const inStorage = () => JSON.parse(items.get(stored.storageKey) ?? 'null');
/** supabase-js itself, over what is stored here. */
const supabaseJs = () =>
  createClient(URL_OF_PROJECT, KEY, {
    auth: { storage, autoRefreshToken: false, detectSessionInUrl: false },
  });

beforeEach(() => {
  mock.restoreAll();
  items = new Map();
  requests.length = 0;
  respond = () => Response.json(RENEWED);
  mock.method(Date, 'now', () => NOW);
  mock.method(globalThis, 'fetch', async (input: string, init?: RequestInit) => {
    requests.push(new Request(input, { ...init, signal: null }));
    return respond();
  });
  Object.defineProperty(globalThis, 'localStorage', { value: storage, configurable: true });
});

test('the name of the stored session is that of supabase-js', () => {
  for (const url of ['https://abcdefgh.supabase.co', 'http://localhost:4321', 'https://own.names.example'])
    assert.equal(
      createStoredSession(url, KEY).storageKey,
      (createClient(url, KEY) as unknown as { storageKey: string }).storageKey,
    );
});

test('a session is used as it is until 90 s before its end, as by supabase-js', async () => {
  for (const [rest, refreshes] of [
    [90, 0],
    [89, 1],
  ] as const) {
    for (const open of [
      () => stored.open(),
      async () => (await supabaseJs().auth.getSession()).data.session,
    ]) {
      requests.length = 0;
      store({ ...STORED, expires_at: NOW_S + rest });
      assert.equal((await open())?.access_token, refreshes === 0 ? 'a1' : 'a2');
      assert.equal(requests.length, refreshes, `${rest} s`);
    }
  }
});

test('a session that has ended is renewed and stored by the browser’s clock, so that supabase-js takes it as its own', async () => {
  store(ENDED);
  assert.equal((await stored.open())?.access_token, 'a2');
  assert.equal(requests.length, 1);
  const [request] = requests;
  assert.equal(request?.url, `${URL_OF_PROJECT}/auth/v1/token?grant_type=refresh_token`);
  assert.equal(request?.headers.get('apikey'), KEY);
  assert.deepEqual(await request?.json(), { refresh_token: 'r1' });
  assert.deepEqual(inStorage(), { ...RENEWED, expires_at: NOW_S + 600 });
  assert.deepEqual((await supabaseJs().auth.getSession()).data.session, inStorage());
  assert.equal(requests.length, 1);
});

test('a refresh that fails leaves the session to supabase-js', async () => {
  for (const answer of [
    () => Response.json({ error_code: 'refresh_token_not_found' }, { status: 400 }),
    () => Response.json({ message: 'Try again later.' }, { status: 503 }),
    () => new Response('<h1>Sign in to this network</h1>'),
    () => Promise.reject(new TypeError('Failed to fetch')),
  ]) {
    respond = answer;
    store(ENDED);
    assert.equal(await stored.open(), undefined);
    assert.deepEqual(inStorage(), ENDED);
  }
});

test('a refresh changes nothing where another tab has signed out or renewed the session meanwhile', async () => {
  store(ENDED);
  respond = () => {
    items.clear();
    return Response.json(RENEWED);
  };
  assert.equal(await stored.open(), undefined);
  assert.equal(items.size, 0);

  store(ENDED);
  const other = { ...STORED, access_token: 'a3', refresh_token: 'r3' };
  respond = () => {
    store(other);
    return Response.json(RENEWED);
  };
  assert.equal((await stored.open())?.access_token, 'a3');
  assert.deepEqual(inStorage(), other);
});

test('no session is null, and one that cannot be read is left to supabase-js', async () => {
  assert.equal(await stored.open(), null);
  for (const text of ['', '{', 'null', '[]', JSON.stringify({ ...STORED, user: undefined })]) {
    items.set(stored.storageKey, text);
    assert.equal(await stored.open(), undefined, text);
    assert.equal(items.get(stored.storageKey), text);
  }
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('Access is denied', 'SecurityError');
    },
  });
  assert.equal(await stored.open(), undefined);
  assert.deepEqual(requests, []);
});
