/** The embedded backend for the server: the project in its thread, and what a start does with it. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureAdministrator } from './administrator.ts';
import { type Control, removeRunningFile, startWhenFree, writeRunningFile } from './call-control.ts';
import { healthOfMessages } from './message-health.ts';
import { PROJECT_URL } from './project-options.ts';
import { type StartOptions, startProject } from './start-project.ts';
import { projectOf } from './with-project.ts';
import { lineOf } from './workarounds/clean-logs.ts';

/** Number of bytes to write: more than PostgreSQL writes for an offer. */
const PROBE = Buffer.alloc(64 * 1024);

export type Backend = Awaited<ReturnType<typeof startBackend>>;

export interface BackendOptions extends Omit<StartOptions, 'onNewOrigin'> {
  /** Words on the site, too easy to guess for a password. Called when a password is set. */
  siteWords?: () => readonly string[];
}

/** @throws UserError with the database's message when it does not start */
export async function startBackend({ siteWords, ...options }: BackendOptions) {
  const { dataDir } = options;
  let running: Parameters<typeof writeRunningFile>[1];
  const onNewOrigin = (origin: string) => {
    running = { ...running, origin };
    try {
      writeRunningFile(dataDir, running);
    } catch (error) {
      // Until then commands find the data folder in use.
      options.onLog(lineOf('warn', 'running_file_failed', { code: (error as NodeJS.ErrnoException).code }));
    }
  };
  const start = () => startProject({ ...options, onNewOrigin });
  // Beside a running product the start fails with its own message.
  const { started: thread = await start() } = await startWhenFree(dataDir, start);
  const { origin, keys } = thread;
  running = { origin };
  writeRunningFile(dataDir, running);
  const control: Control = { url: PROJECT_URL, fetch: thread.fetch, secretKey: keys.secretKey };
  const project = projectOf(control);
  return {
    /** Sends a request that the server has checked. */
    send: thread.send,
    /** Signs access tokens (HS256): the gateway verifies them with it. Must not leave the server, nor appear in a log. */
    tokenSecret: keys.jwtSecret,
    /** For each part true, or a message why it does not work. */
    health: async () => {
      const [writeProblem, ofProject, ofMessages] = await Promise.all([
        findWriteProblem(dataDir),
        thread.health(),
        healthOfMessages(project),
      ]);
      return { database: writeProblem ?? ofProject, functions: ofProject, messages: ofMessages };
    },
    /** The project as the owner's commands reach it. */
    project,
    /** Ends the thread at once; it is started again. */
    terminate: thread.terminate,
    /**
     * Makes sure of an administrator (administrator.ts). Called when the result can be shown, since a generated
     * password is returned only once.
     */
    ensureAdministrator: async (email: string, password: string | undefined) => {
      const words = password === undefined ? undefined : siteWords?.();
      const change = await ensureAdministrator(control, email, password, words);
      if (password !== undefined) {
        running = { ...running, passwordSetFor: change.email };
        writeRunningFile(dataDir, running);
      }
      return change;
    },
    stop: async () => {
      removeRunningFile(dataDir);
      await thread.stop();
    },
  };
}

/** Why the data folder cannot be written, such as on a full or read-only disk; undefined if it can. */
async function findWriteProblem(dataDir: string): Promise<string | undefined> {
  const file = join(dataDir, 'write-probe');
  try {
    await writeFile(file, PROBE, { mode: 0o600 });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `The data folder cannot be written (${code}): make room on its disk, or make it writable. Until then no offer is stored.`;
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
}
