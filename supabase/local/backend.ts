/**
 * The embedded backend as the gateway sees it: two processes (the database; the functions in Deno), where they answer,
 * and whether they do. One that dies is started again on the same port; both end with the process that holds this.
 */
import type { AdministratorNews } from './administrator.ts';
import { startDatabase } from './database-process.ts';
import { type FunctionsOptions, startFunctions } from './functions-process.ts';
import type { DatabaseOptions } from './messages.ts';
import { ask, forgetRunning, noteRunning } from './running.ts';

export interface Backend {
  /** Where the data API and auth answer, or undefined while they are down. */
  databaseOrigin(): string | undefined;
  /** Where the functions answer, or undefined while they are down. */
  functionsOrigin(): string | undefined;
  /** Starts the functions anew, after the catalogue changed. */
  restartFunctions(): void;
  /**
   * Sees to it that somebody is the administrator (administrator.ts). Asked when the answer can be shown: it is the only
   * one that holds a password that was made.
   */
  appoint(email: string, password: string | undefined): Promise<AdministratorNews>;
  stop(): Promise<void>;
}

export interface BackendOptions extends Omit<DatabaseOptions, 'port'>, FunctionsOptions {}

/** @throws SettingError with the database's sentence when it will not start */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { functionsEnv, onLog, ...databaseOptions } = options;
  const { publishableKey } = options;
  const database = await startDatabase(databaseOptions, onLog);
  const functions = startFunctions({ publishableKey, functionsEnv, onLog }, database);
  try {
    await Promise.all([database.ready, functions.up]);
    noteRunning(options.dataDir, database.origin);
    return {
      databaseOrigin: () => (database.kept.isUp() ? database.origin : undefined),
      functionsOrigin: () => functions.origin(),
      restartFunctions: () => functions.kept.restart(),
      appoint: async (email, password) => {
        const body = JSON.stringify({ email, password });
        const answer = await ask(database, 'administrator', { method: 'POST', body });
        return (await answer.json()) as AdministratorNews;
      },
      stop: async () => {
        forgetRunning(options.dataDir);
        await functions.kept.stop();
        await database.kept.stop();
      },
    };
  } catch (error) {
    await functions.kept.stop();
    await database.kept.stop();
    throw error;
  }
}
