import { join } from 'node:path';

/** Addresses end in a slash for pages (`/sites/lap.app/`) and in the file's name otherwise (`/404.html`). */
export function addressOf(root: string, file: string): string {
  const name = file.slice(root.length).replaceAll('\\', '/');
  return name.endsWith('/index.html') ? name.slice(0, -'index.html'.length) : name;
}

/** The file that is at an address. */
export function fileAt(root: string, path: string): string {
  return join(root, path.endsWith('/') ? `${path}index.html` : path);
}
