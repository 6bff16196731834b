import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Finding, findingsOf } from './finding.ts';

const MIN_FREE_BYTES = 1e9;
const MIN_FREE_SHARE = 0.05;

export interface Space {
  /** Folders on one file system. */
  readonly folders: readonly string[];
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Judges the free space of a file system. */
export function checkDisk({ folders, freeBytes, totalBytes }: Space): Finding {
  const share = totalBytes === 0 ? 0 : freeBytes / totalBytes;
  const isLow = freeBytes < MIN_FREE_BYTES || share < MIN_FREE_SHARE;
  const free = `${(freeBytes / 1e9).toFixed(1)} GB (${Math.floor(share * 100)} %) are free`;
  const { ok, warn } = findingsOf('disk');
  const finding = isLow
    ? warn(`${free}: make room, because offers cannot be stored on a full disk.`)
    : ok(`${free}.`);
  return { ...finding, subject: folders.join(', ') };
}

/** The file systems of some folders, which need not exist. */
export function spacesOf(folders: readonly string[]): Space[] {
  const groups = Map.groupBy(folders, (folder) => statSync(existing(folder)).dev);
  return [...groups.values()].map((group) => {
    const { bsize, bavail, blocks } = statfsSync(existing(group[0] ?? '.'));
    return { folders: group, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  });
}

function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}
