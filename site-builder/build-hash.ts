/** Identifies what a build is made from. Loads no parser: a start needs it before the first page. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EMBEDDED_PUBLISHABLE_KEY, type Settings } from '../config/settings.ts';
import { brandingFiles } from '../src/branding/branding-files.ts';
import { catalogueFile, SAMPLE_CATALOGUE } from '../src/catalogue/catalogue-file.ts';
import { isComplete } from './built-site/build-files.ts';
import { DIST } from './live-build.ts';

export const BUILD_HASH_FILE = 'build-hash.txt';

/** What the pages are built from, besides the catalogue and the settings. */
const SOURCES = [
  'src',
  'admin-app',
  'public',
  'supabase/functions/_shared/contract',
  'site-builder',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
];

/** Returns whether dist/ is up to date and can be served. */
export function isFresh(settings: Settings): boolean {
  const file = join(DIST, BUILD_HASH_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === buildHashOf(settings) && isComplete(DIST);
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

/**
 * Identifies what a build is made from: the hash of its sources, a blank, and the hash of the catalogue.
 * @throws BrandingError where the folder of the branding cannot be read
 */
export function buildHashOf(settings: Settings): string {
  return `${sourcesHash(settings)} ${hashOf([catalogueFile()])}\n`;
}

/** The clone's files that pages are built from, the sample catalogue among them. */
export function sourceFiles(): string[] {
  return SOURCES.flatMap(filesOf);
}

/** Hashes everything but the catalogue. The owner's branding is on every page, like the sources. */
function sourcesHash(settings: Settings): string {
  const look = hashOf(brandingFiles());
  const sources = sourceFiles().filter((file) => file !== SAMPLE_CATALOGUE);
  return hashOf(sources, `${JSON.stringify(buildEnvironment(settings))}\n${look}`);
}

/** With paths in the clone's folder: a copy or another place of it needs no other build. */
function hashOf(files: string[], more = ''): string {
  const hash = createHash('sha256').update(more);
  for (const file of files)
    hash
      .update(`${relative('', file)}\n`)
      .update(contentOf(file))
      .update('\n');
  return hash.digest('hex');
}

/** Returns the error's code for a file that cannot be read: the build reports it. Nothing for one just removed. */
function contentOf(file: string): Buffer | string {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

/** Without hidden files: editors save unfinished changes in them. */
function filesOf(path: string): string[] {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return entry?.isFile() ? [path] : [];
  return readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
