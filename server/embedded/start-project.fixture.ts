/** Stands for project-thread.ts: does what a request's path names, and responds with 204. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

const { dataDir, settings } = workerData as ThreadData;
const started = join(dataDir, 'started');
const isFirst = !existsSync(started);
writeFileSync(started, '');
let check: 'right' | 'wrong' | 'silent' = 'right';

const start = isFirst ? settings.first : settings.later;
const failed = join(dataDir, 'failed');
if (start === 'fails' || (start === 'fails once' && !existsSync(failed))) {
  writeFileSync(failed, '');
  send({ type: 'failed', message: 'The data folder is damaged.' });
  process.exit(1);
}
if (start === 'throws') throw new Error('ada@example.com is too long');
const keys = { publishableKey: 'public', secretKey: 'secret', jwtSecret: 'signs' };
if (start !== 'hangs') send({ type: 'ready', keys });
parentPort?.on('message', (message: ToThread) => {
  if (message === 'stop') return settings.stop === 'hangs' || process.exit(0);
  const { id, path } = message;
  const respond = (status: number) =>
    send({ type: 'response', id, status, headers: [['x-first', String(isFirst)]], body: new Uint8Array() });
  switch (path) {
    case '/control/check':
      return check === 'silent' || respond(check === 'right' ? 204 : 503);
    case '/no-response':
      return undefined;
    case '/end':
      return process.exit(3);
    case '/throw':
      throw Object.assign(new Error('ada@example.com is too long'), { code: 'ERR_OF_TEST' });
    case '/loop':
      for (;;);
    case '/use-all-memory':
      for (const all: number[][] = []; ; ) all.push(new Array(1_000_000).fill(1.5));
    case '/be-wrong':
      check = 'wrong';
      break;
    case '/be-silent':
      check = 'silent';
      break;
    case '/work-in-silence':
      check = 'silent';
      setInterval(() => send({ type: 'right' }), 10);
      break;
    case '/begin-work':
    case '/end-work':
      send({ type: 'work', isBusy: path === '/begin-work' });
  }
  respond(204);
});

function send(message: FromThread): void {
  parentPort?.postMessage(message);
}
