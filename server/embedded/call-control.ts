/** How commands reach the project: through the product that has it open, or by opening it themselves. */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isLocked } from '../../process/lock-file.ts';
import { UserError } from '../../process/user-error.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';
import { readSecrets } from './data-folder.ts';
import { PROJECT_URL } from './project-options.ts';
import { fetchBySocket, isSocketOpen } from './socket-fetch.ts';

export interface Control {
  /** Reaches the project at PROJECT_URL. */
  readonly fetch: typeof globalThis.fetch;
  readonly secretKey: string;
  /** Email of the administrator whose password the settings of the running product set at each start. */
  readonly passwordSetFor?: string | undefined;
}

/** Longest wait for a start, or for another command that has the database open. */
const OTHER_TIMEOUT_MS = 30_000;
const OTHER_POLL_MS = 200;

/** Holds the email of the administrator whose password the settings of the running product set. */
const PASSWORD_SET_FOR = 'password-set-for';

/** Notes it for commands that are started while the product runs. @param email undefined: the settings set no password */
export function notePasswordSetFor(dataDir: string, email: string | undefined): void {
  const file = join(dataDir, PASSWORD_SET_FOR);
  if (email === undefined) rmSync(file, { force: true });
  else writeDurably(file, email, 0o600);
}

/**
 * Uses the database of a data folder, whether or not the product is running.
 * @param mayMake makes a missing one
 * @param timeoutMs longest wait while another process holds it and sends no response
 * @param report prints that it waits
 * @throws UserError when there is no database yet, it may not be read by this user, or after that wait
 */
export async function withDatabase<Result>(
  dataDir: string,
  use: (control: Control) => Promise<Result>,
  { mayMake = false, timeoutMs = OTHER_TIMEOUT_MS, report = console.error } = {},
): Promise<Result> {
  try {
    statSync(join(dataDir, 'database'));
  } catch (error) {
    const mayNotRead = ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (mayNotRead || !mayMake)
      throw new UserError(
        mayNotRead
          ? `The data folder ${dataDir} may not be read by this user. Run this as the one who started the product.`
          : `There is no database in ${dataDir} yet. Start the product once with npm start.`,
      );
  }
  // Not at the top: the server, which imports this file, has the database in its thread alone.
  const { openProject } = await import('./open-project.ts');
  const { running, started: project } = await startWhenFree(
    dataDir,
    () => openProject({ dataDir }),
    timeoutMs,
    report,
  );
  if (running) return await use(running);
  try {
    return await use({ fetch: project.fetch, secretKey: project.keys.secretKey });
  } finally {
    await project.close();
  }
}

/**
 * Starts what needs the database of a data folder for itself. Waits while another command has it open, or a product that
 * is starting.
 * @returns the database of the running product instead, if one runs
 * @throws what `start` throws when the database is free, or after the timeout
 */
export async function startWhenFree<Started>(
  dataDir: string,
  start: () => Promise<Started>,
  timeoutMs = OTHER_TIMEOUT_MS,
  report: (line: string) => void = console.error,
): Promise<{ running: Control; started?: never } | { running?: never; started: Started }> {
  const lock = join(dataDir, 'lock');
  const deadline = Date.now() + timeoutMs;
  for (let hasWaited = false; ; hasWaited = true) {
    const running = await findRunning(dataDir);
    if (running) return { running };
    const isLast = Date.now() >= deadline;
    if (isLast || !(await isLocked(lock))) {
      try {
        return { started: await start() };
      } catch (error) {
        // Another process may have been faster.
        if (isLast || !(await isLocked(lock))) throw error;
      }
    }
    if (!hasWaited) report('Another process has the database open: waiting for it …');
    await pause(OTHER_POLL_MS);
  }
}

/**
 * Sends a control call to the running database (control.ts), and reads its response.
 * @throws UserError with its message unless the status is 2xx, or if the database ends before
 */
export async function callControl<Result>(
  control: Control,
  path: string,
  read: (response: Response) => Promise<Result>,
  init: RequestInit = {},
): Promise<Result> {
  let message: string;
  try {
    const headers = { apikey: control.secretKey };
    const response = await control.fetch(`${PROJECT_URL}/control/${path}`, { ...init, headers });
    if (response.ok) return await read(response);
    ({ message } = (await response.json()) as { message: string });
  } catch (error) {
    const { cause = error } = error as Error;
    throw new UserError(
      `The database ended before its response was complete (${(cause as NodeJS.ErrnoException).code ?? cause}). ` +
        'Run this again, when the machine is less busy.',
    );
  }
  throw new UserError(
    `The database reported an error: ${message}. If its disk is full, make room, and run this again.`,
  );
}

/** The database that runs on a data folder, if one does. @throws UserError where its keys are gone */
export async function findRunning(dataDir: string): Promise<Control | undefined> {
  if (!(await isSocketOpen(dataDir))) return undefined;
  const file = join(dataDir, 'secrets.json');
  const secrets = existsSync(file) ? readSecrets(file) : undefined;
  if (!secrets) {
    throw new UserError(
      `The file ${file} is missing or damaged, and the product runs with its keys. Put back its copy, or restart the product.`,
    );
  }
  const noted = join(dataDir, PASSWORD_SET_FOR);
  const passwordSetFor = existsSync(noted) ? readFileSync(noted, 'utf8') : undefined;
  return { fetch: fetchBySocket(dataDir), secretKey: secrets.secretKey, passwordSetFor };
}
