/** The processes of a running product, found in /proc as children of the gateway. */
import { readdirSync, readFileSync } from 'node:fs';

export type Part = 'gateway' | 'database' | 'functions';

/** The process of one part, or undefined while there is none. */
export function findProcess(gateway: number, part: Part): number | undefined {
  if (part === 'gateway') return gateway;
  return childrenOf(gateway).find((pid) => commandOf(pid).includes(`node/embedded-backend/${part}.ts`));
}

/** `kill -9`. A process that has just ended is no error. */
export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

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
