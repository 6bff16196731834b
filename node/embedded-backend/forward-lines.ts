import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Forwards the output of a process, line by line. */
export function forwardLines(child: ChildProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', onLine);
  }
}
