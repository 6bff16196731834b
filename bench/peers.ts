/** Builds the peers; each builds in its own folder, with the packages of bench/ (Astro: the product's own). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Entry, writeJson } from './catalogue.ts';
import { type Cost, costOf } from './cost.ts';

export type BuiltPeer = 'vite-react' | 'next-export' | 'bare-astro';

/** Where each leaves its pages. */
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
  removeBuilt(name);
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

/**
 * What a build made and keeps for the next one, which starts from nothing as the product does: a cache would be measured
 * instead. Not only just before that: for a while after many files went away, a file system takes several times as long
 * to make a new one.
 */
export function removeBuiltPeers(): void {
  for (const name of Object.keys(OUTPUT) as BuiltPeer[]) removeBuilt(name);
}

function removeBuilt(name: BuiltPeer): void {
  for (const left of ['.next', '.astro', OUTPUT[name]])
    rmSync(join('bench/peers', name, left), { recursive: true, force: true });
}
