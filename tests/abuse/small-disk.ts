/** A disk of a few megabytes, in memory, where this user may mount one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  resize(megabytes: number): void;
  /** Leaves no byte free. */
  fill(): void;
  empty(): void;
  /** Returns whether it worked. */
  remount(how: 'ro' | 'rw'): boolean;
  remove(): void;
}

/** Undefined where mounting is not allowed. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const filler = join(folder, 'filler');
  const size = (of: number) => `size=${of}m`;
  if (process.platform !== 'linux' || !run('mount', '-t', 'tmpfs', '-o', size(megabytes), 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    resize: (to) => run('mount', '-o', `remount,${size(to)}`, folder),
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    empty: () => rmSync(filler, { force: true }),
    remount: (how) => run('mount', '-o', `remount,${how}`, folder),
    remove: () => {
      run('umount', folder);
      rmSync(folder, { recursive: true });
    },
  };
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/**
 * For those who may not mount: from now on a process can write files up to so many bytes only (absent: of any length).
 * The error is EFBIG instead of ENOSPC, and what it interrupts is the same.
 */
export function limitWrites(pid: number, bytes?: number): void {
  // The soft limit alone, so that it can be taken back.
  run('prlimit', `--pid=${pid}`, `--fsize=${bytes ?? 'unlimited'}:`);
}
