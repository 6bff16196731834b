/**
 * `npm run check` runs this: every import follows the table of layers in docs/architecture.md, and code for the browser
 * and the edge imports no Node module. Prints each violation with its file and exits with 1.
 */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import { layerOf, mayImport, readLayers } from './read-layers.ts';

const SOURCES = '{src,worker,admin-app,node,supabase,tests,bench}/**/*.{ts,tsx,mjs,astro}';

/** Packages that code for the browser may import. */
const BROWSER_PACKAGES =
  /^(?:zod|react|nanostores|@nanostores\/react|@supabase\/(?:supabase|functions)-js|altcha-lib|@noble\/hashes|@tanstack\/react-virtual|astro|#island-(?:runtime|messages))(?:[/:]|$)/;

/** Tests and what only tests use: they may import everything, and product code imports none of them. */
const TEST = /\.(?:test|spec|fixture|stub)\.tsx?$|\/fake-|-fakes\.ts$/;

interface Import {
  readonly from: string;
  /** Path of a file, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
}

const layers = readLayers(readFileSync('docs/architecture.md', 'utf8'));
const files = globSync(SOURCES, { exclude: (name) => name === 'node_modules' || name === 'dist' }).map(
  (file) => file.replaceAll('\\', '/'),
);
const problems = files
  .filter((file) => !TEST.test(file))
  .flatMap((file) => importsOf(file).flatMap(problemOf));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function problemOf({ from, to, isPackage }: Import): string[] {
  const layer = layerOf(layers, from);
  if (!layer) return [`${from} is in a folder without a row in the table of docs/architecture.md.`];
  if (isPackage) {
    const forBrowser = BROWSER_PACKAGES.test(to) && !isBuiltin(to);
    return !layer.isWithoutNode || forBrowser
      ? []
      : [`${from} imports ${to}, which does not run without Node.`];
  }
  // Not code, such as a style sheet.
  if (!files.includes(to)) return [];
  if (TEST.test(to) && layer.imports !== 'everything')
    return [`${from} imports ${to}, which only tests may.`];
  if (mayImport(layers, from, to)) return [];
  return [`${from} imports ${to}, which the table in docs/architecture.md does not allow.`];
}

/** Every import of a file, relative ones as paths of the repository. */
function importsOf(from: string): Import[] {
  const text = readFileSync(from, 'utf8');
  const code = from.endsWith('.astro') ? scriptsOf(text) : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => {
    const name = fileName.replace(/^#contract\//, '/supabase/functions/_shared/contract/');
    if (name.startsWith('/')) return { from, to: name.slice(1), isPackage: false };
    if (!name.startsWith('.')) return { from, to: name, isPackage: true };
    return { from, to: posix.normalize(posix.join(posix.dirname(from), name)), isPackage: false };
  });
}

/** The front matter and the scripts of an Astro component. */
function scriptsOf(text: string): string {
  const [, frontMatter = ''] = /^---\n([\s\S]*?)\n---/.exec(text) ?? [];
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  return [frontMatter, ...scripts].join('\n');
}
