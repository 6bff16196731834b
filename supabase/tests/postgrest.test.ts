/**
 * The data API of the embedded project beside PostgREST, which serves it on a hosted one: the same requests to both in the same
 * order, on databases with the same rows. Status, result, range, code and message are compared. Codes of tokens, hints and
 * headers are not: later versions changed them (tests/support/postgrest.ts).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CALLS, type Call } from '#contract/calls.ts';
import { KEYS, openBooted } from '../../server/embedded/booted-database.fixture.ts';
import { PROJECT_URL } from '../../server/embedded/project-options.ts';
import { serveProject } from '../../server/embedded/serve-project.ts';
import { hs256 } from '../../tests/abuse/forged-tokens.ts';
import fc from '../../tests/support/fast-check.ts';
import { NO_POSTGREST, startPostgrest } from '../../tests/support/postgrest.ts';
import { type RandomRequest, REACHING, randomRequest } from '../../tests/support/random-requests.ts';
import { ADMINISTRATOR, OWNER, STRANGER, signedIn } from './cast.ts';
import { openPostgres, type Row } from './engines.ts';
import { newPostgresDatabase } from './postgres.ts';

const RUNS = 400;

/** Of the administrator; its time is over. */
const ENDED = signedIn(ADMINISTRATOR.userId);
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const ROWS = `
  insert into auth.users (id, email) values
    ('${ADMINISTRATOR.userId}', 'owner@example.com'), ('${STRANGER.userId}', 'stranger@example.com');
  insert into auth.sessions (id, user_id) values
    ${[ADMINISTRATOR, STRANGER, ENDED].map(({ sessionId, userId }) => `('${sessionId}', '${userId}')`).join(', ')};
  insert into private.admins (user_id, created_at) values ('${ADMINISTRATOR.userId}', '2026-11-20T00:00:00Z');
  insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes) values
    ('${ADMINISTRATOR.sessionId}', '${ADMINISTRATOR.userId}', 'infinity', 120),
    ('${ENDED.sessionId}', '${ENDED.userId}', now(), 120);
  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, created_at, held)
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'lap.app', '"$1,000"', 'Ada é 😀', 'ada@example.com',
    timestamptz '2026-11-20T13:37:07.123456Z' + n / 2 * interval '1 second', n = 5
  from generate_series(1, 5) as n;
  insert into private.listings (name) values ('lap.app');
  insert into private.offer_messages (offer_id, message) values ('${idOf(1)}', E'Two\\nlines');
`;

const tokenOf = (claims: object) => {
  const always = { aud: 'authenticated', role: 'authenticated', exp: 4_000_000_000 };
  return `Bearer ${hs256({ ...claims, ...always }, KEYS.jwtSecret)}`;
};
const sessionOf = ({ userId, sessionId }: typeof ADMINISTRATOR, apikey = KEYS.publishableKey) => ({
  apikey,
  authorization: tokenOf({ sub: userId, session_id: sessionId }),
});
const CALLERS = {
  'no key': {},
  visitor: { apikey: KEYS.publishableKey },
  stranger: sessionOf(STRANGER),
  administrator: sessionOf(ADMINISTRATOR),
  'ended session': sessionOf(ENDED),
  service: { apikey: KEYS.secretKey, authorization: `Bearer ${KEYS.secretKey}` },
  'function for an administrator': sessionOf(ADMINISTRATOR, KEYS.secretKey),
} satisfies Record<string, Record<string, string>>;
type CallerName = keyof typeof CALLERS;
const CALLER_NAMES = Object.keys(CALLERS) as CallerName[];

interface Sent {
  readonly method: string;
  /** Below `/rest/v1`. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  /** Of an error; empty where none of the data API's. */
  readonly code?: string;
  readonly message?: string;
  readonly body?: unknown;
  readonly range?: string | null;
}

/** Forms of requests to which the two respond differently on purpose, and what this project sends. */
const DIFFERENCES: { reason: string; forms: Partial<Sent>[]; ours: Answer }[] = [
  {
    reason: 'no client sends these headers, and none is to choose a schema, a range or a format',
    forms: [
      ...['count=planned', 'params=single-object', 'tx=rollback', 'nope=1'].map((prefer) => ({
        headers: { prefer },
      })),
      { headers: { range: '0-0' } },
      { headers: { 'accept-profile': 'private' } },
      { headers: { 'content-profile': 'private' } },
      { headers: { accept: 'text/csv' } },
      { headers: { accept: 'application/vnd.pgrst.object+json' } },
    ],
    ours: { status: 400, code: 'PGRST122' },
  },
  {
    reason:
      'no client sends another body than an object: an array calls by its first object there, a text without arguments',
    forms: [{ body: '[{}]' }, { body: '[{},{}]' }, { body: '"x"' }],
    ours: { status: 404, code: 'PGRST202' },
  },
  {
    reason: 'each client sends a body: without one a function is called without arguments there',
    forms: [{ body: '' }],
    ours: { status: 400, code: 'PGRST102' },
  },
  {
    reason:
      'functions are called by POST alone: others can be read by GET there, and OPTIONS is of the gateway',
    forms: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method })),
    ours: { status: 404, code: '' },
  },
];
/** Of these the code alone differs: PostgREST reads a body before PostgreSQL does. */
const HALF_A_CHARACTER = String.raw`"\ud800"`;

/** Values of wrong types for most arguments; JSON takes all. */
const VALUES = [
  '"none"',
  '1e+40',
  '9007199254740993',
  'null',
  '{}',
  '["none"]',
  String.raw`"a\u0000"`,
  HALF_A_CHARACTER,
];

/** A sample and its wrong forms. */
function formsOf(name: string, sample: Call['sample']): Sent[] {
  const entries = Object.entries(sample).map(([key, value]) => [key, JSON.stringify(value)] as const);
  const jsonOf = (fields: readonly (readonly [string, string])[]) =>
    `{${fields.map(([key, value]) => `"${key}":${value}`).join(',')}}`;
  const bodies = [
    jsonOf(entries),
    jsonOf([...entries, ['nope', '1']]),
    ...['{', '[]', '3', 'null', ' '],
    ...entries.flatMap(([key]) => [
      jsonOf(entries.filter(([other]) => other !== key)),
      ...VALUES.map((value) => jsonOf(entries.map((one) => (one[0] === key ? [key, value] : one)))),
    ]),
  ];
  return bodies.map((body) => ({ method: 'POST', path: `rpc/${name}`, body }));
}

/** The only argument of calls that has the type JSON: PostgREST before 14.2 takes any body for it (#4553). */
const ONLY_JSON: Readonly<Record<string, string>> = {
  'rpc/begin_sign_in': 'limits',
  'rpc/store_amounts': 'amounts',
};
function takesAnyBody({ path, body = '' }: Pick<Sent, 'path' | 'body'>): boolean {
  const argument = ONLY_JSON[path];
  return argument !== undefined && !new RegExp(`^\\{"${argument}":[^:]*\\}$|^[{ ]$`).test(body);
}

function opensRoute({ who, byFunction }: Call, as: CallerName): boolean {
  const isSecret = as === 'service' || as === 'function for an administrator';
  return isSecret === (who === 'service' || byFunction === true);
}

const READ = { method: 'GET', path: 'offers' };
const CHANGE = { method: 'PATCH', path: 'offers' };
const AT = '2026-11-20T13:37:08.123456+00:00';
const KEY = new URLSearchParams({
  or: `(created_at.lt."${AT}",and(created_at.eq."${AT}",id.lte."${idOf(2)}"))`,
});
const COUNTED = { headers: { prefer: 'count=exact' } };
const accepted = { body: '{"status":"accepted"}' };
const rejected = { body: '{"status":"rejected"}' };
const RETURNED = { headers: { prefer: 'return=representation' } };
const OFFERS: Record<string, Sent> = {
  'all offers': READ,
  'all offers, newest first': { ...READ, path: 'offers?select=*&order=created_at.desc,id.desc' },
  'a page from its key': {
    ...READ,
    path: `offers?select=*&held=is.false&low=is.false&${KEY}&order=created_at.desc,id.desc&limit=2`,
  },
  'one offer': { ...READ, path: `offers?select=*&id=eq.${idOf(3)}&limit=1` },
  'no such offer': { ...READ, path: `offers?id=eq.${idOf(99)}` },
  'two columns in pages': { ...READ, path: 'offers?select=id,status&order=id.asc&limit=1000&offset=2' },
  'held offers': { ...READ, path: 'offers?select=id&held=eq.true' },
  'no rows by a limit of 0': { ...READ, path: 'offers?select=id&limit=0' },
  'a page with the number of all': {
    ...READ,
    ...COUNTED,
    path: 'offers?select=id&order=id.asc&limit=2&offset=1&held=is.false',
  },
  'no row with the number of all': { ...READ, ...COUNTED, path: 'offers?select=*&limit=0' },
  'a page behind the last, with the number of all': {
    ...READ,
    ...COUNTED,
    path: 'offers?select=id&offset=9',
  },
  'the last row and no more': { ...READ, ...COUNTED, path: 'offers?select=id&order=id&offset=4&limit=9' },
  'a status': {
    ...CHANGE,
    ...accepted,
    ...RETURNED,
    path: `offers?id=eq.${idOf(1)}&status=eq.pending&select=id`,
  },
  'a status that another administrator changed': {
    ...CHANGE,
    ...rejected,
    ...RETURNED,
    path: `offers?id=eq.${idOf(1)}&status=eq.pending&select=id`,
  },
  'a status without the row': { ...CHANGE, ...rejected, path: `offers?id=eq.${idOf(2)}` },
  'a status with the row and all columns': {
    ...CHANGE,
    ...rejected,
    ...RETURNED,
    path: `offers?id=eq.${idOf(3)}`,
  },
  'a status with the number of rows': {
    ...CHANGE,
    ...accepted,
    headers: { prefer: 'return=minimal, count=exact' },
    path: `offers?id=eq.${idOf(2)}`,
  },
  'the status of no offer': { ...CHANGE, ...accepted, ...RETURNED, path: `offers?id=eq.${idOf(99)}` },
  'a status that is no JSON': { ...CHANGE, body: '{', path: `offers?id=eq.${idOf(1)}` },
  'the history of a change': {
    method: 'POST',
    path: 'rpc/offer_history',
    body: JSON.stringify({ offer_id: idOf(1) }),
  },
};

describe('the data API beside PostgREST', { skip: NO_POSTGREST }, () => {
  let ours: (request: Request) => Promise<Response>;
  let theirs: (request: Request) => Promise<Response>;
  /** Runs a statement on both, as the owner. */
  let onBoth: (statement: string) => Promise<Row[][]>;
  /** Deals have times and references of their own on each side. */
  let restoreStatuses: () => Promise<void>;
  const closing: (() => Promise<unknown>)[] = [];
  before(async () => {
    const database = await openBooted();
    closing.push(database.close);
    await database.sql.exec(ROWS);
    ours = serveProject(database, KEYS, { dataDir: '', print: () => {} }).fetch;
    const connection = await newPostgresDatabase();
    const engine = await openPostgres(connection);
    closing.push(engine.close);
    await engine.maintain(ROWS);
    const postgrest = await startPostgrest(connection, KEYS);
    closing.unshift(postgrest.stop);
    theirs = postgrest.fetch;
    restoreStatuses = async () => {
      const statements = `set session_replication_role = replica;
        truncate private.deals, private.offer_moves, private.offer_status_changes;
        update public.offers set status = 'pending';
        set session_replication_role = default`;
      await database.sql.exec(statements);
      await engine.maintain(statements);
    };
    onBoth = async (statement) => [
      (await database.sql.query<Row>(statement)).rows,
      await engine.as(OWNER, statement),
    ];
  });
  after(async () => {
    for (const close of closing) await close();
  });

  async function send(
    { method, path, body, headers }: Sent,
    caller: Record<string, string>,
  ): Promise<[ours: Answer, theirs: Answer]> {
    const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
    const request = () =>
      new Request(`${PROJECT_URL}/rest/v1/${path}`, {
        method,
        headers: { ...caller, ...(hasBody && { 'content-type': 'application/json' }), ...headers },
        ...(hasBody && { body }),
      });
    return [await answerOf(await ours(request())), await answerOf(await theirs(request()))];
  }

  async function assertSame(sent: Sent, as: CallerName): Promise<Answer> {
    const [one, other] = await send(sent, CALLERS[as]);
    const title = `${as}: ${JSON.stringify(sent)}`;
    if (takesAnyBody(sent)) {
      assert.deepEqual([one.status, one.code], [404, 'PGRST202'], title);
    } else if (sent.body?.includes(HALF_A_CHARACTER) && other.code === 'PGRST102') {
      assert.match(`${one.status} ${one.code}`, /^400 22P0[25]$|^40[13] 42501$/, title);
    } else {
      assert.deepEqual(one, other, title);
    }
    return other;
  }

  async function assertSameRows(): Promise<void> {
    const [here, there] = await onBoth(STATE);
    assert.deepEqual(here, there);
  }

  test('each call, its wrong forms and its rights are the same', async () => {
    for (const [name, call] of Object.entries<Call>(CALLS)) {
      const [sample, ...wrong] = formsOf(name, call.sample) as [Sent, ...Sent[]];
      for (const as of CALLER_NAMES) {
        const title = `${name} for ${as}`;
        if (as === 'no key' || opensRoute(call, as)) {
          const { code, body } = await assertSame(sample, as);
          const mayCall = as === 'service' || as.includes('administrator');
          if (!mayCall) assert.match(`${code ?? body}`, /^(?:|42501|PT401|false)$/, title);
          // Those of the other callers tell no more.
          const isTold =
            as === 'visitor' || as === 'service' || (as.includes('administrator') && call.who !== 'service');
          for (const form of isTold ? wrong : []) await assertSame(form, as);
        } else {
          // A key opens the routes of its callers alone, the grants decide there.
          const [one, other] = await send(sample, CALLERS[as]);
          assert.deepEqual(one, { status: 404, code: '' }, title);
          if (!(as.includes('administrator') && call.who === 'administrator')) {
            assert.match(`${other.code}`, /^(?:42501|PT401)$/, title);
          }
        }
      }
    }
    await assertSameRows();
  });

  test('reads of offers and changes of a status are the same', async () => {
    for (const sent of Object.values(OFFERS)) {
      for (const as of ['no key', 'visitor', 'stranger', 'ended session', 'administrator'] as const) {
        await assertSame(sent, as);
      }
    }
    await assertSameRows();
    await restoreStatuses();
  });

  test('each SQLSTATE has the same status, except those that a later version changed', async () => {
    const [, [found] = []] = await onBoth(DEFINITION);
    await onBoth(RAISES);
    for (const state of SQLSTATES) {
      const body = JSON.stringify({ server: state });
      const [one, other] = await send(
        { method: 'POST', path: 'rpc/mark_recovery_reported', body },
        CALLERS.service,
      );
      assert.deepEqual({ ...one, status: BEFORE_12_2[state] ?? one.status }, other, state);
    }
    await onBoth(`${found?.definition}`);
  });

  for (const { reason, forms, ours: wanted } of DIFFERENCES) {
    test(`another response: ${reason}`, async () => {
      for (const form of forms) {
        const sent = { method: 'POST', path: 'rpc/offer_counts', body: '{}', ...form };
        const [one, other] = await send(sent, CALLERS.administrator);
        assert.deepEqual(one, wanted, JSON.stringify(form));
        assert.notDeepEqual(other, wanted, JSON.stringify(form));
      }
    });
  }

  test('random requests have the same response, or are outside of what is served here', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(randomRequest, async ({ sent, role, claims, key }: RandomRequest) => {
        const { body, ...rest } = sent;
        const request = { ...rest, ...(body && { body: JSON.stringify(body) }) };
        if (takesAnyBody(request)) return;
        const apikey = key === 'public' ? KEYS.publishableKey : KEYS.secretKey;
        const caller = { apikey, ...(role === 'authenticated' && { authorization: tokenOf(claims) }) };
        const [one, other] = await send(request, caller);
        const isServed = one.code !== '' && one.code !== 'PGRST100';
        // A subject with a colon has to be a URI there. Tokens are not judged, and ours have ids.
        if (!isServed || other.code?.startsWith('PGRST30')) return;
        statuses.add(one.status);
        assert.deepEqual(one, other);
      }),
      { numRuns: RUNS, examples: REACHING.map((one) => [one]) },
    );
    for (const status of [200, 401, 403]) assert.ok(statuses.has(status), [...statuses].join());
    await assertSameRows();
  });
});

const DEFINITION = `select pg_get_functiondef('public.mark_recovery_reported(text)'::regprocedure) as definition`;
const RAISES = `create or replace function public.mark_recovery_reported(server text) returns void language plpgsql as $$
  begin
    raise exception 'raised' using errcode = server, hint = 'a hint', detail = 'a detail';
  end $$`;
/** Without 40001, on which versions before 16 try the transaction again without end (#3673). */
const SQLSTATES = [
  ...[
    '08006',
    '09000',
    '0L000',
    '0P000',
    '21000',
    '22P02',
    '23503',
    '23505',
    '23514',
    '25001',
    '25006',
    '28000',
    '2D000',
  ],
  ...[
    '38000',
    '39000',
    '3B000',
    '42501',
    '42601',
    '42883',
    '42P01',
    '42P17',
    '53100',
    '53400',
    '54000',
    '55000',
  ],
  ...['57014', '57P01', '58000', 'F0000', 'HV000', 'P0001', 'P0002', 'PT401', 'PT418', 'XX000'],
];
/** Their statuses in 12.0.2; all are 500 now. */
const BEFORE_12_2: Readonly<Record<string, number>> = {
  '21000': 400,
  '42P17': 400,
  '53400': 503,
  '54000': 413,
};

/** What the requests leave. */
const STATE = `
  select to_jsonb(o) as row from public.offers o
  union all select to_jsonb(c) - 'changed_at' from private.offer_status_changes c
  union all select jsonb_build_object('deletions', count(*)) from private.erased_offers
  union all select jsonb_build_object('listing', l.name) from private.listings l
  order by 1`;

/** What supabase-js reads of a response. */
async function answerOf(response: Response): Promise<Answer> {
  const { status } = response;
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  const body: unknown = isJson ? JSON.parse(text, withoutClock) : text;
  if (response.ok) return { status, body, range: response.headers.get('content-range') };
  const { code = '', message = '' } = Object(body) as { code?: string; message?: string };
  // The messages of PostgREST itself name what was sent.
  return { status, code, ...(!/^PGRST|^$/.test(code) && { message }) };
}

/** The two are called one after the other. */
function withoutClock(key: string, value: unknown): unknown {
  return ['counted_at', 'changed_at', 'wait_seconds'].includes(key) ? 'now' : value;
}
