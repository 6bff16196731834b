/** How much memory another process may use before the machine, or the limit of this service, has no more. */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/** A build without names, and what each name adds to it, in bytes, by measurement. */
const BUILD_BYTES = 350 * 2 ** 20;
const BYTES_PER_NAME = 75 * 2 ** 10;

/** What a build needs. */
export function memoryOfBuild(names: number): number {
  return BUILD_BYTES + names * BYTES_PER_NAME;
}

/** In bytes. A limit of a cgroup counts the cache of files, too, which gives way. */
export function freeMemory(): number {
  const limit = process.constrainedMemory();
  const isLimited = limit > 0 && limit < totalmem();
  return process.availableMemory() + (isLimited ? cachedFiles() : 0);
}

/** Of the process's own cgroup, version 2; nothing elsewhere. */
function cachedFiles(): number {
  try {
    const [, path] = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
    const stat = readFileSync(`/sys/fs/cgroup${path}/memory.stat`, 'utf8');
    return Number(/^inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
