/** The data API and auth over HTTP: only administrators can read or change anything. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { CALLS, NOBODY } from '#contract/calls.ts';
import type { Offer } from '#contract/offer.ts';
import { withProject } from '../../server/embedded/with-project.ts';
import type { HttpRequest, HttpResponse } from '../support/http-client.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { type AbusedProduct, signIn } from './abused-product.ts';
import { badInput } from './bad-input.ts';
import { checkInBatches } from './check-in-batches.ts';
import { dataKeys } from './data-keys.ts';
import { forgedTokens, hs256 } from './forged-tokens.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { PLANTED_OFFER } from './leaks.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { addOtherUser } from './other-user.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';
import { fastCheckSettings } from './short-form.ts';
import { readMessages } from './stored-messages.ts';
import { storedOffers } from './stored-offers.ts';

const TABLES = [
  'offers',
  'admins',
  'idempotency_keys',
  'offer_messages',
  'rate_limits',
  'offer_status_changes',
  'erasures',
  'name_changes',
  'deals',
  'users',
];
/** Functions of the database, its own and PostgreSQL's, that no client may call: none is in the contract's table. */
const FORBIDDEN: Record<string, object> = {
  is_admin: {},
  erase_offers: { ids: [NOBODY] },
  acquire_delivery: {
    kind: 'offer',
    target: 'https://hooks.example/',
    after: '-infinity',
    lease_seconds: 60,
  },
  describe_delivery: { ids: [1] },
  queue_messages: { offer_id: NOBODY, held: false, messages: [] },
  pause_messages: {},
  change_deal: { changed_offer: NOBODY, change: {} },
  run_as: { role: 'service_role', claims: '{}', statement: 'select 1', values: [] },
  pg_read_file: { filename: '/etc/passwd' },
  pg_sleep: { seconds: 1 },
};
/** Every function of the database that a client could name, with arguments. */
const FUNCTIONS: Record<string, object> = {
  ...Object.fromEntries(Object.entries(CALLS).map(([name, { sample }]) => [name, sample])),
  ...FORBIDDEN,
};
/** `deliver` is no route, the tables are in no schema that is served, and the functions need a session or the secret key. */
const OF_MESSAGES: [path: string, body: object][] = [
  ...['/functions/v1/deliver', '/rest/v1/messages', '/rest/v1/message_state', '/rest/v1/failing_servers'].map(
    (path): [string, object] => [path, {}],
  ),
  ...Object.entries(FUNCTIONS).flatMap(([name, body]): [string, object][] =>
    /message|delivery|overdue|recovery/.test(name) ? [[`/rest/v1/rpc/${name}`, body]] : [],
  ),
];

describe('the data API', () => {
  let product: AbusedProduct;
  /** Everybody who is no administrator, with their headers. */
  let outsiders: [who: string, headers: Record<string, string>][];
  let otherUsersHeaders: Record<string, string>;
  let adminsToken: string;
  let before_: Offer[];

  before(async () => {
    product = await sharedProduct();
    const { jwtSecret } = dataKeys(product.dataDir);
    // With a message, which waits: no target is set.
    const messages = [{ kind: 'offer', target: 'https://hooks.example/' }];
    const { outcome } = (await withProject({ dataDir: product.dataDir, supabase: undefined }, (project) =>
      project.call('submit_offer', {
        ...CALLS.submit_offer.sample,
        offer: PLANTED_OFFER,
        token_hash: randomUUID(),
        messages,
      }),
    )) as { outcome: string };
    assert.equal(outcome, 'stored');
    count('acknowledged');
    adminsToken = await signIn(product.port);
    const adminsId = claimsOf(adminsToken).sub;
    const bearer = (token: string) => ({ apikey: PUBLIC_KEY, authorization: `Bearer ${token}` });
    otherUsersHeaders = bearer(await addOtherUser(product.dataDir));
    const past = { ...claimsOf(adminsToken), exp: Math.floor(Date.now() / 1000) - 60 };
    outsiders = [
      ['a visitor', { apikey: PUBLIC_KEY }],
      ['a visitor as the page sends it', bearer(PUBLIC_KEY)],
      ['someone without a key', {}],
      ['someone with another key', { apikey: 'sb_secret_guess' }],
      ['an administrator’s expired token', bearer(hs256(past, jwtSecret))],
      ...Object.entries(forgedTokens(adminsId, adminsToken)).map(
        ([what, token]): [string, Record<string, string>] => [`a forged token: ${what}`, bearer(token)],
      ),
      ['a forged token as key', { apikey: forgedTokens(adminsId, adminsToken)['algorithm none'] ?? '' }],
    ];
    before_ = await storedOffers(product);
    assert.ok(before_.length > 0);
  });

  afterEach(async () => {
    const now = await storedOffers(product);
    if (JSON.stringify(now) !== JSON.stringify(before_)) count('unauthorised');
    assert.deepEqual(now, before_, 'the offers are unchanged');
  });

  /** Sends a request as another user: it must be rejected or return no row. */
  const getsNothing = async (who: string, sent: HttpRequest): Promise<HttpResponse> => {
    const what = `${who}: ${sent.method ?? 'GET'} ${sent.path}`;
    const response = await badInput(what, product.request(sent));
    const rows = response.status < 300 && !['', '[]', 'false', '[{"count":0}]'].includes(response.text);
    if (rows) count('unauthorised');
    assert.ok(!rows, `${what} got ${response.status}: ${response.text}`);
    return response;
  };
  const write = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body: object,
  ): HttpRequest => ({
    method,
    path,
    headers: { 'content-type': 'application/json', prefer: 'return=representation', ...headers },
    body: JSON.stringify(body),
  });

  test('every method on every table is rejected unless the user is an administrator', async () => {
    for (const [who, headers] of [
      ...outsiders,
      ['a signed-in user without a role', otherUsersHeaders] as const,
    ]) {
      for (const table of TABLES) {
        const path = `/rest/v1/${table}`;
        await Promise.all([
          getsNothing(who, { path, headers }),
          getsNothing(who, { method: 'HEAD', path, headers }),
          getsNothing(who, write('POST', path, headers, { ...PLANTED_OFFER, status: 'accepted' })),
          getsNothing(
            who,
            write('PUT', `${path}?id=eq.${NOBODY}`, headers, { ...PLANTED_OFFER, id: NOBODY }),
          ),
          getsNothing(who, write('PATCH', `${path}?id=not.is.null`, headers, { status: 'accepted' })),
          getsNothing(who, { method: 'DELETE', path: `${path}?id=not.is.null`, headers }),
        ]);
      }
    }
  });

  test('a request without a session gets 401', async () => {
    for (const [who, headers] of outsiders) {
      const response = await getsNothing(who, { path: '/rest/v1/offers?select=*', headers });
      assert.equal(response.status, 401, `${who}: ${response.text}`);
    }
  });

  test('every database function is rejected by GET and POST unless the user is an administrator', async () => {
    for (const [who, headers] of [
      ...outsiders,
      ['a signed-in user without a role', otherUsersHeaders] as const,
    ]) {
      for (const [name, payload] of Object.entries(FUNCTIONS)) {
        const path = `/rest/v1/rpc/${name}`;
        const query = new URLSearchParams(
          Object.entries(payload).map(([key, value]) => [key, String(value)]),
        );
        await getsNothing(who, write('POST', path, headers, payload));
        await getsNothing(who, { path: `${path}?${query}`, headers });
      }
    }
  });

  test('messages are read and sent by no visitor, no user without a role, and not with the secret key', async () => {
    const { secretKey } = dataKeys(product.dataDir);
    const stateOf = async () => ({ ...(await readMessages(product.dataDir)), wait_seconds: undefined });
    const before = await stateOf();
    assert.deepEqual([before.queued, before.sent], [1, 0]);
    for (const [who, headers] of [
      ...outsiders,
      ['a signed-in user without a role', otherUsersHeaders] as const,
      // Which is for the processes of this machine.
      ['the secret key', { apikey: secretKey }] as const,
      ['the secret key as a token', { apikey: PUBLIC_KEY, authorization: `Bearer ${secretKey}` }] as const,
    ]) {
      await mapConcurrently(OF_MESSAGES, async ([path, body]) => {
        const sent = await badInput(path, product.request(write('POST', path, headers, body)));
        const read = await badInput(path, product.request({ path, headers }));
        const isRejected = [401, 404].includes(sent.status) && read.status >= 400;
        count('messagesRead', Number(!isRejected));
        assert.ok(isRejected, `${who}: ${path} got ${sent.status} and ${read.status}`);
      });
    }
    const after = await stateOf();
    count('messagesRead', Number(JSON.stringify(after) !== JSON.stringify(before)));
    assert.deepEqual(after, before);
  });

  test('other schemas are closed to every user, administrators included', async () => {
    for (const schema of [
      'private',
      'auth',
      'embedded',
      'pg_catalog',
      'information_schema',
      'public,private',
    ]) {
      for (const table of [...TABLES, 'granted', 'pg_shadow', 'pg_authid']) {
        const profile = { 'accept-profile': schema, 'content-profile': schema };
        for (const headers of [{ apikey: PUBLIC_KEY }, otherUsersHeaders]) {
          await getsNothing(schema, { path: `/rest/v1/${table}`, headers: { ...headers, ...profile } });
        }
        if (table === 'offers') continue;
        const response = await badInput(
          `${schema}.${table}`,
          product.requestAsAdmin({ path: `/rest/v1/${table}`, headers: profile }),
        );
        assert.ok(response.status >= 400, `${schema}.${table} got ${response.status}`);
      }
    }
  });

  test('an administrator cannot change other columns, rows or statuses', async () => {
    const [offer] = before_;
    const path = `/rest/v1/offers?id=eq.${offer?.id}`;
    const bodies: unknown[] = [
      ...['sold', '', null, 1, ['accepted'], { a: 1 }, ...HOSTILE_TEXTS].map((status) => ({ status })),
      ...['id', 'domain_name', 'offer_amount', 'customer_name', 'customer_email', 'created_at'].flatMap(
        (column) => [
          { [column]: 'changed' },
          { [column]: null },
          { status: 'accepted', [column]: randomUUID() },
        ],
      ),
      { nothing: 1 },
      { 'status"; drop table offers; --': 'a' },
      {},
      [],
      null,
      'accepted',
    ];
    for (const body of bodies) {
      const response = await badInput(
        JSON.stringify(body),
        product.requestAsAdmin(write('PATCH', path, {}, body as object)),
      );
      assert.doesNotMatch(response.text, /"changed"/);
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      await badInput(
        method,
        product.requestAsAdmin(write(method, path, {}, { ...offer, status: 'accepted' })),
      );
    }
  });

  test('random queries never return rows to other users', async () => {
    const name = fc.constantFrom(
      'select',
      'order',
      'limit',
      'offset',
      'id',
      'status',
      'or',
      'and',
      'columns',
      'nope',
    );
    const operator = fc.constantFrom(
      'eq.',
      'lt.',
      'in.(',
      'is.',
      'like.*',
      'match.',
      'fts.',
      'cs.{',
      'not.',
      '(',
      '',
    );
    const text = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: 'binary', maxLength: 30 }));
    const filter = fc.tuple(name, operator, fc.oneof(text, fc.constantFrom(...HOSTILE_TEXTS)));
    const question = fc.record({
      filters: fc.array(filter, { minLength: 1, maxLength: 4 }),
      range: fc.constantFrom('', '0-9', '9-0', '-1', 'a-b', '0-99999999999999999999'),
      administrator: fc.boolean(),
    });
    await checkInBatches(question, fastCheckSettings(60, 3), async ({ filters, range, administrator }) => {
      const query = new URLSearchParams(
        filters.map(([key, how, value]) => [key, wellFormed(`${how}${value}`)]),
      );
      const sent = { path: `/rest/v1/offers?${query}`, headers: { range, prefer: 'count=exact' } };
      if (administrator) await badInput(sent.path, product.requestAsAdmin(sent));
      else await getsNothing('a visitor', { ...sent, headers: { ...sent.headers, apikey: PUBLIC_KEY } });
    });
  });

  test('queries that would block the database, or whose count reveals rows, are rejected', async () => {
    const nested = `and=${'(and'.repeat(300)}(id.is.null)${')'.repeat(300)}`;
    for (const [status, sent] of [
      [400, { path: `/rest/v1/offers?${nested}` }],
      [400, { path: '/rest/v1/offers?limit=1', headers: { prefer: 'count=planned' } }],
      [400, { path: '/rest/v1/offers?limit=1', headers: { prefer: 'tx=commit, count=estimated' } }],
    ] as const) {
      assert.equal((await product.requestAsAdmin(sent)).status, status, sent.path.slice(0, 40));
    }
  });

  test('random bodies change no row and cause no server error', async () => {
    const body = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.json({ maxDepth: 4 }),
      fc.record({ status: fc.jsonValue() }).map((one) => JSON.stringify(one)),
    );
    const sent = fc.record({ body, method: fc.constantFrom('PATCH', 'POST'), administrator: fc.boolean() });
    await checkInBatches(sent, fastCheckSettings(40, 2), async ({ body: text, method, administrator }) => {
      const request = {
        method,
        path: `/rest/v1/offers?id=eq.${NOBODY}`,
        headers: { 'content-type': 'application/json', apikey: PUBLIC_KEY },
        body: text,
      };
      if (administrator) await badInput(text, product.requestAsAdmin(request));
      else await getsNothing('a visitor', request);
    });
  });

  test('only refresh, own account and sign-out of the auth API are reachable', async () => {
    const credentials = { email: 'new@example.com', password: 'a long password', create_user: true };
    const routes = [
      ...[
        'signup',
        'otp',
        'magiclink',
        'recover',
        'resend',
        'verify',
        'invite',
        'sso',
        'factors',
        'reauthenticate',
      ],
      ...[
        'admin/users',
        'admin/generate_link',
        'token?grant_type=password',
        'token?grant_type=pkce',
        'token',
      ],
      ...[
        'token?grant_type=id_token',
        'token?grant_type=password&grant_type=refresh_token',
        'settings',
        'health',
      ],
      ...[
        'authorize?provider=google',
        'callback',
        'user/identities',
        '.well-known/jwks.json',
        'saml/acs',
        '',
      ],
    ];
    for (const [who, headers] of [
      ...outsiders,
      ['an administrator', { apikey: PUBLIC_KEY, authorization: `Bearer ${adminsToken}` }] as const,
    ]) {
      for (const route of routes) {
        const path = `/auth/v1/${route}`;
        for (const sent of [write('POST', path, headers, credentials), { path, headers }]) {
          const response = await badInput(path, product.request(sent));
          if (response.status < 400) count('unauthorised');
          assert.ok(response.status >= 400, `${who}: ${path} got ${response.status}: ${response.text}`);
        }
      }
    }
  });

  test('malformed refresh tokens and accounts are rejected', async () => {
    const headers = { apikey: PUBLIC_KEY, authorization: `Bearer ${adminsToken}` };
    for (const refresh_token of [...HOSTILE_TEXTS, '', 'a\0b', null, 1, [], {}]) {
      const path = '/auth/v1/token?grant_type=refresh_token';
      const response = await badInput(
        String(refresh_token),
        product.request(write('POST', path, headers, { refresh_token })),
      );
      assert.ok(response.status >= 400, response.text);
    }
    for (const [who, theirs] of outsiders) {
      const response = await badInput(who, product.request({ path: '/auth/v1/user', headers: theirs }));
      assert.ok(response.status >= 400, `${who}: ${response.text}`);
    }
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
      const change = write(method, '/auth/v1/user', headers, { email: 'other@example.com', password: 'x' });
      const response = await badInput(method, product.request(change));
      assert.ok(response.status >= 400, `${method}: ${response.text}`);
    }
  });
});

function claimsOf(token: string): { sub: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
}

/** Halves of surrogate pairs have no form in an address. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
