/**
 * The embedded backend as one function: what a hosted project is for its clients. Database and edge functions work in the
 * calling thread, and reach each other in memory. Opens no port, ends no process and reads no environment.
 */
import { EMBEDDED_PUBLISHABLE_KEY } from '../../config/settings.ts';
import type { Deliver } from '../../supabase/functions/deliver/handler.ts';
import { takeDataFolder } from './data-folder.ts';
import { type DatabaseKeys, type OpenDatabase, openDatabase } from './open-database.ts';
import type { ProjectOptions } from './project-options.ts';

export interface EmbeddedProject {
  /** Serves requests to PROJECT_URL as a hosted project does, by the key in `apikey`. */
  readonly fetch: typeof globalThis.fetch;
  /** The function `deliver`, without a request. */
  readonly deliver: Deliver;
  /** Whether mail or webhooks are configured. */
  readonly hasMessages: boolean;
  readonly keys: DatabaseKeys;
  readonly database: OpenDatabase;
  /** Resolves once the requests under way and what the functions still do are done, and the folder is free. Idempotent. */
  close(): Promise<void>;
}

/**
 * Locks the data folder, makes its database where there is none, and applies pending migrations.
 * @throws UserError when the folder is in use or cannot be used, or its database cannot be opened
 */
export async function openProject(options: ProjectOptions): Promise<EmbeddedProject> {
  const folder = await takeDataFolder(options.dataDir);
  try {
    const keys = { ...folder.secrets, publishableKey: EMBEDDED_PUBLISHABLE_KEY };
    const onPanic = (severity: string) => options.onFailure?.('database_panic', { severity });
    // The functions' code is loaded while PostgreSQL's is compiled.
    const [database, { serveProject }] = await Promise.all([
      openDatabase(folder, keys, onPanic),
      import('./serve-project.ts'),
    ]);
    const { settled, ...served } = serveProject(database, keys, options);
    const close = async () => {
      await settled();
      await database.close().finally(folder.release);
    };
    let closed: Promise<void> | undefined;
    return {
      ...served,
      keys,
      database,
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
