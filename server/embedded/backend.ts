/** The embedded backend for the server: the project in its thread, and what a start does with it. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureAdministrator } from './administrator.ts';
import { type Control, notePasswordSetFor, startWhenFree } from './call-control.ts';
import { healthOfMessages } from './message-health.ts';
import { type StartOptions, startProject } from './start-project.ts';
import { projectOf } from './with-project.ts';

/** Number of bytes to write: more than PostgreSQL writes for an offer. */
const PROBE = Buffer.alloc(64 * 1024);

export type Backend = Awaited<ReturnType<typeof startBackend>>;

export interface BackendOptions extends StartOptions {
  /** Words on the site, too easy to guess for a password. Called when a password is set. */
  siteWords?: () => readonly string[];
}

/** @throws UserError with the database's message when it does not start */
export async function startBackend({ siteWords, ...options }: BackendOptions) {
  const { dataDir } = options;
  const start = () => startProject(options);
  // Beside a running product the start fails with its own message.
  const { started: thread = await start() } = await startWhenFree(dataDir, start);
  const { keys } = thread;
  // Of a product that was killed.
  notePasswordSetFor(dataDir, undefined);
  const control: Control = { fetch: thread.fetch, secretKey: keys.secretKey };
  const project = projectOf(control);
  return {
    /** Sends a request that the server has checked. */
    send: thread.send,
    /** Signs access tokens (HS256): the gateway verifies them with it. Must not leave the server, nor appear in a log. */
    tokenSecret: keys.jwtSecret,
    /** For calls with the token of a user, as functions make them. Must not leave the server either. */
    secretKey: keys.secretKey,
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
      notePasswordSetFor(dataDir, password === undefined ? undefined : change.email);
      return change;
    },
    stop: async () => {
      notePasswordSetFor(dataDir, undefined);
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
