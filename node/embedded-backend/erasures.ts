/**
 * Erasures as they are noted, so that restoring an older backup repeats them: the time, and a salted slow hash of the
 * email, which is never written itself. The file is in the data folder, with copies beside the backups.
 */
import { randomBytes, scrypt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { UserError } from '../config/user-error.ts';
import { writeDurably } from '../config/write-file-atomic.ts';

export const ERASURES_FILE = 'erasures.json';

/**
 * Cost of one hash: 16 MB of memory and about 70 ms. A restore pays it for each customer of the backup, so that 10,000
 * take some minutes on four threads.
 */
const SCRYPT = { N: 16_384, r: 8, p: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

const ErasureListSchema = z.object({
  salt: z.string().check(z.regex(/^[\w-]{22,}$/)),
  N: z.literal(SCRYPT.N),
  r: z.literal(SCRYPT.r),
  p: z.literal(SCRYPT.p),
  /** Time of the last erasure of an email, by its hash. */
  erasedAt: z.record(z.string().check(z.regex(/^[\w-]{43}$/)), z.iso.datetime()),
});
const ErasuresSchema = z.object({ version: z.literal(1), lists: z.array(ErasureListSchema) });

/** Erasures under one salt, so that an email is hashed once for all of them. */
type ErasureList = z.infer<typeof ErasureListSchema>;
/** More than one list only where files of different data folders were merged. */
export type Erasures = z.infer<typeof ErasuresSchema>;

export const NO_ERASURES: Erasures = { version: 1, lists: [] };

/** @returns undefined if the folder has no such file @throws UserError if it is damaged */
export function readErasures(folder: string): Erasures | undefined {
  const file = join(folder, ERASURES_FILE);
  if (!existsSync(file)) return undefined;
  try {
    return ErasuresSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UserError(`${file} cannot be read (${code}).`);
    throw new UserError(
      `${file} is damaged or made by another version. Put a copy of it there: it is in the data folder and beside ` +
        'backups. Without any copy, move it away; then erasures made so far are not repeated after a restore.',
    );
  }
}

/** For its owner alone to read. */
export function writeErasures(folder: string, erasures: Erasures): void {
  writeDurably(join(folder, ERASURES_FILE), `${JSON.stringify(erasures, null, 1)}\n`, 0o600);
}

/** Every erasure of both, at its latest time. */
export function mergeErasures(one: Erasures, other: Erasures): Erasures {
  const lists = new Map<string, ErasureList>();
  for (const list of [...one.lists, ...other.lists]) {
    const erasedAt = { ...lists.get(list.salt)?.erasedAt };
    for (const [hash, at] of Object.entries(list.erasedAt)) {
      const before = erasedAt[hash];
      if (before === undefined || Date.parse(before) < Date.parse(at)) erasedAt[hash] = at;
    }
    lists.set(list.salt, { ...list, erasedAt });
  }
  return { version: 1, lists: [...lists.values()] };
}

export function countErasures({ lists }: Erasures): number {
  return lists.reduce((count, { erasedAt }) => count + Object.keys(erasedAt).length, 0);
}

/** Adds an erasure to the file of a data folder. For one process at a time. @param email in lower case */
export async function noteErasure(dataDir: string, email: string, now = new Date()): Promise<void> {
  const { salt } = readErasures(dataDir)?.lists[0] ?? {
    salt: randomBytes(SALT_BYTES).toString('base64url'),
  };
  const noted: Erasures = {
    version: 1,
    lists: [{ salt, ...SCRYPT, erasedAt: { [await hashEmail(email, salt)]: now.toISOString() } }],
  };
  // Read again, without a pause before it is written: another one may have been noted meanwhile.
  writeErasures(dataDir, mergeErasures(readErasures(dataDir) ?? NO_ERASURES, noted));
}

/** Time of the latest erasure in milliseconds; -Infinity without one. */
export function latestErasure({ lists }: Erasures): number {
  const times = lists.flatMap(({ erasedAt }) => Object.values(erasedAt));
  return times.reduce((latest, at) => Math.max(latest, Date.parse(at)), Number.NEGATIVE_INFINITY);
}

/** Time of the last erasure of an email in milliseconds; -Infinity without one. @param email in lower case */
export async function lastErasure({ lists }: Erasures, email: string): Promise<number> {
  const times = await Promise.all(
    lists.map(async ({ salt, erasedAt }) => erasedAt[await hashEmail(email, salt)] ?? []),
  );
  return Math.max(...times.flat().map((at) => Date.parse(at)));
}

async function hashEmail(email: string, salt: string): Promise<string> {
  const derive = promisify<string, string, number, typeof SCRYPT, Buffer>(scrypt);
  return (await derive(email, salt, HASH_BYTES, SCRYPT)).toString('base64url');
}
