/** A module's URL where it stays a URL, or becomes a path by decoding. */
const DECODED =
  /\b(?:createRequire|fileURLToPath|new Worker)\(\s*(?:new URL\([^)]*?)?import\.meta\.(?:url|resolve)\b/g;

/**
 * Whether code may use a module's URL as a path: that is percent-encoded, so that it names nothing in a folder like
 * `my shop`. `import.meta.dirname` is not.
 */
export function hasEncodedPath(code: string): boolean {
  return /\bimport\.meta\.(?:url|resolve)\b/.test(code.replace(DECODED, ''));
}
