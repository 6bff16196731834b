/**
 * The embedded backend for the gateway: two processes (the database; the functions in Deno), their origins and their
 * health. A process that ends is started again on the same port; both end with this process.
 */
import { ensureAdministrator } from './administrator.ts';
import { removeRunningFile, startWhenFree, writeRunningFile } from './call-control.ts';
import { startDatabase } from './database-process.ts';
import { type FunctionsOptions, messageHosts, startFunctions } from './functions-process.ts';
import type { DatabaseOptions } from './ipc-messages.ts';
import { healthOfMessages } from './message-health.ts';
import { runMessageScheduler } from './message-scheduler.ts';
import { projectOf } from './with-project.ts';
import { findWriteProblem } from './write-problem.ts';

export type Backend = Awaited<ReturnType<typeof startBackend>>;

export interface BackendOptions extends Omit<DatabaseOptions, 'port' | 'gatewayKey'>, FunctionsOptions {
  /** Program of the database process; replaced by tests. */
  databaseProgram?: string;
  /** Words on the site, too easy to guess for a password. Called when a password is set. */
  siteWords?: () => readonly string[];
}

/** @throws UserError with the database's message when it does not start */
export async function startBackend(options: BackendOptions) {
  const { functionsEnv, onLog, databaseProgram, siteWords, ...databaseOptions } = options;
  const { dataDir, publishableKey } = options;
  const start = () => startDatabase(databaseOptions, onLog, databaseProgram);
  // Beside a running product the start fails with its own message.
  const { started: database = await start() } = await startWhenFree(dataDir, start);
  const functions = startFunctions({ publishableKey, functionsEnv, onLog }, database);
  const stop = async () => {
    await functions.process.stop();
    await database.process.stop();
  };
  try {
    await Promise.all([database.ready, functions.up]);
    writeRunningFile(dataDir, { origin: database.origin });
    const stopping = new AbortController();
    void runMessageScheduler({
      signal: stopping.signal,
      configured: messageHosts(functionsEnv).length > 0,
      deliver: (retry) => callDeliver(functions.origin(), database.secretKey, retry),
    });
    const project = projectOf(database);
    return {
      /** Origin of the data API and auth, or undefined while they are down. */
      databaseOrigin: () => (database.process.isUp() ? database.origin : undefined),
      /** Origin of the functions, or undefined while they are down. */
      functionsOrigin: functions.origin,
      /** Sent by the gateway to the database with each request, as header x-gateway-key. */
      gatewayKey: database.gatewayKey,
      /** Signs access tokens (HS256): the gateway verifies them with it. Must not leave the server, nor appear in a log. */
      tokenSecret: database.tokenSecret,
      /** For each part true, or a message why it does not work. */
      health: async () => {
        const [writeProblem, ofDatabase, ofFunctions, ofMessages] = await Promise.all([
          findWriteProblem(dataDir),
          database.health(),
          functions.process.health(),
          healthOfMessages(project),
        ]);
        return { database: writeProblem ?? ofDatabase, functions: ofFunctions, messages: ofMessages };
      },
      /** The database as the owner's commands reach it. */
      project,
      /**
       * Makes sure of an administrator (administrator.ts). Called when the result can be shown, since a generated
       * password is returned only once.
       */
      ensureAdministrator: async (email: string, password: string | undefined) => {
        const words = password === undefined ? undefined : siteWords?.();
        const change = await ensureAdministrator(database, email, password, words);
        if (password !== undefined) {
          writeRunningFile(dataDir, { origin: database.origin, passwordSetFor: change.email });
        }
        return change;
      },
      stop: async () => {
        stopping.abort();
        removeRunningFile(dataDir);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Longest time of two calls of `deliver`: the second one waits for the first. */
const DELIVER_TIMEOUT_MS = 120_000;

/** @throws where the function is down or responds with an error */
async function callDeliver(origin: string | undefined, secretKey: string, retry: boolean): Promise<void> {
  const response = await fetch(`${origin}/deliver`, {
    method: 'POST',
    headers: { apikey: secretKey, 'content-type': 'application/json' },
    body: JSON.stringify(retry ? { retry } : {}),
    signal: AbortSignal.timeout(DELIVER_TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`deliver responded with ${response.status}`);
}
