import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Challenge } from '#contract/bot-check.ts';
import { signInAsAdmin } from './admin-auth.ts';
import { clientOf } from './fake-backend.ts';

const credentials = { email: 'ada@example.com', password: 'correct horse' };
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const hourFromNow = Math.floor(Date.now() / 1000) + 3600;
const session = {
  access_token: `${part({ alg: 'HS256' })}.${part({ sub: '1', exp: hourFromNow })}.c2ln`,
  refresh_token: 'refresh',
};

/** A device without a token, which solves nothing. */
const device = {
  readDeviceToken: async () => undefined as string | undefined,
  storeDeviceToken: async (_token: string) => {},
  solveProof: async (): Promise<string> => assert.fail('nothing to solve'),
};

function signIn(response: () => Response, user = () => Response.json({ id: '1', email: credentials.email })) {
  const client = clientOf(({ url }) => (url.pathname.endsWith('/user') ? user() : response()));
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
    () => Response.json({ code: 'bad_jwt', message: 'invalid JWT' }, { status: 403 }),
  );
  assert.deepEqual(await outcome, { ok: false, message: 'Authentication failed' });
  assert.equal((await client.auth.getSession()).data.session, null);
});

test('the device token of a sign-in is stored, and sent with the next one', async () => {
  const sent: unknown[] = [];
  const client = clientOf(({ url, body }) => {
    if (url.pathname.endsWith('/user')) return Response.json({ id: '1', email: credentials.email });
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

const challenge: Challenge = {
  parameters: {
    algorithm: 'SHA-256',
    cost: 64,
    nonce: '00',
    salt: '00',
    keyPrefix: '00',
    keyLength: 32,
    expiresAt: 1,
  },
  signature: 'a'.repeat(64),
};
const limited = () =>
  Response.json({ error: 'Too many.', code: 'too_many_sign_ins', challenge }, { status: 429 });

const busy = () => Response.json({ error: 'Busy.', code: 'sign_in_busy' }, { status: 503 });

/** Signs in against these responses, one after the other; the last one stays. */
async function signInAgainst(responses: (() => Response)[], solveProof: () => Promise<string>) {
  const sent: unknown[] = [];
  const pauses: number[] = [];
  const client = clientOf(({ url, body }) => {
    if (url.pathname.endsWith('/user')) return Response.json({ id: '1', email: credentials.email });
    sent.push(body);
    return (responses.length > 1 ? responses.shift() : responses[0])?.() ?? assert.fail();
  });
  const outcome = await signInAsAdmin(
    client,
    'sb_publishable_test',
    credentials,
    { ...device, solveProof },
    async (milliseconds) => void pauses.push(milliseconds),
  );
  return { outcome, sent, pauses };
}

test('a rejection with a challenge is followed by an attempt with its proof, without a message', async () => {
  const { outcome, sent } = await signInAgainst(
    [limited, () => Response.json({ session })],
    async () => 'the proof',
  );
  assert.deepEqual(outcome, { ok: true });
  assert.deepEqual(sent, [credentials, { ...credentials, proof: 'the proof' }]);
});

test('a proof that is not enough is followed by one with more work, a few times', async () => {
  let solved = 0;
  const solveProof = async () => `proof ${++solved}`;
  const { outcome, sent } = await signInAgainst(
    [limited, limited, () => Response.json({ session })],
    solveProof,
  );
  assert.deepEqual(outcome, { ok: true });
  assert.deepEqual(sent.slice(1), [
    { ...credentials, proof: 'proof 1' },
    { ...credentials, proof: 'proof 2' },
  ]);

  const never = await signInAgainst([limited], solveProof);
  assert.deepEqual(never.outcome, { ok: false, message: 'Too many.' });
  assert.equal(never.sent.length, 4);
});

test('a full queue repeats the request with the same proof after a delay, a few times', async () => {
  const { outcome, sent, pauses } = await signInAgainst(
    [limited, busy, busy, () => Response.json({ session })],
    async () => 'the proof',
  );
  assert.deepEqual(outcome, { ok: true });
  assert.deepEqual(sent.slice(1), Array(3).fill({ ...credentials, proof: 'the proof' }));
  assert.deepEqual(pauses, [5_000, 5_000]);

  const never = await signInAgainst([limited, busy], async () => 'the proof');
  assert.deepEqual(never.outcome, { ok: false, message: 'Busy.' });
  assert.equal(never.sent.length, 7);
});

test('a challenge that cannot be solved shows the rejection', async () => {
  const { outcome, sent } = await signInAgainst([limited], () => Promise.reject(new Error('too slow')));
  assert.deepEqual(outcome, { ok: false, message: 'Too many.' });
  assert.equal(sent.length, 1);
});
