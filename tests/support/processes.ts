/** Processes of this machine, by /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** What every user of the machine can read of a process: its arguments. */
export function commandOf(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ');
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      // The fields after the name, which stands in brackets: state, parent, …
      const [state, ppid] = readProc(pid, 'stat')
        .replace(/^.*\) /s, '')
        .split(' ');
      return Number(ppid) === parent && state !== 'Z';
    });
}

/** Processes end at any time. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
