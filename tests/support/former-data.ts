/** A data folder and a backup from before the baseline of the migrations, with the rows of FORMER_ROWS. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

const FOLDER = join(import.meta.dirname, '../product');

/** @param path where nothing is yet */
export function unpackFormerDataFolder(path: string): string {
  mkdirSync(path);
  const { status } = spawnSync('tar', ['-x', '-C', path], { input: unpack('before-the-baseline.tar.br') });
  if (status !== 0) throw new Error('tar failed');
  return path;
}

/** @param path of the file */
export function writeFormerBackup(path: string): string {
  writeFileSync(path, gzipSync(unpack('before-the-baseline.backup.br'), { level: 1 }));
  return path;
}

function unpack(file: string): Buffer {
  return brotliDecompressSync(readFileSync(join(FOLDER, file)));
}
