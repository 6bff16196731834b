import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { callAuth, makeAdministrator, openBooted } from './booted-database.fixture.ts';
import { makeCleanCopy, withArchive } from './clean-copy.ts';
import { control } from './control.ts';
import type { OpenDatabase } from './open-database.ts';
import type { DuringMaintenance } from './project-options.ts';

const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

const folder = mkdtempSync(join(tmpdir(), 'clean-copy-'));
let database: OpenDatabase;
before(async () => {
  database = await openBooted();
  await makeAdministrator(database, OWNER);
});
after(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a panic of PostgreSQL on a full disk ends a copy, and no further message is sent to it', async (t) => {
  const execute = PGlite.prototype.execProtocolStream;
  const archive = await database.sql.dumpDataDir('none');
  let panicked: PGlite | undefined;
  let later = 0;
  t.mock.method(
    PGlite.prototype,
    'execProtocolStream',
    function (this: PGlite, ...args: Parameters<typeof execute>) {
      if (panicked) later += 1;
      if (!Buffer.from(args[0]).includes('vacuum full')) return execute.apply(this, args);
      panicked = this;
      return Promise.reject(Object.assign(new Error('could not write'), { severity: 'PANIC' }));
    },
  );
  const close = t.mock.method(PGlite.prototype, 'close');
  await assert.rejects(makeCleanCopy(archive, mkdtempSync(join(folder, 'panic-'))), /could not write/);
  assert.deepEqual([later, close.mock.callCount()], [0, 0]);
  // Not really panicked: otherwise this process would not end.
  await panicked?.close();
});

test('a backup holds every offer, and no session or refresh token that ever existed', async () => {
  const ended = await signIn();
  const rotated = [ended, ...(await rotate(ended, 3))];
  await auth('logout?scope=local', {}, rotated.at(-1)?.access_token);
  const insert = (from: number, to: number) =>
    database.sql.exec(`
      insert into public.offers (domain_name, offer_amount, customer_name, customer_email)
      select 'lap.app', n::text, 'Ada', 'customer' || n || '@example.com' from generate_series(${from}, ${to}) as n`);
  // So few that the planner's samples hold each email.
  await insert(1, 100);
  await database.sql.exec('analyze public.offers');
  // Written over one another, and moved on to a further segment of the log.
  await insert(101, 2_000);
  await database.sql.exec('select pg_switch_wal()');
  const open = await signIn();
  const all = [...rotated, open, ...(await rotate(open, 2))];
  await database.sql.exec("select public.erase_customer('customer77@example.com')");

  const ids = new Set(all.map(({ access_token }) => sessionOf(access_token)));
  assert.equal(ids.size, 2);
  for (const id of ids) {
    await database.sql.query(
      `insert into private.admin_sessions (session_id, user_id, ends_at, idle_minutes)
       select $1, id, now() + interval '1 hour', 120 from auth.users`,
      [id],
    );
  }
  const secrets = [
    ...all.map(({ refresh_token }) => Buffer.from(refresh_token)),
    ...[...ids].flatMap((id) => [Buffer.from(id), Buffer.from(id.replaceAll('-', ''), 'hex')]),
  ];
  const found = (bytes: Buffer) => secrets.filter((secret) => bytes.includes(secret)).length;

  const dumped = await backup();
  const raw = await dumped.blob();
  assert.equal(found(Buffer.from(await raw.arrayBuffer())), secrets.length, 'the database itself holds all');

  const { archive, offers } = await makeCleanCopy(raw, mkdtempSync(join(folder, 'place-')));
  const bytes = gunzipSync(await archive.arrayBuffer());
  assert.equal(found(bytes), 0);
  assert.equal(bytes.includes('customer77@example.com'), false, 'an erased customer');
  assert.ok(bytes.includes('customer78@example.com'));
  assert.equal(offers, 1_999);

  // Samples may be compressed, so that their bytes do not show them.
  const sampled = `select from pg_stats
    where concat(histogram_bounds, most_common_vals) like '%customer77@example.com%'`;
  assert.notEqual((await database.sql.query(sampled)).rows.length, 0);
  await withArchive(archive, join(folder, 'restored'), async (restored) => {
    const { rows } = await restored.query('select count(*)::integer as count from public.offers');
    assert.deepEqual(rows, [{ count: 1_999 }]);
    assert.equal((await restored.query(sampled)).rows.length, 0);
  });
});

interface Tokens {
  access_token: string;
  refresh_token: string;
}

function signIn(): Promise<Tokens> {
  return auth('token?grant_type=password', OWNER);
}

/** Refreshes a session so many times. */
async function rotate({ refresh_token }: Tokens, times: number): Promise<Tokens[]> {
  const tokens: Tokens[] = [];
  for (let time = 0; time < times; time += 1) {
    const last: string = tokens.at(-1)?.refresh_token ?? refresh_token;
    tokens.push(await auth('token?grant_type=refresh_token', { refresh_token: last }));
  }
  return tokens;
}

async function auth(path: string, body: object, accessToken?: string): Promise<Tokens> {
  const response = await callAuth(database, path, body, accessToken);
  assert.ok(response.ok, path);
  return response.status === 204 ? ({} as Tokens) : ((await response.json()) as Tokens);
}

function sessionOf(accessToken: string): string {
  return JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).session_id;
}

async function backup(): Promise<Response> {
  const url = new URL('http://embedded/control/backup');
  const duringMaintenance: DuringMaintenance = (work) => work();
  const context = { dataDir: '', database, duringMaintenance, onFailure: assert.fail };
  return await control(new Request(url), url, context);
}
