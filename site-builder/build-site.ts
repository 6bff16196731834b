/** Makes dist/: Astro's pages, their compressed forms and the catalogue to publish; only when needed. */
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Publish } from '#contract/publication.ts';
import { checkAdminHost, type Settings } from '../config/settings.ts';
import { takeLock } from '../process/lock-file.ts';
import { UserError } from '../process/user-error.ts';
import { ownAccent } from '../src/branding/design-tokens.ts';
import { loadBranding } from '../src/branding/load-branding.ts';
import {
  BUILD_FOLDER,
  catalogueFile,
  isSample,
  ownCatalogue,
  ownFolder,
  type Place,
} from '../src/catalogue/catalogue-file.ts';
import { type Catalogue, CatalogueError, CHECKED_CATALOGUE, loadCatalogue } from '../src/catalogue/load.ts';
import { messagesOf } from '../src/i18n/languages.ts';
import { assertCatalogueOutsideSite } from './assert-outside-site.ts';
import { BUILD_HASH_FILE, buildEnvironment, buildHashOf, isFresh } from './build-hash.ts';
import { buildWarnings } from './build-warnings.ts';
import { writeFileIndex } from './built-site/file-index.ts';
import { findPolicies, writePolicies } from './built-site/policies.ts';
import { findPublication, publicationOf, writePublication } from './built-site/publication.ts';
import { findSiteFacts, writeSiteFacts } from './built-site/site-facts.ts';
import { compressFiles } from './compress.ts';
import { BUILDS, DIST, goLive, liveBuild } from './live-build.ts';
import { assertNoCustomerData } from './published-data.ts';

/** Of a build, whether its catalogue was the owner's: `own` or `other`. */
const ORIGIN_FILE = 'catalogue-origin.txt';
/** The new build until it is complete. The last one is served meanwhile, and stays if this one fails. */
const NEXT = join(BUILDS, 'next');
/** Astro's pages of the last build, of which it reuses those that show the same. */
const CACHE = join(BUILD_FOLDER, '.astro/cache');
/** Astro's own copy of the catalogue. */
const DATA_STORE = join(CACHE, 'data-store.json');
/** Hash of the sources of these pages. Missing while a build changes them, and after one that was killed. */
const CACHED_SOURCES = join(CACHE, 'sources.txt');
/** Locked while a build runs. */
const LOCK = resolve('.astro/build.lock');
/** Longest wait for another build. */
const OTHER_BUILD_TIMEOUT_MS = 30 * 60_000;

/**
 * Checks the catalogue, its languages and the owner's branding. Returns the catalogue.
 * @throws UserError where it is in a folder of the site
 * @throws CatalogueError naming every wrong entry and field, MessagesError naming a missing message, or BrandingError
 *   naming the problems in the owner's files
 */
export function prepareCatalogue(place: Place = process): Catalogue {
  assertCatalogueOutsideSite(place);
  assertOwnCatalogueIsThere(place);
  const catalogue = loadCatalogue(catalogueFile(place), place.cwd());
  for (const language of catalogue.settings.languages) messagesOf(language);
  loadBranding(place);
  return catalogue;
}

/** @throws CatalogueError where the sample would take the place of the owner's catalogue, which is gone */
function assertOwnCatalogueIsThere(place: Place): void {
  const origin = join(DIST, ORIGIN_FILE);
  if (!isSample(catalogueFile(place), place) || !existsSync(origin) || readFileSync(origin, 'utf8') !== 'own')
    return;
  const what = 'is not there any more: put it back. To sell the sample’s domains instead, remove dist first';
  throw new CatalogueError(ownCatalogue(place), [{ what }], place.cwd());
}

/** Returns whether dist/ can be served, even if it is not up to date. */
export function hasBuild(): boolean {
  return [findPolicies, findSiteFacts, findPublication].every((find) => find(DIST) !== undefined);
}

export interface BuildOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Publishes the catalogue: before the pages go live, with the old one kept, and afterwards. Absent if the server that
   * serves the pages does it.
   */
  readonly publish?: Publish | undefined;
  readonly console?: Console;
}

/** Builds the site in another folder, and replaces dist/ when it is complete. */
export async function buildSite(settings: Settings, options: BuildOptions = {}): Promise<void> {
  const { signal, console = globalThis.console } = options;
  mkdirSync(dirname(LOCK), { recursive: true });
  const free = await takeLock(LOCK, 0);
  if (free) return await buildAlone(settings, options).finally(free);
  console.log('Another build is under way: waiting for it …');
  const leave = () => process.exit(0);
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave);
  const release = await takeLock(LOCK, OTHER_BUILD_TIMEOUT_MS);
  signal?.removeEventListener('abort', leave);
  if (!release) throw new UserError('Another build has not ended for half an hour. Stop it first.');
  try {
    const readAt = new Date().toISOString();
    if (!isFresh(settings)) return await buildAlone(settings, options);
    // The other build may have run without the right to publish.
    const publication = findPublication(liveBuild());
    if (publication) await options.publish?.({ ...publication, readAt }, false);
  } finally {
    release();
  }
}

async function buildAlone(
  settings: Settings,
  { signal, publish, console = globalThis.console }: BuildOptions,
): Promise<void> {
  const started = performance.now();
  assertNoCustomerData('public', settings.dataDir);
  const readAt = new Date();
  const buildHash = buildHashOf(settings);
  const catalogue = prepareCatalogue();
  const { domains, settings: owners } = catalogue;
  const branding = loadBranding();
  const allNames = domains.map(({ name }) => name);
  checkAdminHost(settings, allNames);
  console.log('Building the pages …');
  const [sources = ''] = buildHash.split(' ');
  const last = liveBuild();
  const canReuse = existsSync(CACHED_SOURCES) && readFileSync(CACHED_SOURCES, 'utf8') === sources;
  rmSync(canReuse ? CACHED_SOURCES : CACHE, { recursive: true, force: true });
  await renderPages(settings, catalogue, signal);
  const pageCount = domains.length * owners.languages.length;
  const files = compressFiles(join(NEXT, 'client'), pageCount, join(last, 'client'));
  writeFileIndex(NEXT, files);
  writePolicies(NEXT, buildEnvironment(settings), files);
  writeSiteFacts(NEXT, catalogue);
  writeFileSync(join(NEXT, ORIGIN_FILE), catalogueFile() === ownCatalogue() ? 'own' : 'other');

  // If the catalogue was edited meanwhile, some pages may show the old version.
  const edited = buildHashOf(settings) !== buildHash;
  if (!edited) {
    writeFileSync(CACHED_SOURCES, sources);
    writeFileSync(join(NEXT, BUILD_HASH_FILE), buildHash);
  }
  const publication = publicationOf(
    catalogue,
    `${buildHash.trim()} ${Date.now()}`,
    ownAccent(branding.tokens),
    readAt,
  );
  writePublication(NEXT, publication);
  await publish?.(publication, true);
  goLive(NEXT);
  await publish?.(publication, false);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Built the pages in ${seconds} s (${domains.length.toLocaleString('en-US')} domains).`);
  for (const line of buildWarnings(catalogue, branding)) console.log(line);
  if (edited)
    console.log('The catalogue, the branding or the code was edited meanwhile: please build once more.');
}

async function renderPages(
  settings: Settings,
  catalogue: Catalogue,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Only public settings, so that no secret of this process's environment can get into a page.
  const { PATH, HOME, NODE_COMPILE_CACHE, DEMO_DIR } = process.env;
  rmSync(NEXT, { recursive: true, force: true });
  // For its owner alone to read: minimums and the closing text are not public. The mode is that of a new file.
  rmSync(CHECKED_CATALOGUE, { force: true });
  mkdirSync(dirname(CHECKED_CATALOGUE), { recursive: true });
  writeFileSync(CHECKED_CATALOGUE, JSON.stringify(catalogue), { mode: 0o600 });
  const script = join(import.meta.dirname, 'render-pages.ts');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    // The child exits at the end of its input, when this process has ended.
    stdio: ['pipe', 'inherit', 'inherit'],
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      DEMO_DIR,
      CATALOGUE: CHECKED_CATALOGUE,
      OWN_DIR: ownFolder(),
      OUT_DIR: NEXT,
      // Options of the catalogue whose code the scripts have (astro.config.mjs).
      LOW_OFFERS: catalogue.domains.some(({ minimum }) => minimum !== undefined) ? 'yes' : 'no',
      OFFER_MESSAGE: catalogue.settings.offerMessage ? 'yes' : 'no',
      EMAIL_USE: catalogue.settings.emailUse ? 'yes' : 'no',
      ...buildEnvironment(settings),
    },
    ...(signal ? { signal } : {}),
  });
  const code = await new Promise((done) => child.once('exit', done).once('error', () => done(1)));
  if (signal?.aborted) process.exit(0);
  if (existsSync(DATA_STORE)) chmodSync(DATA_STORE, 0o600);
  if (code !== 0) throw new UserError('The pages could not be built (see the log above).');
}
