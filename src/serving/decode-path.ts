/** Decodes the path of a request. A path that cannot be decoded becomes `//`, which no file has. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return '//';
  }
}
