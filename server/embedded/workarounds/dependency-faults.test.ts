/**
 * The faults for which the files of this folder exist, shown in the dependencies as they are. A test that fails after
 * an update means: the fault is gone, remove the workaround that the title names.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import type { PGlite } from '@electric-sql/pglite';
import { type Lite, openLite } from '../../../tests/support/lite.ts';
import { KEYS } from '../booted-database.fixture.ts';

const USER = { email: 'owner@example.com', password: 'correct horse battery' };

let lite: Lite;
let sql: PGlite;
before(async () => {
  lite = await openLite();
  sql = lite.sql;
});
after(() => lite.close());

test('sync-files.ts: the database neither syncs its files nor has a function for it', async () => {
  assert.deepEqual((await sql.query('show fsync')).rows, [{ fsync: 'off' }]);
  const { Module } = sql as unknown as {
    Module: { FS: { filesystems: { NODEFS: { stream_ops: { fsync?: unknown } } } } };
  };
  assert.equal(Module.FS.filesystems.NODEFS.stream_ops.fsync, undefined);
});

test('clean-logs.ts: a failed statement is logged with the values of a request', async (t) => {
  const logged = silence(t);
  await sql.exec('alter table auth.users rename to away');
  t.after(() => sql.exec('alter table auth.away rename to users'));
  await send('POST /auth/v1/token?grant_type=password', USER);
  assert.match(inspect(logged(), { depth: 9 }), /owner@example\.com/);
});

test('constant-time-sign-in.ts: a password for an unknown email costs a fraction of one for a known email', async () => {
  assert.ok((await send('POST /auth/v1/signup', USER)).ok);
  /** Processor time of this process, in microseconds: the least of three, since it collects garbage too. */
  const costOf = async (email: string) => {
    const costs: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const begin = process.cpuUsage();
      const { status } = await send('POST /auth/v1/token?grant_type=password', { email, password: 'wrong' });
      assert.equal(status, 400);
      const { user, system } = process.cpuUsage(begin);
      costs.push(user + system);
    }
    return Math.min(...costs);
  };
  const [known, unknown] = [await costOf(USER.email), await costOf('unknown@example.com')];
  assert.ok(unknown < known / 3, `${unknown} µs against ${known} µs`);
});

test('fail-after-panic.ts: PGlite calls a server that has ended again and again', async (t) => {
  // PGlite sets it when its server ends.
  const { exitCode } = process;
  t.after(() => {
    process.exitCode = exitCode;
  });
  const LONGJMP = 100;
  const MOST = 1_000;
  const server = (sql as unknown as { Module: Record<string, () => void> }).Module;
  // How a server that has ended looks, up to a number of calls: then, as no real one, it throws where nothing catches.
  const turn = t.mock.method(server, '_PostgresMainLoopOnce', () => {
    throw { status: turn.mock.callCount() < MOST ? 1 : LONGJMP };
  });
  t.mock.method(server, '_PostgresMainLongJmp', () => {
    throw new Error('called again and again');
  });
  assert.throws(() => sql.execProtocolRawSync(Uint8Array.of(0x53, 0, 0, 0, 4)), /called again and again/);
  assert.ok(turn.mock.callCount() > 100);
});

test('make-folder.ts: mkdirSync does not return in /proc', { skip: process.platform !== 'linux' }, () => {
  const program = "fs.mkdirSync('/proc/none', { recursive: true })";
  const { error } = spawnSync(process.execPath, ['-e', program], { timeout: 2_000, killSignal: 'SIGKILL' });
  assert.match(String(error), /ETIMEDOUT/);
});

/** Sends to @supabase/lite with the secret key. `call` is a method and a path. */
function send(call: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = call.split(' ');
  return lite.fetch(
    new Request(`http://embedded${path}`, {
      method,
      headers: { apikey: KEYS.secretKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
}

/** Keeps the console quiet during a test. Returns what was logged. */
function silence(t: TestContext): () => unknown[] {
  const { mock } = t.mock.method(console, 'error', () => {});
  return () => mock.calls.flatMap((call) => call.arguments as unknown[]);
}
