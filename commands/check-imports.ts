/**
 * `npm run check` runs this: every import follows the table of layers in docs/architecture.md, code for the browser and the
 * edge imports no Node module, no files import each other in a circle, and no file takes a module's URL for a path. Prints each
 * violation with its file and exits with 1.
 */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import { findCircles } from './check-imports/find-circles.ts';
import { hasEncodedPath } from './check-imports/has-encoded-path.ts';
import { folderOf, mayImport, readLayers, runsWithoutNode } from './check-imports/read-layers.ts';

/** Its examples are such paths. */
const ENCODED_PATH_TEST = 'commands/check-imports/has-encoded-path.test.ts';

const SOURCES =
  '{src,worker,admin-app,process,config,site-builder,server,commands,supabase,tests,bench}/**/*.{ts,tsx,mjs,astro}';

/** Packages that code for the browser may import. */
const BROWSER_PACKAGES =
  /^(?:zod|react|react-dom|nanostores|@nanostores\/react|@supabase\/(?:supabase|functions)-js|altcha-lib|@noble\/hashes|@tanstack\/react-(?:query|virtual)|astro|virtual:island-messages)(?:[/:]|$)/;

const CODE = /\.(?:tsx?|mjs|astro)$/;

/** Their folders hold tests alone, and what these use. */
const TEST_FOLDERS = ['tests', 'bench', 'supabase/tests'];
/** Tests and what only tests use: they may import everything, and product code imports none of them. */
const TEST = /\.(?:test|spec|fixture|stub)\.tsx?$|\/fake-|-fakes\.ts$/;

const folders = readLayers(readFileSync('docs/architecture.md', 'utf8'));
const files = globSync(SOURCES, { exclude: (name) => name === 'node_modules' || name === 'dist' }).map(
  (file) => file.replaceAll('\\', '/'),
);
const imports = new Map(files.filter((file) => !TEST.test(file)).map((file) => [file, importsOf(file)]));
const problems = [
  ...files
    .filter((file) => file !== ENCODED_PATH_TEST && hasEncodedPath(readFileSync(file, 'utf8')))
    .map((file) => `${file} uses a module’s URL, which is no path: use import.meta.dirname.`),
  ...[...imports]
    .flatMap(([file, imported]) => imported.map((to) => problemOf(file, to)))
    .filter((problem) => problem !== undefined),
  ...findCircles(new Map([...imports].map(([file, imported]) => [`/${file}`, imported]))).map(
    (circle) =>
      `Files import each other in a circle: ${circle.map((file) => file.slice(1)).join(' → ')}. Move what both use to a third.`,
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** @param to path of a file after `/`, or the name of a package */
function problemOf(from: string, to: string): string | undefined {
  const folder = folderOf(folders, from);
  if (!folder) return `${from} is in a folder that the table of docs/architecture.md does not name.`;
  if (!to.startsWith('/')) {
    const runs = !runsWithoutNode(folder) || (BROWSER_PACKAGES.test(to) && !isBuiltin(to));
    return runs ? undefined : `${from} imports ${to}, which does not run without Node.`;
  }
  const path = to.slice(1);
  if (!CODE.test(path)) return undefined;
  if (TEST.test(path) && !TEST_FOLDERS.includes(folder.path))
    return `${from} imports ${path}, which only tests may.`;
  if (mayImport(folders, from, path)) return undefined;
  return `${from} imports ${path}, which the table in docs/architecture.md does not allow.`;
}

/** Every import of a file: packages by name, files by their path in the repository after `/`. */
function importsOf(from: string): string[] {
  const text = readFileSync(from, 'utf8');
  const code = from.endsWith('.astro') ? scriptsOf(text) : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => {
    if (fileName.startsWith('.')) return `/${posix.join(posix.dirname(from), fileName)}`;
    return fileName.replace(/^#contract\//, '/supabase/functions/_shared/contract/');
  });
}

/** The front matter and the scripts of an Astro component. */
function scriptsOf(text: string): string {
  const [, frontMatter = ''] = /^---\n([\s\S]*?)\n---/.exec(text) ?? [];
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  return [frontMatter, ...scripts].join('\n');
}
