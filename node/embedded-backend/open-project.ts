/**
 * The embedded backend as one function: what a hosted project is for its clients. Database and edge functions work in the
 * calling thread, and reach each other in memory. Opens no port, ends no process and reads no environment.
 */
import { createContext } from '../../supabase/functions/_shared/context.ts';
import { createLog } from '../../supabase/functions/_shared/log.ts';
import { readSettings } from '../../supabase/functions/_shared/settings.ts';
import { EMBEDDED_PUBLISHABLE_KEY } from '../config/settings.ts';
import { takeDataFolder } from './data-folder.ts';
import { createFunctions } from './functions.ts';
import { type DatabaseKeys, type OpenDatabase, openDatabase } from './open-database.ts';
import { handleRequest } from './project-routes.ts';
import { untilAborted } from './until-aborted.ts';

/** The URL that clients are made with; only the project's own `fetch` leads there. */
export const PROJECT_URL = 'http://embedded';

export interface ProjectOptions {
  readonly dataDir: string;
  /** Settings of the functions, by their names (supabase/functions/_shared/settings.ts). */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives the functions' log, line by line. */
  print?(line: string): void;
  /** Called when no further result of the database is reliable: close the project, and open it anew. */
  onFailure?(event: string, details: Record<string, string>): void;
  /** Runs work that may keep the database busy for long, without a watchdog reporting a fault. */
  duringMaintenance?: DuringMaintenance;
}

export type DuringMaintenance = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface EmbeddedProject {
  /** Serves requests to PROJECT_URL as a hosted project does, by the key in `apikey`. */
  readonly fetch: typeof globalThis.fetch;
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
    const database = await openDatabase(folder, keys, onPanic);
    const { fetch, settled } = serveProject(database, keys, options);
    const close = async () => {
      await settled();
      await database.close().finally(folder.release);
    };
    let closed: Promise<void> | undefined;
    return {
      fetch,
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

/** Serves an open database, with the functions in front of it. */
export function serveProject(
  database: OpenDatabase,
  keys: DatabaseKeys,
  {
    dataDir,
    settings = {},
    print = (line) => process.stderr.write(`${line}\n`),
    onFailure = () => {},
    duringMaintenance = (work) => work(),
  }: ProjectOptions,
) {
  const underWay = new Set<Promise<unknown>>();
  const waitUntil = (promise: Promise<unknown>) => {
    const settled = promise.catch(() => {}).finally(() => underWay.delete(settled));
    underWay.add(settled);
  };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    return await untilAborted(request.signal, () => {
      const response = handleRequest(request, served);
      waitUntil(response);
      return response;
    });
  };
  const context = createContext(
    readSettings({
      ...settings,
      SUPABASE_URL: PROJECT_URL,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
    }),
    {
      fetch,
      log: createLog({ log: print, error: print }),
      waitUntil,
    },
  );
  const functions = createFunctions(context);
  const served = { dataDir, keys, database, functions, onFailure, duringMaintenance };
  return {
    fetch,
    /** Resolves when no request is under way, and no function works any more after its response. */
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
