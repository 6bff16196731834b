/** Builds the peers, each in its own folder, with the packages of bench/ (Astro: the product's own). */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { type Entry, writeJson } from './catalogue.ts';
import { type Cost, costOf } from './cost.ts';

export type BuiltPeer = 'vite-react' | 'next-export' | 'bare-astro';

/** Output folder of each. */
const OUTPUT: Record<BuiltPeer, string> = {
  'vite-react': 'dist',
  'next-export': 'out',
  'bare-astro': 'dist',
};

const COMMANDS: Record<BuiltPeer, string[]> = {
  'vite-react': ['bench/node_modules/vite/bin/vite.js', 'build'],
  'next-export': ['bench/node_modules/next/dist/bin/next', 'build'],
  'bare-astro': ['node_modules/astro/bin/astro.mjs', 'build'],
};

export interface BuiltSite {
  readonly folder: string;
  readonly cost: Cost;
}

export async function buildPeer(name: BuiltPeer, entries: readonly Entry[]): Promise<BuiltSite> {
  const temporary = mkdtempSync(join(tmpdir(), 'peer-'));
  const catalogue = join(temporary, 'catalogue.json');
  writeJson(catalogue, entries);
  const cwd = resolve('bench/peers', name);
  for (const built of buildOutputsOf(name)) moveAside(join(cwd, built));
  const [program = '', ...options] = COMMANDS[name];
  const cost = await costOf([resolve('node_modules/.bin/node'), resolve(program), ...options], {
    cwd,
    env: {
      BENCH_CATALOGUE: catalogue,
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      NEXT_TELEMETRY_DISABLED: '1',
    },
  });
  rmSync(temporary, { recursive: true });
  return { folder: join(cwd, OUTPUT[name]), cost };
}

/** Outputs and caches of a build, moved aside so that the next one starts from scratch. */
function buildOutputsOf(name: BuiltPeer): string[] {
  return ['.next', '.astro', OUTPUT[name]];
}

export function removeBuiltPeers(): void {
  for (const name of Object.keys(OUTPUT) as BuiltPeer[]) {
    const folder = resolve('bench/peers', name);
    for (const left of [...buildOutputsOf(name), ...readdirSync(folder).filter(isMovedAside)])
      rmSync(join(folder, left), { recursive: true, force: true });
  }
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
