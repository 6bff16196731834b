/** How the owner's tools reach the database: through the process that has it open, or by opening it themselves. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { SettingError } from '../config/user-error.ts';
import { writeDurably } from '../config/write-file-atomic.ts';
import { startDatabase } from './database-process.ts';
import { keysMatch } from './keys-match.ts';
import { proveIdentity } from './prove-identity.ts';

export interface Control {
  /** Where the database's own port is. */
  readonly origin: string;
  readonly secretKey: string;
}

const RunningSchema = z.object({ origin: z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/)) });

/** How long the process of a note may take to prove its identity, in milliseconds. */
const PING_TIMEOUT_MS = 5_000;

/** Notes where the database answers, for tools that are started beside it. */
export function noteRunning(dataDir: string, origin: string): void {
  writeDurably(join(dataDir, 'running.json'), `${JSON.stringify({ origin })}\n`, 0o600);
}

export function forgetRunning(dataDir: string): void {
  rmSync(join(dataDir, 'running.json'), { force: true });
}

/**
 * Does something with the database of a data folder, whether or not the product is running.
 * @throws SettingError where there is no database yet, this user may not look, or another process that does not answer
 *   holds it
 */
export async function withDatabase<Result>(
  dataDir: string,
  use: (control: Control) => Promise<Result>,
): Promise<Result> {
  mustHaveDatabase(dataDir);
  const running = await findRunning(dataDir);
  if (running) return await use(running);
  const database = await startDatabase({ dataDir, publishableKey: '' }, (line) => console.error(line));
  try {
    await database.ready;
    return await use(database);
  } finally {
    await database.kept.stop();
  }
}

function mustHaveDatabase(dataDir: string): void {
  try {
    statSync(join(dataDir, 'database'));
  } catch (error) {
    if (['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new SettingError(
        `The data folder ${dataDir} may not be read by this user. Run this as the one who started the product.`,
      );
    }
    throw new SettingError(`There is no database in ${dataDir} yet. Start the product once with npm start.`);
  }
}

/** Asks the running database; anything but a success is an error with its sentence. */
export async function ask(control: Control, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`${control.origin}/control/${path}`, {
    ...init,
    redirect: 'error',
    headers: { apikey: control.secretKey },
  });
  if (response.ok) return response;
  const text = (await response.text()).slice(0, 300);
  // 400 is a mistake of the owner's, explained in whole sentences.
  throw new SettingError(response.status === 400 ? text : `The database refused: ${text}`);
}

/** The answer's lines, as they come. */
export async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

async function findRunning(dataDir: string): Promise<Control | undefined> {
  try {
    const stored = RunningSchema.parse(JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')));
    const { secretKey } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Control;
    const control = { origin: stored.origin, secretKey };
    // Any process may listen there by now: it gets the secret key only after it has proved that it knows it.
    if (!(await isDatabase(control))) return undefined;
    await ask(control, 'ping', { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    return control;
  } catch {
    // The note is missing, or left by a process that was killed.
    return undefined;
  }
}

async function isDatabase({ origin, secretKey }: Control): Promise<boolean> {
  const challenge = randomBytes(32).toString('base64url');
  const response = await fetch(`${origin}/control/ping?challenge=${challenge}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(PING_TIMEOUT_MS),
  });
  if (!response.ok) return false;
  return keysMatch(await response.text(), proveIdentity(secretKey, origin, challenge));
}
