/**
 * The faults for which the files of this folder exist, shown in the dependencies as they are. A test that fails after
 * an update means: the fault is gone, remove the workaround that the title names.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { copyBooted } from '../booted-database.fixture.ts';
import { EXTENSIONS } from '../extensions.ts';

const folder = mkdtempSync(join(tmpdir(), 'faults-'));
let sql: PGlite;
before(async () => {
  await copyBooted(join(folder, 'database'));
  sql = await PGlite.create(join(folder, 'database'), { extensions: EXTENSIONS });
});
after(async () => {
  await sql.close();
  rmSync(folder, { recursive: true });
});

test('sync-files.ts: the database neither syncs its files nor has a function for it', async () => {
  assert.deepEqual((await sql.query('show fsync')).rows, [{ fsync: 'off' }]);
  const { Module } = sql as unknown as {
    Module: { FS: { filesystems: { NODEFS: { stream_ops: { fsync?: unknown } } } } };
  };
  assert.equal(Module.FS.filesystems.NODEFS.stream_ops.fsync, undefined);
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
