/** A large catalogue's build: its processor time and memory beside the same pages made by Next and by bare Astro. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCatalogue } from './catalogue.ts';
import { buildProject, largeProject } from './large-project.ts';
import { buildPeer } from './peers.ts';
import { atMost, type Row, ratioAtMost } from './rows.ts';

const GIGABYTE = 1024;
const BUDGET = 8_000;

/** Processor time hardly depends on what else the machine does, so that one build of each is enough. */
export async function measureBuild(domains: number): Promise<Row[]> {
  const entries = makeCatalogue(domains);
  const project = await largeProject(domains);
  const next = await buildPeer('next-export', entries);
  const astro = await buildPeer('bare-astro', entries);
  changeOneEntry(project.catalogue);
  const second = await buildProject(project);

  const area = 'build';
  const count = domains.toLocaleString('en-US');
  const cpu = { area, what: `${count} domains, processor seconds`, ours: project.cost.cpu };
  const memory = { area, what: `${count} domains, memory at most, MB`, ours: project.cost.memory };
  return [
    { ...cpu, peer: { name: 'next-export', value: next.cost.cpu }, goal: ratioAtMost(1 / 5) },
    { ...cpu, peer: { name: 'bare-astro', value: astro.cost.cpu }, goal: ratioAtMost(2) },
    { ...memory, peer: { name: 'next-export', value: next.cost.memory }, goal: atMost(GIGABYTE) },
    { ...memory, peer: { name: 'bare-astro', value: astro.cost.memory }, goal: atMost(GIGABYTE) },
    {
      area,
      what: 'next build after one entry changed, processor seconds',
      ours: second.cpu,
      peer: { name: 'first build', value: project.cost.cpu },
    },
    {
      area,
      what: 'largest of all pages, bytes in brotli',
      ours: largestPage(join(project.folder, 'dist/client')),
      goal: atMost(BUDGET),
    },
  ];
}

function changeOneEntry(catalogue: string): void {
  const before = readFileSync(catalogue, 'utf8');
  const after = before.replace('Number 1 of a long list', 'Number one of a long list');
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
