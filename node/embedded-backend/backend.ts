/**
 * The embedded backend as the gateway sees it: two processes (the database; the functions in Deno), where they answer,
 * and whether they do. One that dies is started again on the same port; both end with the process that holds this.
 */
import type { AdministratorChange } from './administrator.ts';
import { callTool, removeRunningFile, writeRunningFile } from './call-owner-tool.ts';
import { startDatabase } from './database-process.ts';
import { type FunctionsOptions, startFunctions } from './functions-process.ts';
import type { DatabaseOptions } from './ipc-messages.ts';

export interface Backend {
  /** Where the data API and auth answer, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Where the functions answer, or undefined while they are down. */
  functionsOrigin(): string | undefined;
  /** The gateway sends it to the database with each request, as header x-gateway-key. */
  readonly gatewayKey: string;
  /** Signs access tokens (HS256): the gateway verifies them with it. Stays on the server, and out of every log. */
  readonly tokenSecret: string;
  /** For each process true, or a sentence that says why it does not work. */
  health(): Promise<{ database: true | string; functions: true | string }>;
  /** Starts the functions anew, after the catalogue changed. */
  restartFunctions(): void;
  /**
   * Sees to it that somebody is the administrator (administrator.ts). Asked when the answer can be shown: it is the only
   * one that holds a password that was made.
   */
  ensureAdministrator(email: string, password: string | undefined): Promise<AdministratorChange>;
  stop(): Promise<void>;
}

export interface BackendOptions extends Omit<DatabaseOptions, 'port' | 'gatewayKey'>, FunctionsOptions {
  /** The database process's program; tests put their own around it. */
  databaseProgram?: string;
  /** What visitors read on the site, and what therefore makes no good password. Called when one is set. */
  siteWords?: () => readonly string[];
}

/** @throws UserError with the database's sentence when it will not start */
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
        const answer = await callTool(database, 'administrator', { method: 'POST', body });
        return (await answer.json()) as AdministratorChange;
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
