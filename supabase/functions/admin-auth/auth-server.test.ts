import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../_shared/settings.ts';
import { authServer } from './auth-server.ts';

const SETTINGS = readSettings({ SUPABASE_URL: 'http://auth.example', SUPABASE_SECRET_KEY: 'sb_secret_t' });
const SESSION = {
  access_token: 'a.b.c',
  refresh_token: 'refresh',
  user: { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' },
};
const ATTEMPT = {
  email: 'owner@example.com',
  password: 'p',
  client: { address: '192.0.2.5', ip: '192.0.2.5', network: '192.0.2.0/24' },
};

/** The client of an auth server that responds so. */
function start(respond: () => Response) {
  const sent: (Pick<RequestInit, 'body' | 'method' | 'redirect' | 'signal'> & {
    url: string;
    headers: Headers;
  })[] = [];
  const fetch = async (url: string | URL | Request, { headers, ...init }: RequestInit = {}) => {
    sent.push({ url: String(url), headers: new Headers(headers), ...init });
    return respond();
  };
  return { auth: authServer({ settings: SETTINGS, fetch }), sent };
}

test('a password is tried with the secret key and the client’s IP, for 8 s, and no redirect gets it', async (t) => {
  const { signal: ended } = new AbortController();
  const timeout = t.mock.method(AbortSignal, 'timeout', () => ended);
  const { auth, sent } = start(() => Response.json({ ...SESSION, expires_in: 3600 }));
  const tried = await auth.tryPassword(ATTEMPT);
  assert.deepEqual(tried, { outcome: 'session', session: { ...SESSION, expires_in: 3600 } });
  const [{ url, body, headers, method, redirect, signal } = assert.fail('no request')] = sent;
  assert.deepEqual([method, headers.get('content-type')], ['POST', 'application/json']);
  assert.equal(signal, ended, 'otherwise it holds up the queue of all sign-ins');
  assert.deepEqual(timeout.mock.calls[0]?.arguments, [8_000]);
  assert.equal(url, 'http://auth.example/auth/v1/token?grant_type=password');
  assert.deepEqual(JSON.parse(String(body)), { email: 'owner@example.com', password: 'p' });
  assert.deepEqual(
    [headers.get('apikey'), headers.get('sb-forwarded-for'), redirect],
    ['sb_secret_t', '192.0.2.5', 'error'],
  );
  await auth.tryPassword({ ...ATTEMPT, client: { ...ATTEMPT.client, address: undefined } });
  assert.equal(sent[1]?.headers.has('sb-forwarded-for'), false);
});

test('each response of the auth server has its outcome', async () => {
  for (const [respond, expected] of [
    [() => Response.json({}, { status: 400 }), { outcome: 'rejected' }],
    [
      () => Response.json({}, { status: 429, headers: { 'retry-after': '7' } }),
      { outcome: 'limited', wait: 7 },
    ],
    [() => Response.json({}, { status: 429 }), { outcome: 'limited', wait: 60 }],
    [() => Response.json({}, { status: 500 }), { outcome: 'unavailable' }],
    [() => Response.json({ ...SESSION, access_token: '' }), { outcome: 'unavailable' }],
    [() => Response.json({ ...SESSION, refresh_token: undefined }), { outcome: 'unavailable' }],
    [() => Response.json({ ...SESSION, user: { id: '1' } }), { outcome: 'unavailable' }],
    [() => new Response('<html>'), { outcome: 'unavailable' }],
    [() => assert.fail('no connection'), { outcome: 'unavailable' }],
  ] as const) {
    assert.deepEqual(await start(respond).auth.tryPassword(ATTEMPT), expected);
  }
});

test('an email with NUL, which no account has, costs no request', async () => {
  const { auth, sent } = start(() => Response.json({}, { status: 500 }));
  const tried = await auth.tryPassword({ ...ATTEMPT, email: 'owner@example.com\0' });
  assert.deepEqual([tried, sent], [{ outcome: 'rejected' }, []]);
});

test('a session is revoked alone, by its own token, and a failure of it is ignored', async () => {
  const { auth, sent } = start(() => assert.fail('no connection'));
  await auth.revoke(SESSION);
  assert.equal(sent[0]?.url, 'http://auth.example/auth/v1/logout?scope=local');
  assert.equal(sent[0]?.headers.get('authorization'), 'Bearer a.b.c');
  assert.equal(sent[0]?.headers.get('apikey'), 'sb_secret_t');
});
