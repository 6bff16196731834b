import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a child process finds the file: its standard input, which the CLI passes on to its own processes. */
export const UNLINKED_PATH = '/dev/stdin';

/**
 * Passes a content to `use` as a file that has no name any more: whatever ends this process or the child, no secret stays
 * on the disk. @param use gets the descriptor, for the first place of a child's `stdio`
 */
export async function withUnlinkedFile<Result>(
  content: string,
  use: (descriptor: number) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'unlinked-'));
  let descriptor: number;
  try {
    const path = join(folder, 'file');
    writeFileSync(path, content, { mode: 0o600 });
    descriptor = openSync(path, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    return await use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
