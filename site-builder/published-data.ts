import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, extname, join, sep } from 'node:path';
import { PUBLISHED_EXTENSIONS } from '../config/published-extensions.ts';
import { UserError } from '../process/user-error.ts';

const ALLOWED: ReadonlySet<string> = new Set(PUBLISHED_EXTENSIONS.map((extension) => `.${extension}`));
/** Files of the file manager and of Git. */
const HARMLESS: ReadonlySet<string> = new Set(['.DS_Store', '.gitkeep']);
/** A copy of it has an allowed extension. */
const PASSWORD_FILE = /^admin-password\.txt$/i;

/**
 * Checks a folder whose files are published as they are: names, and the files behind symbolic links.
 * @param dataDir the data folder, of which nothing may be published under any name; need not exist
 * @throws UserError naming a file that may hold customers' data or secrets
 */
export function assertNoCustomerData(folder: string, dataDir: string): void {
  const file = findCustomerData(folder, realPathOf(dataDir), new Set());
  if (file === undefined) return;
  throw new UserError(
    `${file} looks like customers’ data or secrets, and the build would publish it on every domain. ` +
      `Move it out of ${folder}/, then build again. Only files outside DATA_DIR with these extensions are published: ` +
      `${PUBLISHED_EXTENSIONS.join(', ')}.`,
  );
}

/** @param seen folders that were read already: a link may lead back to one of them */
function findCustomerData(path: string, dataDir: string, seen: Set<string>): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const real = realpathSync.native(path);
  if (!stat.isDirectory()) {
    const isInside = real.startsWith(dataDir + sep);
    return isInside || !isPublishable(path) || !isPublishable(real) ? path : undefined;
  }
  if (seen.has(real)) return undefined;
  seen.add(real);
  const inside = readdirSync(path).sort().values();
  return inside.map((name) => findCustomerData(join(path, name), dataDir, seen)).find(Boolean);
}

function isPublishable(file: string): boolean {
  const name = basename(file);
  return HARMLESS.has(name) || (ALLOWED.has(extname(name).toLowerCase()) && !PASSWORD_FILE.test(name));
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
