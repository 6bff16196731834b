/**
 * The files that the development server may send: the sources of the pages and their packages. Everything else on the
 * disk is private, above all the data folder, backups, exports, `.env` and `.git`.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES_FOLDER, SOURCE_FOLDERS } from '../../config/clone-folders.ts';
import { PUBLISHED_EXTENSIONS } from '../../config/published-extensions.ts';

/** Sources, source maps and assets, of the clone and of packages. Everything else is private in every folder. */
const SERVED_EXTENSIONS = [...PUBLISHED_EXTENSIONS, 'astro', 'cjs', 'jsx', 'map', 'ts', 'tsx'];

/** Private wherever they are, in packages too. Vite's own list, which setting `deny` replaces. */
const SECRET_FILES = ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '**/.git/**'];

/**
 * Vite's option `server.fs`. It does not guard `public/`, which `npm run dev` checks when it starts, as a build does.
 * @param dataDir absolute path of the data folder, private even where it lies in a source folder
 * @param root absolute path of the clone
 */
export function devFiles(dataDir: string, root = process.cwd()) {
  // A folder may be a link, above all that of the packages: their modules have the path behind it.
  const served = [...SOURCE_FOLDERS, PACKAGES_FOLDER].flatMap((folder) => withRealPath(join(root, folder)));
  return {
    strict: true,
    allow: served,
    deny: [
      ...SECRET_FILES,
      // Vite serves a file outside `allow` once a module imports it, as `?worker` and other queries make one do.
      `!{${served.map((folder) => `${escapeGlob(folder)}/**`).join(',')}}`,
      ...withRealPath(dataDir).map((folder) => `${escapeGlob(folder)}/**`),
      // By extension, so that a link in a source folder leads to no database, backup or export either.
      ...served.map((folder) => `${escapeGlob(folder)}/**/!(*.@(${SERVED_EXTENSIONS.join('|')}))`),
    ],
  };
}

function withRealPath(path: string): string[] {
  try {
    return [...new Set([path, realpathSync.native(path)])];
  } catch {
    return [path];
  }
}

function escapeGlob(path: string): string {
  return path.replace(/[\\[\](){}!*?+@|^$,]/g, '\\$&');
}
