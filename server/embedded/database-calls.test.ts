/** The data API beside the responses of another one, which were recorded on the same rows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { callsOf } from '#contract/calls.ts';
import { hs256 } from '../../tests/abuse/forged-tokens.ts';
import { KEYS, openBooted } from './booted-database.fixture.ts';
import { openDatabaseCalls } from './database-calls.ts';
import type { OpenDatabase } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [OWNER, STRANGER, SESSION] = [idOf(101), idOf(102), idOf(103)];
const OFFERS = 5;
const ROWS = `
  insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com'), ('${STRANGER}', 'stranger@example.com');
  insert into auth.sessions (id, user_id) values ('${SESSION}', '${OWNER}'), ('${STRANGER}', '${STRANGER}');
  insert into private.admins (user_id, created_at) values ('${OWNER}', '2026-11-20T00:00:00Z');
  insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
  values ('${SESSION}', '${OWNER}', 'infinity', 120);
  insert into public.offers (id, domain_name, offer_amount, customer_name, customer_email, created_at, held)
  select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'lap.app', '"$1,000"', 'Ada é 😀', 'ada@example.com',
    timestamptz '2026-11-20T13:37:07.123456Z' + n / 2 * interval '1 second', n = 5
  from generate_series(1, ${OFFERS}) as n;
  insert into private.listings (name) values ('lap.app');
  insert into private.offer_messages (offer_id, message) values ('${idOf(1)}', E'Two\\nlines');
`;

/** By the name of the case. */
const RECORDED: Record<string, Answer> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'database-calls.recorded.json'), 'utf8'),
);

let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await database.sql.exec(ROWS);
});
after(() => database.close());

interface Call {
  /** A method and a path. */
  readonly call: string;
  readonly body?: unknown;
  readonly as?: 'administrator' | 'stranger' | 'visitor' | 'functions';
  readonly headers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly range?: string | null;
}

const bearer = (sub: string, session_id: string) => {
  const claims = { sub, session_id, role: 'authenticated', aud: 'authenticated', exp: 4_000_000_000 };
  return { apikey: KEYS.publishableKey, authorization: `Bearer ${hs256(claims, KEYS.jwtSecret)}` };
};
const HEADERS = {
  administrator: bearer(OWNER, SESSION),
  stranger: bearer(STRANGER, STRANGER),
  visitor: { apikey: KEYS.publishableKey },
  functions: { apikey: KEYS.secretKey, authorization: `Bearer ${KEYS.secretKey}` },
};

async function send({ call, body, as = 'administrator', headers = {} }: Call) {
  const [method = '', path = ''] = call.split(' ');
  const { fetch } = serveProject(database, KEYS, { dataDir: '' });
  const request = new Request(PROJECT_URL + path, {
    method,
    headers: {
      ...HEADERS[as],
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return await answerOf(await fetch(request));
}

/** What supabase-js reads of a response. */
async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body: unknown =
    text === '' ? '' : JSON.parse(text, (key, value) => (key === 'counted_at' ? 'now' : value));
  if (response.ok) return { status: response.status, body, range: response.headers.get('content-range') };
  const { code, message } = body as { code: string; message: string };
  // The messages of PostgREST itself name what was sent.
  return { status: response.status, body: { code, ...(!code.startsWith('PGRST') && { message }) } };
}

const READ = 'GET /rest/v1/offers';
const CHANGE = 'PATCH /rest/v1/offers';
const RPC = 'POST /rest/v1/rpc/';
const AT = '2026-11-20T13:37:08.123456+00:00';
const KEY = new URLSearchParams({
  or: `(created_at.lt."${AT}",and(created_at.eq."${AT}",id.lte."${idOf(2)}"))`,
});
const REPRESENTATION = { prefer: 'return=representation' };

const CASES: Record<string, Call> = {
  'all offers, newest first': { call: `${READ}?select=*&order=created_at.desc` },
  'a page from its key': {
    call: `${READ}?select=*&held=is.false&low=is.false&${KEY}&order=created_at.desc,id.desc&limit=2`,
  },
  'one offer': { call: `${READ}?select=*&id=eq.${idOf(3)}&limit=1` },
  'no such offer': { call: `${READ}?id=eq.${idOf(99)}` },
  'two columns in pages': { call: `${READ}?select=id,status&order=id.asc&limit=1000&offset=2` },
  'held offers': { call: `${READ}?select=id&held=eq.true` },
  'no rows by a limit of 0': { call: `${READ}?select=id&limit=0` },
  'offers after the first three': { call: `${READ}?select=id&order=id.asc&limit=10&offset=3` },
  'a page with the number of all': {
    call: `${READ}?select=id&order=id.asc&limit=2&offset=1&held=is.false`,
    headers: { prefer: 'count=exact' },
  },
  'no row with the number of all': { call: `${READ}?select=*&limit=0`, headers: { prefer: 'count=exact' } },
  'a page behind the last, with the number of all': {
    call: `${READ}?select=id&offset=9`,
    headers: { prefer: 'count=exact' },
  },
  'offers for a stranger': { call: READ, as: 'stranger' },
  'offers for a visitor': { call: READ, as: 'visitor' },
  'a status': {
    call: `${CHANGE}?id=eq.${idOf(1)}&status=eq.pending&select=id`,
    body: { status: 'accepted' },
    headers: REPRESENTATION,
  },
  'a status that another administrator changed': {
    call: `${CHANGE}?id=eq.${idOf(1)}&status=eq.pending&select=id`,
    body: { status: 'rejected' },
    headers: REPRESENTATION,
  },
  'a status without the row': { call: `${CHANGE}?id=eq.${idOf(2)}`, body: { status: 'rejected' } },
  'a status by a stranger': {
    call: `${CHANGE}?id=eq.${idOf(3)}`,
    body: { status: 'rejected' },
    headers: REPRESENTATION,
    as: 'stranger',
  },
  'a status by a visitor': {
    call: `${CHANGE}?id=eq.${idOf(3)}`,
    body: { status: 'rejected' },
    as: 'visitor',
  },
  'a function with a filter': { call: `${RPC}find_offers`, body: { filter: { term: 'ada' }, page_size: 2 } },
  'a function with a list': { call: `${RPC}message_lines`, body: { offer_ids: [idOf(1), idOf(2)] } },
  'a function with a time': { call: `${RPC}new_offers`, body: { since: AT } },
  'a function that raises': { call: `${RPC}find_offers`, body: { filter: { term: 'a' } } },
  'a value of another type': { call: `${RPC}offer_history`, body: { offer_id: 'none' } },
  'a text with NUL': { call: `${RPC}find_offers`, body: { filter: { term: 'abc\0' } } },
  'a function that is for administrators, for a visitor': {
    call: `${RPC}offer_counts`,
    body: {},
    as: 'visitor',
  },
  'a function for a session that has ended': { call: `${RPC}offer_counts`, body: {}, as: 'stranger' },
  'a body that is no JSON': { call: `${RPC}offer_counts`, body: '{' },
  'a function with an unknown argument': {
    call: `${RPC}offer_history`,
    body: { offer_id: idOf(1), all: true },
  },
  'a function without its argument': { call: `${RPC}offer_history`, body: {} },
  'a function that returns nothing': { call: `${RPC}remove_expired`, body: {}, as: 'functions' },
  'a function that returns null': { call: `${RPC}read_listings`, body: {}, as: 'functions' },
  'a function that returns a number': { call: `${RPC}count_offers`, body: {}, as: 'functions' },
  'a function that rejects a value': {
    call: `${RPC}submit_offer`,
    body: {
      offer: { domain_name: 'lap.app', offer_amount: '', customer_name: 'secret', customer_email: 'a@b' },
      ...{ token_hash: 'a', payload_hash: 'b', limits: {} },
    },
    as: 'functions',
  },
  ...Object.fromEntries(
    callsOf('administrator').flatMap(({ name, sample, byFunction }) =>
      byFunction ? [] : [[`the sample of ${name}`, { call: RPC + name, body: sample }]],
    ),
  ),
  ...Object.fromEntries(
    callsOf('service').map(({ name, sample }) => [
      `the sample of ${name}`,
      {
        call: RPC + name,
        body: sample,
        as: 'functions' as const,
      },
    ]),
  ),
};

for (const [name, call] of Object.entries(CASES)) {
  test(`${name}: status, body and range are the recorded ones`, async () => {
    assert.deepEqual(await send(call), RECORDED[name]);
  });
}

test('a request that chooses a range, a schema or an unknown preference is rejected', async () => {
  for (const headers of [
    { range: '0-1' },
    { 'accept-profile': 'private' },
    { 'content-profile': 'private' },
    { prefer: 'count=planned' },
    { prefer: 'return=representation, tx=commit' },
    { accept: 'text/csv' },
  ] as Record<string, string>[]) {
    for (const call of [{ call: READ }, { call: `${RPC}offer_counts`, body: {} }]) {
      const { status, body } = await send({ ...call, headers });
      assert.deepEqual([status, body], [400, { code: 'PGRST122' }], JSON.stringify(headers));
    }
  }
});

test('a query or a change outside the grammar is rejected', async () => {
  for (const [call, body] of [
    [`${READ}?customer_email=eq.ada@example.com`],
    [`${READ}?select=password`],
    [`${READ}?order=private.admins`],
    [CHANGE, { status: 'accepted' }],
    [`${CHANGE}?id=gt.${idOf(1)}`, { status: 'accepted' }],
    [`${CHANGE}?id=eq.${idOf(1)}`, { status: 'sold' }],
    [`${CHANGE}?id=eq.${idOf(1)}`, { status: 'accepted', customer_name: 'x' }],
  ] as const) {
    assert.deepEqual(await send({ call, body }), { status: 400, body: { code: 'PGRST100' } }, call);
  }
});

test('role and claims end with each call, also with one that fails', async () => {
  const counts = { call: `${RPC}offer_counts`, body: {} };
  for (const as of ['administrator', 'stranger', 'visitor'] as const) {
    await send({ ...counts, as });
    const { rows } = await database.sql.query(
      `select current_user as role, current_setting('request.jwt.claims', true) as claims, auth.uid() as user`,
    );
    assert.deepEqual(rows, [{ role: 'postgres', claims: '', user: null }], as);
  }
});

test('a database in which another version runs calls by a function of another form opens, without its grants', async () => {
  const { sql } = database;
  await sql.exec(`
    drop function embedded.run_as;
    create function embedded.run_as(role text, claims text, statement text, given json) returns text language sql as 'select 1';
    grant execute on function embedded.run_as to anon;
  `);
  await openDatabaseCalls(sql);
  const { status } = await send({ call: READ });
  assert.equal(status, 200);
  const { rows } = await sql.query(
    `select count(*)::integer as roles, bool_or(has_function_privilege(rolname, p.oid, 'execute')) as open
     from pg_proc p, pg_roles
     where pronamespace = 'embedded'::regnamespace and rolname in ('anon', 'authenticated', 'service_role')`,
  );
  assert.deepEqual(rows, [{ roles: 9, open: false }], 'of each of our functions, for each role');
});

test('each SQLSTATE has the status that PostgREST documents, and no detail', async (t) => {
  const raising = await openBooted();
  t.after(() => raising.close());
  await raising.sql.exec(`
    create or replace function public.remove_factor(user_id uuid) returns boolean language plpgsql as $$
    begin
      raise exception 'raised' using errcode = current_setting('test.code'), hint = 'secret', detail = 'secret';
    end $$`);
  const statuses = {
    ...{ '08006': 503, '09000': 500, '0L000': 403, '0P000': 403, '23503': 409, '23505': 409, '23514': 400 },
    ...{ '22P02': 400, '25006': 405, '25001': 500, '28000': 403, '2D000': 500, '38000': 500, '39000': 500 },
    ...{ '3B000': 500, '40001': 500, '53400': 500, '53100': 503, '54000': 500, '55000': 500, '57014': 500 },
    ...{ '57P01': 503, '58000': 500, F0000: 500, HV000: 500, P0001: 400, P0002: 500, XX000: 500 },
    ...{ '42883': 404, '42P01': 404, '42P17': 500, '42501': 403, '21000': 500, PT418: 418, PT999: 500 },
    ...{ '42601': 400 },
  };
  for (const [code, status] of Object.entries(statuses)) {
    await raising.sql.exec(`set test.code = '${code}'`);
    const { fetch } = serveProject(raising, KEYS, { dataDir: '' });
    const response = await fetch(`${PROJECT_URL}/rest/v1/rpc/remove_factor`, {
      method: 'POST',
      headers: HEADERS.functions,
      body: JSON.stringify({ user_id: OWNER }),
    });
    assert.deepEqual([response.status, await response.json()], [status, { code, message: 'raised' }]);
  }
});
