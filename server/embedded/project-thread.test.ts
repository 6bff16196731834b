/** The messages of the project's thread to the server. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { newDataFolder } from '../../tests/support/booted-data-folder.ts';
import type { DatabaseKeys } from './open-database.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

const PROGRAM = join(import.meta.dirname, 'project-thread.ts');

test('of two long works at once the thread is busy until the last one ends', async (context) => {
  const { call, messages, until } = await start(context);
  const works = () => messages.flatMap((message) => (message.type === 'work' ? [message.isBusy] : []));
  call('GET', '/control/backup');
  call('POST', '/rest/v1/rpc/count_offers');
  // A backup is two works: reading it, and sending it. Each has a message at its start and one at its end.
  await until(() => works().length === 6);
  const shown = JSON.stringify(works());
  assert.match(shown, /true,true/, 'two at once');
  for (const [at, isBusy] of works().entries())
    if (!isBusy) assert.equal(at % 2, 1, `as many ends as starts: ${shown}`);
  assert.equal(works().at(-1), false, shown);
});

test('calls of the database are signs of life, at most one a second, also where no command reaches it', async (context) => {
  const since = performance.now();
  // As in a folder that can hold no socket.
  const { call, messages, until } = await start(context, (dataDir) =>
    mkdirSync(join(dataDir, 'commands.draft')),
  );
  const lines = messages.flatMap((message) => (message.type === 'line' ? [message.line] : []));
  assert.match(lines.join('\n'), /"level":"warn","event":"commands_unreachable"/);
  for (let made = 0; made < 20; made += 1) call('POST', '/rest/v1/rpc/remove_expired');
  await until(() => messages.filter(({ type }) => type === 'response').length === 20);
  const signs = messages.filter(({ type }) => type === 'right').length;
  assert.ok(signs >= 1 && signs <= 1 + (performance.now() - since) / 1_000, String(signs));
});

/** Starts the thread on a copy of the booted data folder. */
async function start(context: { after(end: () => unknown): void }, prepare = (_dataDir: string) => {}) {
  const dataDir = newDataFolder();
  prepare(dataDir);
  const workerData: ThreadData = { dataDir, settings: {} };
  const worker = new Worker(PROGRAM, { workerData, stdout: true, stderr: true });
  context.after(async () => {
    await worker.terminate();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const messages: FromThread[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<DatabaseKeys>();
  let onMessage = () => {};
  worker.on('error', reject);
  worker.on('message', (message: FromThread) => {
    messages.push(message);
    if (message.type === 'ready') resolve(message.keys);
    if (message.type === 'failed') reject(new Error(message.message));
    onMessage();
  });
  const keys = await ready;
  let id = 0;
  const call = (method: string, path: string): void => {
    id += 1;
    const apikey = path.startsWith('/functions') ? keys.publishableKey : keys.secretKey;
    const headers = { apikey, 'content-type': 'application/json' };
    const body = new TextEncoder().encode('{}');
    worker.postMessage({ method, path, headers, body, id } satisfies ToThread);
  };
  /** Resolves after the message with which it is so. */
  const until = (isSo: () => boolean) =>
    new Promise<void>((done) => {
      onMessage = () => {
        if (isSo()) done();
      };
      onMessage();
    });
  return { call, messages, until };
}
