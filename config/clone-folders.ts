/** Folders of the clone that hold no customers' data, and how to know that a path leads into one of them. */
import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../process/user-error.ts';

/** Sources that a browser loads from the development server. */
export const SOURCE_FOLDERS = ['public', 'src', 'admin-app', 'supabase/functions/_shared/contract'];
/** Packages that a browser loads from the development server. */
export const PACKAGES_FOLDER = 'node_modules';

/** Their files are published, served in development, built into pages, or replaced by the next build or `npm ci`. */
const SITE_FOLDERS = [
  ...SOURCE_FOLDERS,
  PACKAGES_FOLDER,
  'dist',
  '.builds',
  '.astro',
  ...['process', 'config', 'site-builder', 'server', 'commands', 'supabase'],
];

/** How many symbolic links are followed, as in Linux. */
const MAX_LINKS = 40;

/**
 * @param name of the setting or the file, as the message begins
 * @param path need not exist
 * @param root of the clone
 * @param content of the path, for the message
 * @throws UserError where the path leads, also through symbolic links, into a folder that makes the site
 */
export function assertOutsideSite(
  name: string,
  path: string,
  root = process.cwd(),
  content = 'customers’ data',
): void {
  const folder = SITE_FOLDERS.find((one) => isInside(path, join(root, one)));
  if (folder === undefined) return;
  throw new UserError(
    `${name} is “${path}”, which is inside the project’s folder ${folder}/. The site is made from such folders and ` +
      `published on every domain, so that ${content} may not be there. Name a folder outside it.`,
  );
}

/** Whether a path leads into a folder, also through symbolic links, or is that folder. Neither need exist. */
function isInside(path: string, folder: string): boolean {
  const way = relative(realPathOf(folder), realPathOf(path));
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
}

/** The path behind all symbolic links, of which the last parts need not exist. */
function realPathOf(path: string, links = 0): string {
  const full = resolve(path);
  try {
    return realpathSync.native(full);
  } catch {
    const parent = dirname(full);
    if (parent === full || links > MAX_LINKS) return full;
    const target = linkTarget(full);
    if (target !== undefined) return realPathOf(resolve(realPathOf(parent, links + 1), target), links + 1);
    return join(realPathOf(parent, links), basename(full));
  }
}

/** Of a link that leads to nothing yet. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
