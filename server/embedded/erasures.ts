/**
 * Erasures as they are noted, so that restoring an older backup repeats them: the time, and a keyed hash of the email, which
 * is never written itself. The file is in the data folder, with copies beside the backups. The keys lie in it: who has the
 * file can test emails quickly.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { takeLock } from '../../process/lock-file.ts';
import { UserError } from '../../process/user-error.ts';
import { writeDurably } from '../../process/write-file-atomic.ts';

export const ERASURES_FILE = 'erasures.json';

/** Time for another process to note an erasure. */
const LOCK_TIMEOUT_MS = 5_000;

/** 32 bytes. */
const BYTES = z.string().check(z.regex(/^[\w-]{43}$/));
const ErasureSchema = z.object({ key: BYTES, hash: BYTES, erasedAt: z.iso.datetime() });
const FileSchema = z.object({ version: z.literal(2), erasures: z.array(ErasureSchema) });

export type Erasure = z.infer<typeof ErasureSchema>;

/** @returns undefined if the folder has no such file @throws UserError if it is damaged */
export function readErasures(folder: string): Erasure[] | undefined {
  const file = join(folder, ERASURES_FILE);
  if (!existsSync(file)) return undefined;
  try {
    return FileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).erasures;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UserError(`${file} could not be read (${code}).`);
    throw new UserError(
      `${file} is damaged or made by another version. Put a copy of it there: it is in the data folder and beside ` +
        'backups. Without any copy, move it away; then erasures made so far are not repeated after a restore.',
    );
  }
}

/** For its owner alone to read. */
export function writeErasures(folder: string, erasures: readonly Erasure[]): void {
  const text = JSON.stringify({ version: 2, erasures }, null, 1);
  writeDurably(join(folder, ERASURES_FILE), `${text}\n`, 0o600);
}

/** Every erasure of some lists once. */
export function mergeErasures(...lists: readonly (readonly Erasure[])[]): Erasure[] {
  return [...new Map(lists.flat().map((erasure) => [erasure.hash, erasure])).values()];
}

/** Adds an erasure to the file of a data folder. @throws UserError where that is not possible */
export async function noteErasure(dataDir: string, email: string, now = new Date()): Promise<void> {
  const release = await takeLock(join(dataDir, 'erasures.lock'), LOCK_TIMEOUT_MS);
  if (!release) throw new UserError('Another npm run erase is at work. Run this again.');
  try {
    const key = randomBytes(32).toString('base64url');
    const noted = { key, hash: hashOf(email, key), erasedAt: now.toISOString() };
    writeErasures(dataDir, [...(readErasures(dataDir) ?? []), noted]);
  } finally {
    release();
  }
}

/** Time of the last erasure of an email in milliseconds; -Infinity without one. */
export function lastErasure(erasures: readonly Erasure[], email: string): number {
  const found = erasures.filter(({ key, hash }) => hashOf(email, key) === hash);
  return Math.max(...found.map(({ erasedAt }) => Date.parse(erasedAt)));
}

/** The hash of an email in any letter case. */
function hashOf(email: string, key: string): string {
  return createHmac('sha256', key).update(email.toLowerCase()).digest('base64url');
}
