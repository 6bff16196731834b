/** Measures processor time and memory of a command with all its processes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sum } from './rows.ts';

export interface Cost {
  /** User and system time of the command and all its children that ended, in seconds: bash's `time`. */
  readonly cpu: number;
  /** Peak memory (Pss) of all its processes together, sampled 5 times per second, in megabytes; Linux only. */
  readonly memory: number;
}

/** @throws Error with the command's output if it fails */
export async function costOf(
  command: readonly string[],
  options: { cwd?: string; env?: Record<string, string> },
): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  const times = join(folder, 'times');
  const child = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; { time "$@" 2>&1; } 2>"$TIMES"', 'bash', ...command],
    {
      // Its own process group, to find its processes.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: options.cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env, TIMES: times },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, memoryOfGroup(child.pid ?? 0));
  }, 200);
  const code = await new Promise((done) => child.once('close', done));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output.slice(-3000)}`);
  const [user = Number.NaN, system = Number.NaN] = readFileSync(times, 'utf8').trim().split(' ').map(Number);
  rmSync(folder, { recursive: true });
  return { cpu: user + system, memory };
}

/** User and system time that one running process has used so far, in seconds (Linux, 100 ticks a second). */
export function cpuOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** The same of those of its children that have ended. */
export function cpuOfEndedChildren(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** Memory of one running process (Pss), in megabytes: shared memory is divided among its processes. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}

/** Processor time of a process and all its children, in seconds. */
export function cpuOfTree(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return (
    cpuOf(pid) + sum((children === '' ? [] : children.split(' ')).map((child) => cpuOfTree(Number(child))))
  );
}

function memoryOfGroup(group: number): number {
  let total = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Number(statOf(Number(name))[2]) === group) total += memoryOf(Number(name));
    } catch {
      // The process has ended meanwhile.
    }
  }
  return total;
}

/** Returns the fields after the program's name, which may contain spaces. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
