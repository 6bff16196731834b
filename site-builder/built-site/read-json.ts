import { readFileSync } from 'node:fs';

/**
 * Reads a JSON file that a build wrote. Returns undefined if it is missing, empty or truncated (as after a power cut), so
 * that the build writes it again.
 */
export function readJson<Value>(file: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}
