/** The abuse suite's test files, as the processes that run them. */
import { readFileSync } from 'node:fs';

/**
 * The files that share products run in one process (`--test-isolation=none`), each other file in its own.
 * @param files of tests/abuse
 */
export function tasksOf(files: readonly string[]): string[][] {
  const shares = (file: string) => readFileSync(file, 'utf8').includes("from './shared-product.ts'");
  const together = files.filter(shares);
  return [
    ...(together.length > 0 ? [together] : []),
    ...files.filter((file) => !shares(file)).map((file) => [file]),
  ];
}
