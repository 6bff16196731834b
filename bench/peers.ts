/** Builds the same pages with bare Astro: the product's own, with nothing around it. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Entry, writeJson } from './catalogue.ts';
import { type Cost, costOf } from './cost.ts';

const FOLDER = resolve('bench/peers/bare-astro');

/** Its outputs and caches, moved aside so that the next build starts from scratch. */
const OUTPUTS = ['.astro', 'dist'];

export async function buildPeer(entries: readonly Entry[]): Promise<Cost> {
  const temporary = mkdtempSync(join(tmpdir(), 'peer-'));
  const catalogue = join(temporary, 'catalogue.json');
  writeJson(catalogue, entries);
  for (const built of OUTPUTS) moveAside(join(FOLDER, built));
  const program = [resolve('node_modules/.bin/node'), resolve('node_modules/astro/bin/astro.mjs'), 'build'];
  const env = { BENCH_CATALOGUE: catalogue, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' };
  const cost = await costOf(program, { cwd: FOLDER, env });
  rmSync(temporary, { recursive: true });
  return cost;
}

export function removeBuiltPeers(): void {
  for (const left of [...OUTPUTS, ...readdirSync(FOLDER).filter(isMovedAside)])
    rmSync(join(FOLDER, left), { recursive: true, force: true });
}

const PREFIX = '.left-';

/**
 * Renames a folder instead of deleting it before the next measurement; all are deleted at the end. For a while after many
 * files were deleted, a file system takes several times as long to create new ones.
 */
export function moveAside(folder: string): void {
  if (existsSync(folder)) renameSync(folder, join(dirname(folder), `${PREFIX}${randomUUID()}`));
}

function isMovedAside(path: string): boolean {
  return basename(path).startsWith(PREFIX);
}
