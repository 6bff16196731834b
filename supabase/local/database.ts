/**
 * The database process: holds the data folder, and answers the data API, auth and the owner's tools on one loopback
 * port. Started by database-process.ts, which sends its options as the first message; tells it by messages when it is
 * ready, and ends when asked to or when that process is gone.
 */
import { serve } from '@hono/node-server';
import { keepLogsClean, log } from './clean-logs.ts';
import { control } from './control.ts';
import { takeDataFolder } from './data-folder.ts';
import { asksPlanner, isExposed, MAX_QUERY } from './exposed.ts';
import type { DatabaseOptions, FromDatabase, ToDatabase } from './messages.ts';
import { type DatabaseKeys, type OpenDatabase, openDatabase } from './open-database.ts';
import { SettingError } from './setting-error.ts';
import { vacuumRegularly } from './vacuum.ts';

/** The longest request to the data API or auth, in bytes; the functions' own requests are no longer. */
const MAX_BODY = 64 * 1024;

keepLogsClean();
try {
  await run(await firstMessage());
} catch (error) {
  send({ type: 'failed', message: error instanceof SettingError ? error.message : reasonOf(error) });
  process.exitCode = 1;
  process.disconnect?.();
}

async function run(options: DatabaseOptions): Promise<void> {
  const folder = await takeDataFolder(options.dataDir);
  const keys = { ...folder.secrets, publishableKey: options.publishableKey };
  let open: OpenDatabase | undefined;
  let endVacuum = async () => {};
  const server = serve({
    hostname: '127.0.0.1',
    port: options.port,
    fetch: (request) => answer(request, keys, open),
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    send({ type: 'failed', message: `The database's port cannot be opened (${error.code}).` });
    process.exit(1);
  });
  server.on('listening', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    send({ type: 'listening', port: address.port, secretKey: keys.secretKey });
  });

  stopWhenAsked(async () => {
    await new Promise((resolve) => server.close(resolve));
    await endVacuum();
    await open?.close();
    folder.release();
  });

  const database = await openDatabase(folder, keys);
  open = database;
  endVacuum = vacuumRegularly(database.sql);
  send({ type: 'ready' });
}

function firstMessage(): Promise<DatabaseOptions> {
  return new Promise((resolve) => {
    process.once('message', (message: ToDatabase) => {
      if (message.type === 'open') resolve(message.options);
    });
  });
}

async function answer(
  request: Request,
  keys: DatabaseKeys,
  open: OpenDatabase | undefined,
): Promise<Response> {
  if (!open) return refusal(503, 'The database is starting. Please try again in a moment.');
  const url = new URL(request.url);
  const hasSecretKey = request.headers.get('apikey') === keys.secretKey;
  if (hasSecretKey && url.pathname.startsWith('/control/')) return await runTool(request, url, open, keys);
  if (!isExposed(request.method, url, hasSecretKey)) return refusal(404, 'There is nothing at this address.');
  if (url.search.length > MAX_QUERY)
    return refusal(414, `An address takes ${MAX_QUERY} characters of query at most.`);
  if (asksPlanner(request.headers))
    return refusal(400, 'Rows are counted exactly here: please ask for count=exact.');
  if (
    Number(request.headers.get('content-length') ?? 0) > MAX_BODY ||
    request.headers.has('transfer-encoding')
  ) {
    return refusal(413, 'That is more than this address takes.');
  }
  if (url.pathname === '/auth/v1/token' && !(await holdsTexts(request))) {
    return refusal(400, 'A token is asked for with a JSON object of texts.');
  }
  try {
    return await ((hasSecretKey && open.serviceCalls.answer(request, url)) || open.fetch(request));
  } catch (error) {
    log('error', 'request_failed', { path: url.pathname, reason: reasonOf(error) });
    return refusal(503, 'The database cannot answer at the moment. Please try again.');
  }
}

/** For the owner's tools, which print the answer: it may say more than a visitor learns. */
async function runTool(
  request: Request,
  url: URL,
  open: OpenDatabase,
  keys: DatabaseKeys,
): Promise<Response> {
  try {
    return await control(request, url, open, keys);
  } catch (error) {
    if (error instanceof SettingError) return new Response(error.message, { status: 400 });
    log('error', 'tool_failed', { path: url.pathname, reason: reasonOf(error) });
    return new Response(
      `this failed with ${reasonOf(error)}. If its disk is full, make room, and run this again.`,
      { status: 503 },
    );
  }
}

/** lite's auth answers 500 to other values, and to NUL, which PostgreSQL's texts cannot hold. */
async function holdsTexts(request: Request): Promise<boolean> {
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null) return false;
  return Object.values(body).every((value) => typeof value === 'string' && !value.includes('\0'));
}

function refusal(status: number, message: string): Response {
  return Response.json({ message, error: message }, { status, headers: { 'cache-control': 'no-store' } });
}

function stopWhenAsked(close: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    close().finally(() => process.exit(0));
  };
  process.on('message', (message: ToDatabase) => {
    if (message.type === 'stop') stop();
  });
  // The parent is gone, perhaps killed: nobody else would end this process.
  process.on('disconnect', stop);
  // A terminal's Ctrl-C reaches every process; the parent decides when this one ends.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', stop);
}

function send(message: FromDatabase): void {
  if (process.connected) process.send?.(message);
}

/** An error without the statement's parameters, which hold personal data. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'unknown';
}
