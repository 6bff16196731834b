import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { takeLock } from '../../config/lock-file.ts';
import {
  type Control,
  callControl,
  removeRunningFile,
  startWhenFree,
  withDatabase,
  writeRunningFile,
} from './call-control.ts';
import { proveIdentity } from './prove-identity.ts';

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
  const server = createServer((request, response) => {
    if (request.url === '/control/backup')
      response.writeHead(200, { 'content-length': 1_000 }).write('begun');
    setTimeout(() => request.socket.destroy(), 50);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const control = { url: `http://127.0.0.1:${port}`, fetch, secretKey: 'sb_secret_t' };
  for (const path of ['backup', 'judge-password']) {
    await assert.rejects(
      callControl(control, path, (response) => response.blob()),
      /^UserError: The database ended before its response was complete \(\w+\)\. Run this again/,
    );
  }
});

describe('with a running.json that names another process', { concurrency: true }, () => {
  const SECRET_KEY = `sb_secret_${'x'.repeat(30)}`;
  const use = async (control: Control) => assert.fail(`used ${control.url}`);

  type Respond = (challenge: string, origin: string) => { status: number; body: string };
  const proving: Respond = (challenge, origin) =>
    challenge === ''
      ? { status: 204, body: '' }
      : { status: 200, body: proveIdentity(SECRET_KEY, origin, challenge) };
  for (const [what, respond] of Object.entries<Respond>({
    'accepts everything': () => ({ status: 204, body: '' }),
    'sends the challenge back': (challenge) => ({ status: 200, body: challenge }),
    'forwards the challenge to the database': (challenge) => ({
      status: 200,
      body: proveIdentity(SECRET_KEY, 'http://127.0.0.1:1', challenge),
    }),
    'has another key': (challenge, origin) => ({
      status: 200,
      body: proveIdentity('sb_secret_other', origin, challenge),
    }),
  })) {
    test(`a command sends no secret key to a process that ${what}, and respects the lock`, async (t) => {
      const { folder, received } = await folderNaming(t, respond);
      const release = await takeLock(join(folder, 'lock'), 0);
      assert.ok(release);
      try {
        await assert.rejects(withDatabase(folder, use, { timeoutMs: 0 }), /is in use by another process/);
      } finally {
        release();
      }
      assert.equal(received.length, 1);
      assert.match(received[0] ?? '', /"GET","\/control\/ping\?challenge=[\w-]{43}"/);
      assert.equal(received.join().includes(SECRET_KEY), false);
    });
  }

  test('a command uses a process that proves its identity', async (t) => {
    const { folder, origin } = await folderNaming(t, proving);
    const { fetch: _, ...control } = await withDatabase(folder, async (running) => running);
    assert.deepEqual(control, { url: origin, secretKey: SECRET_KEY, passwordSetFor: 'owner@example.com' });
  });

  test('a command waits for a product that is starting, and uses its database', async (t) => {
    const { folder, origin } = await folderNaming(t, proving);
    removeRunningFile(folder);
    const release = await takeLock(join(folder, 'lock'), 0);
    t.after(() => release?.());
    const waited = withDatabase(folder, async (running) => running.url);
    setTimeout(() => writeRunningFile(folder, { origin }), 1_000);
    assert.equal(await waited, origin);
  });

  for (const [when, hold] of [
    ['that another command has open', (folder: string) => takeLock(join(folder, 'lock'), 0)],
    ['that another command opens first', async () => undefined],
  ] as const) {
    test(`a start waits for a database ${when}`, async (t) => {
      const { folder } = await folderNaming(t, proving);
      removeRunningFile(folder);
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
    const { folder, origin } = await folderNaming(t, proving);
    const { running } = await startWhenFree(folder, async () => assert.fail());
    assert.equal(running?.url, origin);
  });

  test('a start that fails with a free database is not repeated', async (t) => {
    const { folder } = await folderNaming(t, proving);
    removeRunningFile(folder);
    let starts = 0;
    const start = async () => {
      starts += 1;
      throw new Error('damaged');
    };
    await assert.rejects(startWhenFree(folder, start), /damaged/);
    assert.equal(starts, 1);
  });

  /** A data folder whose running.json names a process, and the requests that the process received. */
  async function folderNaming(t: TestContext, respond: Respond) {
    const folder = mkdtempSync(join(tmpdir(), 'named-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeFileSync(
      join(folder, 'secrets.json'),
      JSON.stringify({ jwtSecret: 'j'.repeat(48), secretKey: SECRET_KEY }),
    );
    mkdirSync(join(folder, 'database'));
    const received: string[] = [];
    const server = createServer((request, response) => {
      received.push(JSON.stringify([request.method, request.url, request.headers]));
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const { status, body } = respond(searchParams.get('challenge') ?? '', origin);
      response.writeHead(status).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeRunningFile(folder, { origin, passwordSetFor: 'owner@example.com' });
    return { folder, origin, received };
  }
});
