/**
 * `npm run check` runs this: imports between folders go one way, and code for the browser imports no Node. Prints each
 * violation with its files and exits with 1.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { findCycle } from './find-cycle.ts';

const SOURCES = '{src,admin-app,node,supabase,tests,bench}/**/*.{ts,tsx,mjs,astro}';

/** Folders whose code ships to the browser, or may. None of it imports Node or a folder that does. */
const BROWSER_FOLDERS = [
  'admin-app',
  'src/api',
  'src/domain-name',
  'src/enhance',
  'src/i18n',
  'src/islands',
  'src/stores',
  'supabase/functions/_shared/contract',
];

/** Tests and what only tests use: they may import everything, and nothing else imports them. */
const TEST = /\.(?:test|spec|fixture|stub)\.tsx?$|\/fake-|-fakes\.ts$/;

/** Folders that hold one thing with its subfolders: an import between those is none between folders. */
const WHOLE = ['tests/abuse', 'bench/peers', 'src/pages'];

interface Import {
  readonly from: string;
  readonly to: string;
}

const files = globSync(SOURCES, { exclude: (name) => name === 'node_modules' || name === 'dist' }).map(
  (file) => file.replaceAll('\\', '/'),
);
const imports = files.flatMap(importsOf);
const problems = [...folderCycles(imports), ...nodeInBrowser(imports)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** Every import of a file, relative ones as paths of the repository. */
function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const code = file.endsWith('.astro') ? scriptsOf(text) : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => ({
    from: file,
    to: targetOf(file, fileName),
  }));
}

/** The front matter and the scripts of an Astro component. */
function scriptsOf(text: string): string {
  const [, frontMatter = ''] = /^---\n([\s\S]*?)\n---/.exec(text) ?? [];
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  return [frontMatter, ...scripts].join('\n');
}

function targetOf(file: string, name: string): string {
  if (name.startsWith('.')) return posix.normalize(join(dirname(file), name).replaceAll('\\', '/'));
  return name.replace(/^#contract\//, 'supabase/functions/_shared/contract/');
}

function folderOf(file: string): string {
  return WHOLE.find((folder) => file.startsWith(`${folder}/`)) ?? dirname(file);
}

function folderCycles(all: Import[]): string[] {
  const graph = new Map<string, Map<string, Import>>();
  for (const one of all.filter(({ from, to }) => !TEST.test(from) && files.includes(to))) {
    const [from, to] = [folderOf(one.from), folderOf(one.to)];
    if (from === to) continue;
    graph.set(from, (graph.get(from) ?? new Map()).set(to, one));
  }
  const cycle = findCycle(graph);
  if (!cycle) return [];
  const lines = cycle.map(({ from, to }) => `  ${from} imports ${to}`);
  return [['Folders import each other in a cycle:', ...lines].join('\n')];
}

function nodeInBrowser(all: Import[]): string[] {
  const isBrowser = (file: string) => BROWSER_FOLDERS.some((folder) => file.startsWith(`${folder}/`));
  return all
    .filter(({ from }) => isBrowser(from) && !TEST.test(from))
    .filter(({ to }) => to.startsWith('node:') || (files.includes(to) && !isBrowser(to)))
    .map(({ from, to }) => `${from} imports ${to}, which is not for the browser.`);
}
