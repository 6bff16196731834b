/**
 * Empty and dotted segments: Cloudflare removes them when it looks up a file, which then is another one than the one whose
 * path was checked. Pages have no path with the name of their file.
 */
const NOT_A_FILE = /\/(?:\/|\.{1,2}(?:\/|$))|\/index\.html$/;

/** Returns the encoded path of a page's file; undefined where the path cannot have one. @param path decoded */
export function assetPathOf(path: string): string | undefined {
  if (NOT_A_FILE.test(path)) return undefined;
  return path.replace(/\/$/, '/index.html').split('/').map(encodeURIComponent).join('/');
}
