/**
 * The embedded backend for the gateway: two processes (the database; the functions in Deno), their origins and their
 * health. A process that ends is started again on the same port; both end with this process.
 */
import type { AdministratorChange } from './administrator.ts';
import { callTool, removeRunningFile, writeRunningFile } from './call-owner-tool.ts';
import { startDatabase } from './database-process.ts';
import { type FunctionsOptions, startFunctions } from './functions-process.ts';
import type { DatabaseOptions } from './ipc-messages.ts';

export interface Backend {
  /** Origin of the data API and auth, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Origin of the functions, or undefined while they are down. */
  functionsOrigin(): string | undefined;
  /** Sent by the gateway to the database with each request, as header x-gateway-key. */
  readonly gatewayKey: string;
  /** Signs access tokens (HS256): the gateway verifies them with it. Must not leave the server, nor appear in a log. */
  readonly tokenSecret: string;
  /** For each process true, or a message why it does not work. */
  health(): Promise<{ database: true | string; functions: true | string }>;
  /** Restarts the functions, after the catalogue changed. */
  restartFunctions(): void;
  /**
   * Makes a user the only administrator (administrator.ts). Called when the result can be shown, since a generated
   * password is returned only once.
   */
  ensureAdministrator(email: string, password: string | undefined): Promise<AdministratorChange>;
  stop(): Promise<void>;
}

export interface BackendOptions extends Omit<DatabaseOptions, 'port' | 'gatewayKey'>, FunctionsOptions {
  /** Program of the database process; replaced by tests. */
  databaseProgram?: string;
  /** Words on the site, too easy to guess for a password. Called when a password is set. */
  siteWords?: () => readonly string[];
}

/** @throws UserError with the database's message when it does not start */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { functionsEnv, onLog, databaseProgram, siteWords, ...databaseOptions } = options;
  const { publishableKey } = options;
  const database = await startDatabase(databaseOptions, onLog, databaseProgram);
  const functions = startFunctions({ publishableKey, functionsEnv, onLog }, database);
  try {
    await Promise.all([database.ready, functions.up]);
    writeRunningFile(options.dataDir, database.origin);
    return {
      databaseOrigin: () => (database.process.isUp() ? database.origin : undefined),
      functionsOrigin: () => functions.origin(),
      gatewayKey: database.gatewayKey,
      tokenSecret: database.tokenSecret,
      health: async () => {
        const [ofDatabase, ofFunctions] = await Promise.all([
          database.process.health(),
          functions.process.health(),
        ]);
        return { database: ofDatabase, functions: ofFunctions };
      },
      restartFunctions: () => functions.process.restart(),
      ensureAdministrator: async (email, password) => {
        const words = password === undefined ? undefined : siteWords?.();
        const body = JSON.stringify({ email, password, siteWords: words });
        const response = await callTool(database, 'administrator', { method: 'POST', body });
        return (await response.json()) as AdministratorChange;
      },
      stop: async () => {
        removeRunningFile(options.dataDir);
        await functions.process.stop();
        await database.process.stop();
      },
    };
  } catch (error) {
    await functions.process.stop();
    await database.process.stop();
    throw error;
  }
}
