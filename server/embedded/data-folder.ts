/**
 * The folder that holds the embedded database: its rights, its files, and a first boot that a kill does not damage.
 *
 *   lock            held by the process that has the database open (released by the system when it ends)
 *   secrets.json    keys of this folder, readable by its owner alone
 *   erasures.json   emails that were erased, as keyed hashes (erasures.ts)
 *   erasures.lock   held while an erasure is noted
 *   backup-folder   path of the last dated backup (backup-erasures.ts)
 *   commands.sock   Unix socket of the running product, for the owner's commands (command-socket.ts)
 *   password-set-for  email of the administrator whose password the running product set (call-control.ts)
 *   product-origin  where this machine reaches the product, or reached it last (wait-until-served.ts)
 *   write-probe     written and removed by each report of /health (backend.ts)
 *   database/       PGlite's files; only ever complete
 *   building-…/     a first boot that has not finished; deleted by the next start
 *     marker        shows that this program made the folder
 *     database/     renamed to `database/` above when it is complete
 *
 * A folder that holds anything else is never adopted: its rights are not changed and nothing in it is deleted.
 */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { takeLock } from '../../process/lock-file.ts';
import { UserError } from '../../process/user-error.ts';
import { syncFolder, writeDurably } from '../../process/write-file-atomic.ts';
import { makeFolder } from './workarounds/make-folder.ts';
import { syncAll } from './workarounds/sync-files.ts';

const SecretsSchema = z.object({
  /** Signs access tokens (HS256). */
  jwtSecret: z.string().check(z.minLength(32)),
  /** The service role's key: functions and tools send it, browsers never have it. */
  secretKey: z.string().check(z.startsWith('sb_secret_')),
});
type Secrets = z.infer<typeof SecretsSchema>;

export type DataFolder = Awaited<ReturnType<typeof takeDataFolder>>;

/**
 * Locks the folder for this process; makes it where it is missing.
 * @throws UserError when the folder is not writable, in use, or holds other files, and when its secrets are unreadable
 */
export async function takeDataFolder(path: string) {
  try {
    makeFolder(path, 0o700);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    assertOurs(path);
    chmodSync(path, 0o700);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `The data folder ${path} cannot be written (${(error as NodeJS.ErrnoException).code}). ` +
        'Make it writable for this user, or name another one with DATA_DIR.',
    );
  }
  const release = await lock(path);
  try {
    for (const name of readdirSync(path)) {
      if (isBuildingFolder(path, name)) rmSync(join(path, name), { recursive: true, force: true });
    }
    return {
      /** Path of PGlite's files. */
      database: join(path, 'database'),
      build: <Result>(make: (place: string) => Promise<Result>) => build(path, make),
      secrets: readOrMakeSecrets(path),
      /** Releases the lock. */
      release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

const BUILDING = /^building-[0-9a-f]{8}$/;
/** Present in each such folder that this program made. */
const MARKER = 'marker';

/**
 * Makes the files in a folder of its own, and renames them to `database` when `make` has closed them, so that
 * `database` is always complete. What a failure or a kill leaves is deleted, now or by the next start.
 * @param make receives a path where nothing is yet
 */
async function build<Result>(path: string, make: (place: string) => Promise<Result>): Promise<Result> {
  const folder = join(path, `building-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, MARKER), '');
    const result = await make(join(folder, 'database'));
    syncAll(join(folder, 'database'));
    renameSync(join(folder, 'database'), join(path, 'database'));
    syncFolder(path);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A kill between the folder and its marker leaves an empty folder. */
function isBuildingFolder(path: string, name: string): boolean {
  if (!BUILDING.test(name) || !lstatSync(join(path, name)).isDirectory()) return false;
  const content = readdirSync(join(path, name));
  return content.length === 0 || content.includes(MARKER);
}

/** Files of a start that was killed early, and the folder that a file system has in its root. */
const EARLY_LEFTOVERS = /^(?:lock(?:-journal)?|secrets\.json\.\d+\.draft|lost\+found)$/;

/** @throws UserError when the folder is neither empty nor made by this program */
function assertOurs(path: string): void {
  const names = readdirSync(path);
  const has = (name: string) => names.includes(name);
  if (names.every((name) => EARLY_LEFTOVERS.test(name))) return;
  if (has('lock') && (has('secrets.json') || has('database'))) return;
  // Keys that the owner copied into a new folder, so that they stay valid.
  if (has('secrets.json') && readSecrets(join(path, 'secrets.json'))) return;
  throw new UserError(
    `The data folder ${path} holds files of something else. Name an empty or a new folder with DATA_DIR.`,
  );
}

/** Time for a process that is ending to release the folder. */
const LOCK_TIMEOUT_MS = 3_000;

async function lock(path: string): Promise<() => void> {
  const release = await takeLock(join(path, 'lock'), LOCK_TIMEOUT_MS).catch((error: Error) => {
    throw new UserError(
      `The data folder ${path} cannot be locked: ${error.message}. This user has to be able to write there.`,
    );
  });
  if (release) return release;
  throw new UserError(
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
  const secrets = readSecrets(file);
  if (secrets === undefined) {
    throw new UserError(
      `The file ${file} is damaged. Put back its copy, or remove it: then new keys are made, ` +
        'and the administrator signs in once more.',
    );
  }
  chmodSync(file, 0o600);
  return secrets;
}

/** Undefined where the file is damaged. */
export function readSecrets(file: string): Secrets | undefined {
  const text = readFileSync(file, 'utf8');
  try {
    return SecretsSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
