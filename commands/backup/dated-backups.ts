/** Backups that `npm run backup -- --keep NUMBER FOLDER` makes: one file a run, the oldest removed. */
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { assertOutsideSite } from '../../config/clone-folders.ts';
import { oneTooMany, wrongValue } from '../../process/read-options.ts';
import { UserError } from '../../process/user-error.ts';

export const EXAMPLE_OF_DATED = 'npm run backup -- --keep 14 /var/backups/storefront';
const USAGE = `Please say how many backups to keep, from 1 to 9,999, and name one folder, like this: ${EXAMPLE_OF_DATED}`;
/** Names sort by time, unless the clock was set back. No other file in the folder is ever removed. */
const NAME = /^storefront-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.backup$/;

export interface DatedBackups {
  readonly keep: number;
  readonly folder: string;
}

/**
 * @param number value of the option `--keep`; without it undefined is returned
 * @param cwd the clone's folder
 * @throws UserError when the number or the folder is wrong
 */
export function datedBackups(
  number: string | undefined,
  [name, ...more]: readonly string[],
  cwd: string,
): DatedBackups | undefined {
  if (number === undefined) return undefined;
  // Number() alone reads 1e2, 0x10 and an empty text, too.
  const keep = /^\d{1,4}$/.test(number) ? Number(number) : 0;
  if (keep < 1) throw wrongValue('--keep', number, USAGE);
  if (more.length > 0) throw oneTooMany(more[0], USAGE);
  if (name === undefined) throw new UserError(USAGE);
  const folder = resolve(cwd, name);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(`There is no folder ${folder}.`);
  }
  assertOutsideSite('The folder', folder, cwd);
  return { keep, folder };
}

/** `storefront-2026-11-23T02-15-00.000Z.backup` */
export function datedName(now = new Date()): string {
  return `storefront-${now.toISOString().replaceAll(':', '-')}.backup`;
}

/**
 * Removes the oldest backups beyond the number to keep. Those of the future are from before the clock was set back: they
 * count as older than all others.
 * @param written stays
 * @returns their number
 */
export function removeOldest({ keep, folder }: DatedBackups, written: string, now = new Date()): number {
  const latest = datedName(now);
  const others = readdirSync(folder).filter((name) => NAME.test(name) && name !== written);
  const tooMany = others
    .filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
    .sort((a, b) => Number(a > latest) - Number(b > latest) || (a < b ? 1 : -1))
    .slice(keep - 1);
  // Another backup may have removed it meanwhile.
  for (const name of tooMany) rmSync(join(folder, name), { force: true });
  return tooMany.length;
}
