/**
 * Reads and writes dist/files.json: every file of dist/client. Listing the folders of 10,000 domains takes half a second,
 * in which a server would send no page.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_INDEX_FILE } from './build-files.ts';
import { pagePathOf } from './page-paths.ts';
import { readJson } from './read-json.ts';

/** Files by their paths on the site, such as `/sites/lap.app/`. */
export interface FileIndex {
  /** Those with a brotli and a gzip form beside them. */
  readonly compressed: readonly string[];
  readonly others: readonly string[];
}

export function writeFileIndex(dist: string, index: FileIndex): void {
  writeFileSync(join(dist, FILE_INDEX_FILE), JSON.stringify(index));
}

/** Where a power cut truncated the index, the folders are listed. */
export function readFileIndex(dist: string): FileIndex {
  return readJson<FileIndex>(join(dist, FILE_INDEX_FILE)) ?? listFiles(dist);
}

/** Lists dist/client, with the compressed forms that are there. */
export function listFiles(dist: string): FileIndex {
  const root = join(dist, 'client');
  const all = new Set(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const sources = [...all].filter((file) => !file.endsWith('.br') && !file.endsWith('.gz'));
  const { compressed = [], others = [] } = Object.groupBy(sources, (file) =>
    all.has(`${file}.br`) && all.has(`${file}.gz`) ? 'compressed' : 'others',
  );
  const pathsOf = (files: string[]) => files.map((file) => pagePathOf(root, file));
  return { compressed: pathsOf(compressed), others: pathsOf(others) };
}
