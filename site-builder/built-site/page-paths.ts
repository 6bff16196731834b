import { join } from 'node:path';

/** Returns the path of a file on the site: with a trailing slash for `index.html` (`/sites/lap.app/`), else `/404.html`. */
export function pagePathOf(root: string, file: string): string {
  const name = file.slice(root.length).replaceAll('\\', '/');
  return name.endsWith('/index.html') ? name.slice(0, -'index.html'.length) : name;
}

/** Whether it is the path of a page, not of another file. */
export function isPage(path: string): boolean {
  return path.endsWith('/') || path.endsWith('.html');
}

/** Returns the name whose page a path is: of `/sites/lap.app/`, or in another language of `/de/sites/lap.app/`. */
export function nameOfPage(path: string): string | undefined {
  return /^(?:\/[a-zA-Z-]+)?\/sites\/([^/]+)\/$/.exec(path)?.[1];
}

/** Returns the file of a path. */
export function fileOfPage(root: string, path: string): string {
  return join(root, path.endsWith('/') ? `${path}index.html` : path);
}
