/** What the data API of the embedded project rejects by itself; supabase/tests/postgrest.test.ts has the rest, beside PostgREST. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hs256 } from '../../tests/abuse/forged-tokens.ts';
import { KEYS, openBooted } from './booted-database.fixture.ts';
import { openDatabaseCalls } from './database-calls.ts';
import type { OpenDatabase } from './open-database.ts';
import { PROJECT_URL } from './project-options.ts';
import { serveProject } from './serve-project.ts';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const [OWNER, STRANGER, SESSION] = [idOf(101), idOf(102), idOf(103)];
const ROWS = `
  insert into auth.users (id, email) values ('${OWNER}', 'owner@example.com'), ('${STRANGER}', 'stranger@example.com');
  insert into auth.sessions (id, user_id) values ('${SESSION}', '${OWNER}'), ('${STRANGER}', '${STRANGER}');
  insert into private.admins (user_id) values ('${OWNER}');
  insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
  values ('${SESSION}', '${OWNER}', 'infinity', 120);
`;

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

/** Returns status and code. */
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
  const response = await fetch(request);
  const { code } = await response.json();
  return [response.status, code];
}

const READ = 'GET /rest/v1/offers';
const CHANGE = 'PATCH /rest/v1/offers';
const RPC = 'POST /rest/v1/rpc/';

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
      assert.deepEqual(await send({ ...call, headers }), [400, 'PGRST122'], JSON.stringify(headers));
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
    assert.deepEqual(await send({ call, body }), [400, 'PGRST100'], call);
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
  const [status] = await send({ call: READ });
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
