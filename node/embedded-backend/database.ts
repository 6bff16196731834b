/**
 * The database process: holds the data folder, and serves the data API, auth and the owner's tools on one loopback port.
 * Started by database-process.ts, which sends its options as the first IPC message. Reports by IPC message when it is
 * ready; ends on the message `stop`, and when that process ends.
 */
import { serve } from '@hono/node-server';
import { UserError } from '../config/user-error.ts';
import { takeDataFolder } from './data-folder.ts';
import { handleRequest, reasonOf } from './database-routes.ts';
import type { DatabaseOptions, FromDatabase, ToDatabase } from './ipc-messages.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import type { ToolContext } from './owner-tools.ts';
import { checkRegularly, type SelfCheck } from './self-check.ts';
import { cleanRegularly } from './vacuum.ts';
import { keepLogsClean, log } from './workarounds/clean-logs.ts';

keepLogsClean();
try {
  await run(await firstMessage());
} catch (error) {
  send({ type: 'failed', message: error instanceof UserError ? error.message : reasonOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
}

async function run(options: DatabaseOptions): Promise<void> {
  const folder = await takeDataFolder(options.dataDir);
  const keys = { ...folder.secrets, publishableKey: options.publishableKey };
  const { gatewayKey } = options;
  let tools: ToolContext | undefined;
  let open: OpenDatabase | undefined;
  let origin = '';
  let endCleaning = async () => {};
  const server = serve({
    hostname: '127.0.0.1',
    port: options.port,
    fetch: (request) => handleRequest(request, { keys, gatewayKey, origin, tools }),
    // Its clients close idle connections. A process that was busy would close those at whose end a request waits: a 503.
    serverOptions: { keepAliveTimeout: 0 },
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    send({ type: 'failed', message: `The database's port cannot be opened (${error.code}).` });
    process.exit(1);
  });
  server.on('listening', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    origin = `http://127.0.0.1:${address.port}`;
    const { secretKey, jwtSecret } = keys;
    send({ type: 'listening', port: address.port, secretKey, tokenSecret: jwtSecret });
  });

  stopOnMessage(async () => {
    await new Promise((resolve) => server.close(resolve));
    await endCleaning();
    await open?.close();
    folder.release();
  });

  open = await openDatabase(folder, keys);
  const duringMaintenance = maintenanceOf(checkRegularly(open.sql, endOnWrongResults));
  tools = { dataDir: options.dataDir, database: open, keys, duringMaintenance };
  endCleaning = cleanRegularly(open.sql);
  send({ type: 'ready' });
}

/** Ends the process, since no further result of this connection is reliable. It is started again. */
function endOnWrongResults(reason: string): void {
  log('error', 'database_out_of_step', { reason });
  process.exit(1);
}

/** Keeps the checks of this process and of the parent from reporting long work on the files as a fault. */
function maintenanceOf(selfCheck: SelfCheck): ToolContext['duringMaintenance'] {
  let running = 0;
  return async (work) => {
    running += 1;
    if (running === 1) await send({ type: 'busy' });
    try {
      return await selfCheck.pauseDuring(work);
    } finally {
      running -= 1;
      if (running === 0) send({ type: 'idle' });
    }
  };
}

function firstMessage(): Promise<DatabaseOptions> {
  return new Promise((resolve) => {
    process.once('message', (message: ToDatabase) => {
      if (message.type === 'open') resolve(message.options);
    });
  });
}

function stopOnMessage(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    close().finally(() => process.exit(0));
  };
  process.on('message', (message: ToDatabase) => {
    if (message.type === 'stop') stop();
  });
  // The parent ended, perhaps killed: no other process would end this one.
  process.on('disconnect', stop);
  // A terminal's Ctrl-C and systemd's SIGTERM reach every process; the parent decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
}

/** Resolves when the message has left this process. */
function send(message: FromDatabase): Promise<void> {
  return new Promise((resolve) => {
    if (process.connected && process.send) process.send(message, () => resolve());
    else resolve();
  });
}
