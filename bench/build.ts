/** Measures processor time and memory of a large catalogue's build, and of the same pages built by bare Astro. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressPage } from '../server/pages/encodings.ts';
import { makeCatalogue } from './catalogue.ts';
import type { Cost } from './cost.ts';
import { buildProject, type LargeProject, largeProject } from './large-project.ts';
import { buildPeer, moveAside } from './peers.ts';
import { atMost, median, type Row, ratioAtMost } from './rows.ts';

/**
 * Goals for a build that changes neither Astro nor the runtime. Ours includes what the peer does not: the checks of a YAML
 * catalogue, content security policies, and islands.
 * With Response replaced and allocator flags set, the build reached 2 × bare Astro and 1 GB.
 */
const MAX_OF_BARE_ASTRO = 3;
const MAX_MEMORY_MB = 1_300;
const MAX_PAGE_BYTES = 9_000;

/** Alternating, because a machine's speed changes by 10 % within minutes. */
const ROUNDS = 3;

export async function measureBuild(domains: number): Promise<Row[]> {
  const entries = makeCatalogue(domains);
  const project = await largeProject(domains);
  const ours = [project.cost];
  const astro: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round > 1) ours.push(await buildFromScratch(project));
    astro.push(await buildPeer(entries));
  }
  const changed: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    changeOneEntry(project.catalogue, round);
    changed.push(await buildProject(project));
  }

  const area = 'build';
  const count = domains.toLocaleString('en-US');
  const cpu = { area, what: `${count} domains, processor seconds`, ours: medianCpu(ours) };
  const memory = { area, what: `${count} domains, memory at most, MB`, ours: maxMemory(ours) };
  return [
    { ...cpu, peer: { name: 'bare-astro', value: medianCpu(astro) }, goal: ratioAtMost(MAX_OF_BARE_ASTRO) },
    { ...memory, peer: { name: 'bare-astro', value: maxMemory(astro) }, goal: atMost(MAX_MEMORY_MB) },
    {
      area,
      what: 'next build after one entry changed, processor seconds',
      ours: medianCpu(changed),
      peer: { name: 'first build', value: medianCpu(ours) },
    },
    {
      area,
      what: 'largest of all pages, bytes in brotli',
      ours: largestPage(join(project.folder, 'dist/client')),
      goal: atMost(MAX_PAGE_BYTES),
    },
  ];
}

const medianCpu = (costs: readonly Cost[]) => median(costs.map(({ cpu }) => cpu));
const maxMemory = (costs: readonly Cost[]) => Math.max(...costs.map(({ memory }) => memory));

/** Builds without output of the last build to reuse. */
function buildFromScratch(project: LargeProject): Promise<Cost> {
  for (const built of ['dist', '.builds', '.astro']) moveAside(join(project.folder, built));
  return buildProject(project);
}

/** Changes the description of one entry, to another one each time. */
function changeOneEntry(catalogue: string, time: number): void {
  const before = readFileSync(catalogue, 'utf8');
  const after = before.replace(
    /Number 1(?:, edited \d+)? of a long list/,
    `Number 1, edited ${time} of a long list`,
  );
  if (after === before) throw new Error('No entry was changed.');
  writeFileSync(catalogue, after);
}

/** Styles are inlined, so a page is one file. As the server sends it, without the admin pages. */
function largestPage(root: string): number {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.html') && !name.startsWith('admin'),
  );
  if (pages.length === 0) throw new Error(`There are no pages in ${root}.`);
  return Math.max(...pages.map((name) => compressPage(readFileSync(join(root, name)), 'br').byteLength));
}
