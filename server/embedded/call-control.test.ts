import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { takeLock } from '../../process/lock-file.ts';
import { KEYS, leadTo } from './booted-database.fixture.ts';
import { callControl, notePasswordSetFor, startWhenFree, withDatabase } from './call-control.ts';
import { openCommandSocket } from './command-socket.ts';
import { fetchBySocket, SOCKET } from './socket-fetch.ts';
import { projectOf } from './with-project.ts';

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'running-'));
  t.after(() => {
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a command without a database reports that the product must start once', async (t) => {
  const dataDir = newFolder(t);
  await assert.rejects(
    withDatabase(dataDir, async () => assert.fail()),
    /^UserError: There is no database in \S+ yet\./,
  );
});

test('a command that may not read the data folder reports which user may', async (t) => {
  const dataDir = newFolder(t);
  mkdirSync(join(dataDir, 'database'));
  chmodSync(dataDir, 0o000);
  // root may read every folder, so the test runs as another user.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await assert.rejects(
      withDatabase(dataDir, async () => assert.fail()),
      /^UserError: The data folder \S+ may not be read by this user\. Run this as the one who started the product\.$/,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

test('a command whose database ends before the whole response says so', async (t) => {
  const folder = newFolder(t);
  const server = createServer((request, response) => {
    if (request.url === '/control/backup')
      response.writeHead(200, { 'content-length': 1_000 }).write('begun');
    setTimeout(() => request.socket.destroy(), 50);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, SOCKET), resolve));
  t.after(() => server.close());
  const control = { fetch: fetchBySocket(folder), secretKey: KEYS.secretKey };
  const ended = /^UserError: The database ended before its response was complete \(\w+\)\. Run this again/;
  const calls = async () => {
    for (const path of ['backup', 'judge-password']) {
      await assert.rejects(
        callControl(control, path, (response) => response.blob()),
        ended,
      );
    }
    await assert.rejects(
      projectOf(control).call('read_message_state', {}),
      /^UserError: read_message_state failed on the embedded database: no response \(.+\), since the product ends, or starts its backend again\. Run this again in a minute\.$/,
    );
  };
  await calls();
  // Between the end of a thread and the next start none listens.
  await new Promise((resolve) => server.close(resolve));
  await calls();
});

const unused = async () => assert.fail('used');

test('a command uses the product that has the data folder open, with its key and what it set', async (t) => {
  const { folder, received } = await runningFolder(t, 'owner@example.com');
  const { secretKey, passwordSetFor } = await withDatabase(folder, async (control) => {
    await projectOf(control)
      .call('read_message_state', {})
      .catch(() => {});
    return control;
  });
  assert.deepEqual([secretKey, passwordSetFor], [KEYS.secretKey, 'owner@example.com']);
  assert.deepEqual(received, [['/rest/v1/rpc/read_message_state', KEYS.secretKey]]);
});

test('a command reports that the keys of the running product are gone', async (t) => {
  const { folder } = await runningFolder(t);
  const sentence =
    /^UserError: The file \S+secrets\.json is missing or damaged, and the product runs with its keys\. Put back its copy, or restart the product\.$/;
  writeFileSync(join(folder, 'secrets.json'), '{"jwt');
  await assert.rejects(withDatabase(folder, unused), sentence);
  rmSync(join(folder, 'secrets.json'));
  await assert.rejects(withDatabase(folder, unused), sentence);
});

test('a command waits for a product that is starting, and uses its database', async (t) => {
  const folder = newFolder(t);
  leadTo(folder);
  const release = await takeLock(join(folder, 'lock'), 0);
  t.after(() => release?.());
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const waited = withDatabase(folder, async (control) => control.passwordSetFor, { report });
  await pause(1_000);
  notePasswordSetFor(folder, 'owner@example.com');
  await listen(t, folder);
  assert.equal(await waited, 'owner@example.com');
  assert.deepEqual(lines, ['Another process has the database open: waiting for it …'], 'said once');
});

test('a command respects the lock of a process that does not listen', async (t) => {
  const folder = newFolder(t);
  leadTo(folder);
  const release = await takeLock(join(folder, 'lock'), 0);
  t.after(() => release?.());
  await assert.rejects(withDatabase(folder, unused, { timeoutMs: 0 }), /is in use by another process/);
});

for (const [when, hold] of [
  ['that another command has open', (folder: string) => takeLock(join(folder, 'lock'), 0)],
  ['that another command opens first', async () => undefined],
] as const) {
  test(`a start waits for a database ${when}`, async (t) => {
    const folder = newFolder(t);
    let release = await hold(folder);
    let starts = 0;
    const start = async () => {
      starts += 1;
      if (starts === 1) release ??= await takeLock(join(folder, 'lock'), 0);
      const free = await takeLock(join(folder, 'lock'), 0);
      if (!free) throw new Error('in use');
      free();
      return 'started';
    };
    setTimeout(() => release?.(), 1_000);
    assert.deepEqual(await startWhenFree(folder, start), { started: 'started' });
  });
}

test('a start on the folder of a running product does not wait', async (t) => {
  const { folder } = await runningFolder(t);
  const { running } = await startWhenFree(folder, unused);
  assert.equal(running?.secretKey, KEYS.secretKey);
});

test('a start that fails with a free database is not repeated', async (t) => {
  let starts = 0;
  const start = async () => {
    starts += 1;
    throw new Error('damaged');
  };
  await assert.rejects(startWhenFree(newFolder(t), start), /damaged/);
  assert.equal(starts, 1);
});

/** A data folder on whose socket a process listens, and the paths and keys of the requests that it received. */
async function runningFolder(t: TestContext, passwordSetFor?: string) {
  const folder = newFolder(t);
  leadTo(folder, passwordSetFor);
  return { folder, received: await listen(t, folder) };
}

async function listen(t: TestContext, folder: string): Promise<(string | null)[][]> {
  const received: (string | null)[][] = [];
  const socket = await openCommandSocket(async (input) => {
    const { url, headers } = input as Request;
    received.push([new URL(url).pathname, headers.get('apikey')]);
    return Response.json({});
  }, folder);
  t.after(socket.close);
  return received;
}
