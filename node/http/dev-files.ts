/**
 * The files that the development server may send: the sources of the pages and their packages. Everything else on the
 * disk is private, above all the data folder, backups, exports, `.env` and `.git`.
 */
import { realpathSync, statSync } from 'node:fs';
import { extname, join, posix, resolve, sep } from 'node:path';
import { PACKAGES_FOLDER, SOURCE_FOLDERS } from '../config/project-folders.ts';
import { PUBLISHED_EXTENSIONS } from '../config/published-extensions.ts';

/** Sources, source maps and assets, of the project and of packages. Everything else is private in every folder. */
const SERVED_EXTENSIONS = [...PUBLISHED_EXTENSIONS, 'astro', 'cjs', 'jsx', 'map', 'ts', 'tsx'];

/** Private wherever they are, in packages too. Vite's own list, which setting `deny` replaces. */
const SECRET_FILES = ['.env', '.env.*', '*.{crt,pem,key,p12,pfx,cer,der}', '.npmrc', '**/.git/**'];

export type DevFiles = ReturnType<typeof devFiles>;

/**
 * @param dataDir absolute path of the data folder, private even where it lies in a source folder
 * @param root absolute path of the project
 */
export function devFiles(dataDir: string, root = process.cwd()) {
  // A folder may be a link, above all that of the packages: their modules have the path behind it.
  const served = withRealPaths([...SOURCE_FOLDERS, PACKAGES_FOLDER].map((folder) => join(root, folder)));
  const data = withRealPaths([dataDir]);
  const isPrivate = (file: string): boolean =>
    isInside(data, file) ||
    !isInside(served, file) ||
    !SERVED_EXTENSIONS.includes(extname(file).slice(1).toLowerCase());
  return {
    /** Vite's option `server.fs`, which guards its own handlers. */
    viteAccess: {
      strict: true,
      allow: served,
      deny: [
        ...SECRET_FILES,
        ...data.map((folder) => `${escapeGlob(folder)}/**`),
        ...served.map((folder) => `${escapeGlob(folder)}/**/!(*.@(${SERVED_EXTENSIONS.join('|')}))`),
      ],
    },
    /**
     * Whether a URL names a private file, in any spelling. Covers what Vite does not check: `public/`, symbolic links.
     * @param url the request's target, with query
     */
    namesPrivateFile: (url: string) =>
      [...spellingsOf(url)]
        .flatMap((path) => filesOf(path, root))
        .map(realFile)
        .some((file) => file !== undefined && isPrivate(file)),
  };
}

/** A URL's path as it is, decoded once and twice, and as `new URL()` resolves it, for Vite does each somewhere. */
function spellingsOf(url: string): Set<string> {
  const decoded = (path: string) =>
    [decodeURI, decodeURIComponent, resolvedPath].map((change) => tryTo(change, path)).concat(path);
  return new Set(decoded(url.replace(/[?#].*$/s, '')).flatMap(decoded));
}

function resolvedPath(path: string): string {
  return new URL(`http://localhost${path}`).pathname;
}

function tryTo(change: (text: string) => string, text: string): string {
  try {
    return change(text);
  } catch {
    return text;
  }
}

/** What a path may stand for: a file of the project, of `public/`, or with `/@fs/` and `/@id/` any on the disk. */
function filesOf(path: string, root: string): string[] {
  const slashed = posix.normalize(`/${path.replaceAll('\\', '/')}`);
  // `resolve` drops a slash at the end, with which Vite serves a file of `public/` all the same.
  const below = [root, join(root, 'public')].map((folder) => resolve(folder, `.${slashed}`));
  const absolute = /^\/@(?:fs|id)\/(?:__x00__)?(.*)$/s.exec(slashed)?.[1];
  return absolute === undefined ? below : [...below, resolve('/', absolute), resolve(root, absolute)];
}

/** The path behind symbolic links, in the letter case of the disk; undefined where there is no such file. */
function realFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? realpathSync.native(path) : undefined;
  } catch {
    return undefined;
  }
}

function withRealPaths(paths: string[]): string[] {
  return [...new Set(paths.flatMap((path) => [path, tryTo(realpathSync.native, path)]))];
}

function isInside(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => file.startsWith(folder.endsWith(sep) ? folder : folder + sep));
}

function escapeGlob(path: string): string {
  return path.replace(/[\\[\](){}!*?+@|^$]/g, '\\$&');
}
