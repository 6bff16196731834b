/**
 * The folder that holds the embedded database: who may use it, what stands in it, and how its first boot survives
 * being killed.
 *
 *   lock            held by the one process that has the database open (released by the system when it dies)
 *   secrets.json    keys of this folder, readable by its owner alone
 *   running.json    where the database answers, while the product runs (running.ts)
 *   database/       PGlite's files; stands here only once it is complete
 *   building-…/     a first boot that has not finished; thrown away by the next one
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeDurably } from './durable-file.ts';
import { takeLock } from './file-lock.ts';
import { SettingError } from './setting-error.ts';

const SecretsSchema = z.object({
  /** Signs access tokens (HS256). */
  jwtSecret: z.string().check(z.minLength(32)),
  /** The service role's key: functions and tools send it, browsers never have it. */
  secretKey: z.string().check(z.startsWith('sb_secret_')),
});
export type Secrets = z.infer<typeof SecretsSchema>;

export interface DataFolder {
  /** Where PGlite's files stand, once they are complete. */
  readonly database: string;
  /** A fresh place to build them in; once complete, they are renamed to `database`. */
  buildingPlace(): string;
  readonly secrets: Secrets;
  /** Lets go of the lock. */
  release(): void;
}

/**
 * Takes the folder for this process alone, making it where it is missing.
 * @throws SettingError with one sentence for the owner: not writable, in use, unreadable secrets
 */
export async function takeDataFolder(path: string): Promise<DataFolder> {
  makeWritable(path);
  const release = await lock(path);
  try {
    for (const name of readdirSync(path)) {
      if (name.startsWith('building-')) rmSync(join(path, name), { recursive: true, force: true });
    }
    return {
      database: join(path, 'database'),
      buildingPlace: () => join(path, `building-${randomBytes(4).toString('hex')}`),
      secrets: readOrMakeSecrets(path),
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

function makeWritable(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    chmodSync(path, 0o700);
  } catch (error) {
    throw new SettingError(
      `The data folder ${path} cannot be written (${(error as NodeJS.ErrnoException).code}). ` +
        'Make it writable for this user, or name another one with DATA_DIR.',
    );
  }
}

/** How long a folder may still be held by a process that is just ending, in milliseconds. */
const PATIENCE = 3_000;

async function lock(path: string): Promise<() => void> {
  const release = await takeLock(join(path, 'lock'), PATIENCE).catch((error: Error) => {
    throw new SettingError(
      `The data folder ${path} cannot be locked (${error.message}). Is its disk full or read-only?`,
    );
  });
  if (release) return release;
  throw new SettingError(
    `The data folder ${path} is in use by another process. ` +
      'Stop that one first, or name another folder with DATA_DIR.',
  );
}

function readOrMakeSecrets(path: string): Secrets {
  const file = join(path, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: Secrets = {
      jwtSecret: randomBytes(48).toString('base64url'),
      secretKey: `sb_secret_${randomBytes(32).toString('base64url')}`,
    };
    writeDurably(file, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
    return secrets;
  }
  const parsed = SecretsSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!parsed.success) {
    throw new SettingError(
      `The file ${file} is damaged. Put back its copy, or remove it: then new keys are made, ` +
        'and the administrator signs in once more.',
    );
  }
  chmodSync(file, 0o600);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
