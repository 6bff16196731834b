/** Makes dist/: the catalogue for the functions, Astro's pages, their compressed forms and share images; only when needed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { EMBEDDED_PUBLISHABLE_KEY, type Settings } from '../server/settings.ts';
import { CATALOGUE_FILE, type Catalogue, catalogueFile, loadCatalogue } from '../src/catalogue/load.ts';
import { hasOwnImages } from '../src/catalogue/own-images.ts';
import { textsOf } from '../src/texts/languages.ts';
import { takeLock } from '../supabase/local/file-lock.ts';
import { SettingError } from '../supabase/local/setting-error.ts';
import { compressSite } from './compress.ts';
import { finishPage } from './finish-page.ts';
import { keepPages, NOTES, noteMade } from './kept-pages.ts';
import { collectPolicies, findPolicies } from './policies.ts';
import { showProgress } from './progress.ts';
import { makeShareImages } from './share-images.ts';

export const DIST = resolve('dist');
const STAMP = join(DIST, 'stamp.txt');
/** Where a build grows until it is whole: the last one is served meanwhile, and stays where this one fails. */
const NEXT = resolve('.astro/next');
const LAST = resolve('.astro/last');
/** Held while a build works there. */
const LOCK = resolve('.astro/build.lock');
/** How long another build may take, in milliseconds. */
const PATIENCE = 30 * 60_000;

/** What the pages are made of, besides the catalogue and the settings. */
const SOURCES = [
  'src',
  'admin-app',
  'public',
  'supabase/functions/_shared/contract',
  'build',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
];

/**
 * Checks the catalogue and its languages, and writes the part that the functions know. Answers the catalogue.
 * @throws CatalogueError naming every wrong entry and field, or TextsError a text that a language lacks
 */
export function prepareCatalogue(): Catalogue {
  const catalogue = loadCatalogue();
  const { domains, settings } = catalogue;
  for (const language of settings.languages) textsOf(language);
  const names = domains.map(({ name }) => name);
  const text = JSON.stringify({ domains: names, hosts: settings.hosts });
  const file = 'supabase/functions/_shared/catalogue.json';
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return catalogue;
}

/** Whether dist/ is what a build would make now, and can be served. */
export function isFresh(settings: Settings): boolean {
  return (
    existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf(settings) && findPolicies(DIST) !== undefined
  );
}

/** Builds the site beside the last one, showing Astro's progress, and puts it in its place once it is whole. */
export async function buildSite(settings: Settings, signal?: AbortSignal): Promise<void> {
  mkdirSync(dirname(LOCK), { recursive: true });
  const free = await takeLock(LOCK, 0);
  if (free) return await buildAlone(settings, signal).finally(free);
  console.log('Another build is under way: waiting for it …');
  const leave = () => process.exit(0);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  const release = await takeLock(LOCK, PATIENCE);
  signal?.removeEventListener('abort', leave);
  if (!release) throw new SettingError('Another build has not ended for half an hour. Stop it first.');
  try {
    if (!isFresh(settings)) await buildAlone(settings, signal);
  } finally {
    release();
  }
}

async function buildAlone(settings: Settings, signal: AbortSignal | undefined): Promise<void> {
  const started = performance.now();
  const stamp = stampOf(settings);
  console.log('Building the pages …');
  const sources = sourcesHash(settings);
  const kept = keepPages(DIST, sources);
  await runAstro(settings, kept?.renderOnly, signal);
  // Nothing is rendered on request: the server that the adapter also makes is not used.
  rmSync(join(NEXT, 'server'), { recursive: true, force: true });
  const { domains, settings: owners } = loadCatalogue();
  const policies = collectPolicies(buildEnvironment(settings), kept?.policies);
  const total = domains.length * owners.languages.length;
  const pages = compressSite(join(NEXT, 'client'), total, (address, raw) => {
    const { html, inlined } = finishPage(raw);
    policies.note(address, inlined);
    return html;
  });
  policies.write(NEXT);
  const own = hasOwnImages(owners, domains.length);
  const names = own ? domains.map(({ name }) => name) : [];
  const pictures = await makeShareImages(DIST, names, signal);

  // Of a catalogue that was edited meanwhile, some pages are of before and some of after.
  const edited = stampOf(settings) !== stamp;
  if (!edited) {
    noteMade(NEXT, sources);
    writeFileSync(join(NEXT, basename(STAMP)), stamp);
  }
  // From here on the last build is no whole one, and nothing that is said of it holds: its pages move.
  for (const said of [STAMP, join(DIST, NOTES)]) rmSync(said, { force: true });
  kept?.moveTo(NEXT);
  pictures.moveTo(NEXT);
  replaceLast();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const made = `${pages.toLocaleString('en-US')} pages (${kept ? 'the others were kept; ' : ''}share images drawn: ${pictures.drawn.toLocaleString('en-US')})`;
  console.log(`Built ${made} in ${seconds} s.`);
  if (edited) console.log('The catalogue or the code was edited meanwhile: please build once more.');
  if (!own && owners.shareImages === undefined) {
    console.log('All domains share one picture: shareImages: true in the catalogue gives each its own.');
  }
}

function replaceLast(): void {
  rmSync(LAST, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, LAST);
  renameSync(NEXT, DIST);
  rmSync(LAST, { recursive: true, force: true });
}

/** Settings that are built into the pages; an empty value counts as absent. */
export function buildEnvironment(settings: Settings): Record<string, string> {
  return {
    ASTRO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
    TURNSTILE_SITE_KEY: settings.turnstile?.siteKey ?? '',
    SUPABASE_URL: settings.supabase?.url ?? '',
    SUPABASE_PUBLISHABLE_KEY: settings.supabase?.publishableKey ?? EMBEDDED_PUBLISHABLE_KEY,
  };
}

async function runAstro(
  settings: Settings,
  renderOnly: string | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const astro = join(createRequire(import.meta.url).resolve('astro/package.json'), '../bin/astro.mjs');
  // Only what the pages may know: a secret in this process's environment cannot end in a page.
  const { PATH, HOME } = process.env;
  rmSync(NEXT, { recursive: true, force: true });
  // The limits make it tidy up more often: ten thousand pages in well under a gigabyte, and hardly slower.
  const limits = ['--max-old-space-size=640', '--max-semi-space-size=32'];
  const child = spawn(process.execPath, [...limits, astro, 'build', '--outDir', NEXT], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH,
      HOME,
      CATALOGUE: catalogueFile(),
      RENDER_ONLY: renderOnly ?? '',
      ...buildEnvironment(settings),
    },
    ...(signal ? { signal } : {}),
  });
  showProgress(child.stdout, loadCatalogue().domains.length);
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)));
  if (signal?.aborted) process.exit(0);
  if (code !== 0) throw new SettingError('The pages could not be built; the reason stands above.');
}

function stampOf(settings: Settings): string {
  return `${sourcesHash(settings)} ${hashOf([catalogueFile()])}\n`;
}

/** Of everything but the catalogue. */
function sourcesHash(settings: Settings): string {
  return hashOf(
    SOURCES.flatMap(filesOf).filter((file) => file !== CATALOGUE_FILE),
    JSON.stringify(buildEnvironment(settings)),
  );
}

function hashOf(files: string[], more = ''): string {
  const hash = createHash('sha256').update(more);
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(file)).update('\n');
  return hash.digest('hex');
}

function filesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
