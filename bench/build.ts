/** A large catalogue's build: its processor time and memory beside the same pages made by Next and by bare Astro. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCatalogue } from './catalogue.ts';
import type { Cost } from './cost.ts';
import { buildProject, type LargeProject, largeProject } from './large-project.ts';
import { buildPeer } from './peers.ts';
import { atMost, median, type Row, ratioAtMost } from './rows.ts';
import { setAside } from './set-aside.ts';

const GIGABYTE = 1024;
const BUDGET = 8_000;

/** In turn, because a machine's speed changes by a tenth within minutes. */
const ROUNDS = 3;

export async function measureBuild(domains: number): Promise<Row[]> {
  const entries = makeCatalogue(domains);
  const project = await largeProject(domains);
  const ours = [project.cost];
  const next: Cost[] = [];
  const astro: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round > 1) ours.push(await buildAnew(project));
    next.push((await buildPeer('next-export', entries)).cost);
    astro.push((await buildPeer('bare-astro', entries)).cost);
  }
  const changed: Cost[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    changeOneEntry(project.catalogue, round);
    changed.push(await buildProject(project));
  }

  const area = 'build';
  const count = domains.toLocaleString('en-US');
  const cpu = { area, what: `${count} domains, processor seconds`, ours: middleCpu(ours) };
  const memory = { area, what: `${count} domains, memory at most, MB`, ours: mostMemory(ours) };
  return [
    { ...cpu, peer: { name: 'next-export', value: middleCpu(next) }, goal: ratioAtMost(1 / 5) },
    { ...cpu, peer: { name: 'bare-astro', value: middleCpu(astro) }, goal: ratioAtMost(2) },
    { ...memory, peer: { name: 'next-export', value: mostMemory(next) }, goal: atMost(GIGABYTE) },
    { ...memory, peer: { name: 'bare-astro', value: mostMemory(astro) }, goal: atMost(GIGABYTE) },
    {
      area,
      what: 'next build after one entry changed, processor seconds',
      ours: middleCpu(changed),
      peer: { name: 'first build', value: middleCpu(ours) },
    },
    {
      area,
      what: 'largest of all pages, bytes in brotli',
      ours: largestPage(join(project.folder, 'dist/client')),
      goal: atMost(BUDGET),
    },
  ];
}

const middleCpu = (costs: readonly Cost[]) => median(costs.map(({ cpu }) => cpu));
const mostMemory = (costs: readonly Cost[]) => Math.max(...costs.map(({ memory }) => memory));

/** With nothing of the last build to take over. */
function buildAnew(project: LargeProject): Promise<Cost> {
  for (const built of ['dist', '.astro']) setAside(join(project.folder, built));
  return buildProject(project);
}

/** Another text each time, in place of the first one. */
function changeOneEntry(catalogue: string, time: number): void {
  const before = readFileSync(catalogue, 'utf8');
  const after = before.replace(
    /Number 1(?:, edited \d+)? of a long list/,
    `Number 1, edited ${time} of a long list`,
  );
  if (after === before) throw new Error('No entry was changed.');
  writeFileSync(catalogue, after);
}

/** Styles are inlined, so that a page's own file is all that is asked for; without the desk's pages. */
function largestPage(root: string): number {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.html.br') && !name.startsWith('admin'),
  );
  if (pages.length === 0) throw new Error(`There are no compressed pages in ${root}.`);
  return Math.max(...pages.map((name) => statSync(join(root, name)).size));
}
