/**
 * The database process: holds the data folder, and serves the data API, auth and control calls on one loopback port.
 * Started by database-process.ts, which sends its options as the first IPC message. Reports by IPC message when it is
 * ready; ends on the message `stop`, and when that process ends.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { UserError } from '../config/user-error.ts';
import type { ControlContext } from './control.ts';
import { takeDataFolder } from './data-folder.ts';
import { handleRequest, reasonOf } from './database-routes.ts';
import type { DatabaseOptions, FromDatabase } from './ipc-messages.ts';
import { openDatabase } from './open-database.ts';
import { cleanRegularly } from './vacuum.ts';
import { keepLogsClean } from './workarounds/clean-logs.ts';

/** Number of calls at work at the moment that may take long. */
let running = 0;

keepLogsClean();
try {
  const [options] = (await once(process, 'message')) as [DatabaseOptions];
  await run(options);
} catch (error) {
  send({ type: 'failed', message: error instanceof UserError ? error.message : reasonOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
}

async function run({ dataDir, port, publishableKey, gatewayKey }: DatabaseOptions): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  const keys = { ...folder.secrets, publishableKey };
  let open: ControlContext | undefined;
  let origin = '';
  let endCleaning = async () => {};
  const server = serve({
    hostname: '127.0.0.1',
    port,
    fetch: (request) => handleRequest(request, { keys, gatewayKey, origin, open }),
    // Its clients close idle connections. A process that was busy would close those at whose end a request waits: a 503.
    serverOptions: { keepAliveTimeout: 0 },
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    send({ type: 'failed', message: `The database's port cannot be opened (${error.code}).` });
    process.exit(1);
  });
  server.on('listening', () => {
    const { port } = server.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    send({ type: 'listening', port, secretKey: keys.secretKey, tokenSecret: keys.jwtSecret });
  });

  closeOnStop(async () => {
    await new Promise((resolve) => server.close(resolve));
    await endCleaning();
    await open?.database.close();
    folder.release();
  });

  const database = await openDatabase(folder, keys);
  open = { dataDir, database, duringMaintenance };
  endCleaning = cleanRegularly(database.sql);
  send({ type: 'ready' });
}

/** Keeps the parent from taking long work on the files for a fault. */
async function duringMaintenance<Result>(work: () => Promise<Result>): Promise<Result> {
  running += 1;
  await send({ type: 'work', isBusy: true });
  try {
    return await work();
  } finally {
    running -= 1;
    send({ type: 'work', isBusy: running > 0 });
  }
}

/** Closes everything and ends this process on the second message, which is `stop`, or when the parent has ended. */
async function closeOnStop(close: () => Promise<void>): Promise<void> {
  // A terminal's Ctrl-C and systemd's SIGTERM reach every process; the parent decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  // Disconnected when the parent ended, perhaps killed: no other process would end this one.
  if (process.connected) await Promise.race([once(process, 'message'), once(process, 'disconnect')]);
  await close().finally(() => process.exit(0));
}

/** Resolves when the message has left this process. */
function send(message: FromDatabase): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
