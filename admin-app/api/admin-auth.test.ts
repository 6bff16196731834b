import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signInAsAdmin } from './admin-auth.ts';
import { clientOf } from './fake-backend.ts';

const credentials = { email: 'ada@example.com', password: 'correct horse' };
const session = { access_token: 'first', refresh_token: 'refresh' };
const RENEWED = {
  access_token: 'second',
  refresh_token: 'next',
  expires_in: 600,
  user: { id: '1', email: credentials.email },
};

/** A device without a token. */
const device = {
  readDeviceToken: async () => undefined as string | undefined,
  storeDeviceToken: async (_token: string) => {},
};

function signIn(response: () => Response, renewed = () => Response.json(RENEWED)) {
  const client = clientOf(({ url, body }) => {
    if (!url.pathname.endsWith('/token')) return response();
    assert.deepEqual(body, { refresh_token: session.refresh_token });
    return renewed();
  });
  return { client, outcome: signInAsAdmin(client, 'sb_publishable_test', credentials, device) };
}

test('a successful sign-in installs the session', async () => {
  const { client, outcome } = signIn(() => Response.json({ session }));
  assert.deepEqual(await outcome, { ok: true });
  const { data } = await client.auth.getSession();
  assert.equal(data.session?.user.email, credentials.email);
});

test('the sign-in request has the public key as apikey and bearer', async () => {
  const client = clientOf(({ url, method, headers, body }) => {
    assert.equal(url.pathname, '/functions/v1/admin-auth');
    assert.equal(method, 'POST');
    assert.equal(headers.get('apikey'), 'sb_publishable_test');
    assert.equal(headers.get('authorization'), 'Bearer sb_publishable_test');
    assert.deepEqual(body, credentials);
    return Response.json({ error: 'seen' }, { status: 401 });
  });
  assert.deepEqual(await signInAsAdmin(client, 'sb_publishable_test', credentials, device), {
    ok: false,
    message: 'seen',
  });
});

const failures: [what: string, response: () => Response, message: string][] = [
  [
    'a rejection with a message',
    () => Response.json({ error: 'Invalid email or password.' }, { status: 401 }),
    'Invalid email or password.',
  ],
  [
    'a rejection with an error object',
    () => Response.json({ error: { message: 'Not today.', code: 42 } }, { status: 500 }),
    'Not today.',
  ],
  [
    'a rejection whose code is a number',
    () => Response.json({ error: 'Not today.', code: 42 }, { status: 401 }),
    'Not today.',
  ],
  ['a rejection without a message', () => Response.json({}, { status: 500 }), 'Authentication failed'],
  ['a rejection without JSON', () => new Response('<h1>', { status: 502 }), 'Authentication failed'],
  ['a success without a session', () => Response.json({ session: null }), 'Authentication failed'],
  ['a success that carries an error', () => Response.json({ error: 'Not today.' }), 'Not today.'],
  ['a captive portal', () => new Response('<h1>Welcome</h1>'), 'Authentication failed'],
  [
    'no network',
    () => {
      throw new TypeError('Failed to fetch');
    },
    'Authentication failed',
  ],
];
for (const [what, response, message] of failures) {
  test(`${what} fails with “${message}”`, async () => {
    assert.deepEqual(await signIn(response).outcome, { ok: false, message });
  });
}

test('a session that the auth server does not know is a failure', async (t) => {
  t.mock.method(console, 'error', () => {});
  const { client, outcome } = signIn(
    () => Response.json({ session }),
    () => Response.json({ code: 'refresh_token_not_found', message: 'Invalid' }, { status: 400 }),
  );
  assert.deepEqual(await outcome, { ok: false, message: 'Authentication failed' });
  assert.equal((await client.auth.getSession()).data.session, null);
});

test('the device token of a sign-in is stored, and sent with the next one', async () => {
  const sent: unknown[] = [];
  const client = clientOf(({ url, body }) => {
    if (url.pathname.endsWith('/token')) return Response.json(RENEWED);
    sent.push(body);
    return Response.json({ session, device: `device ${sent.length}` });
  });
  let stored: string | undefined;
  const remembering = {
    ...device,
    readDeviceToken: async () => stored,
    storeDeviceToken: async (token: string) => {
      stored = token;
    },
  };
  await signInAsAdmin(client, 'sb_publishable_test', credentials, remembering);
  await signInAsAdmin(client, 'sb_publishable_test', credentials, remembering);
  assert.deepEqual(sent, [credentials, { ...credentials, device: 'device 1' }]);
  assert.equal(stored, 'device 2');
});
