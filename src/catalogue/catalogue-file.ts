/** Finds the catalogue's file: the one that CATALOGUE names, else the owner's, else, without OWN_DIR, the sample. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { SETTINGS } from '#contract/settings.ts';

/** The sample, which belongs to the repository: an update may change it. */
export const SAMPLE_CATALOGUE = 'src/content/catalogue.yaml';

/** Where builds and their caches are: in the clone, or in a folder of `npm run demo`, whose names must not get into the clone's site. */
export const BUILD_FOLDER = resolve(process.env.DEMO_DIR ?? '');

/** Where the settings and the project are: `process`, or what a command has in its place. */
export type Place = Readonly<Pick<NodeJS.Process, 'env' | 'cwd'>>;

/** The absolute path of the owner's folder. It need not exist. Commands run from the repository's root. */
export function ownFolder(place: Place = process): string {
  return resolve(place.cwd(), settingOf('OWN_DIR', place) || SETTINGS.OWN_DIR.default);
}

/** The absolute path of the catalogue. Reads .env here, because some commands need no other setting. */
export function catalogueFile(place: Place = process): string {
  const named = settingOf('CATALOGUE', place);
  if (named) return resolve(place.cwd(), named);
  const own = ownCatalogue(place);
  // A folder that is named but not there must not put the sample's domains on sale.
  return existsSync(own) || settingOf('OWN_DIR', place) ? own : resolve(place.cwd(), SAMPLE_CATALOGUE);
}

/** The absolute path of the owner's catalogue where CATALOGUE names none. It need not exist. */
export function ownCatalogue(place: Place = process): string {
  return join(ownFolder(place), 'catalogue.yaml');
}

/** Whether a file is the sample. */
export function isSample(file: string, { cwd }: Pick<Place, 'cwd'> = process): boolean {
  return file === resolve(cwd(), SAMPLE_CATALOGUE);
}

/** A setting of the environment or else of .env, without white space around it; empty if it is not set. */
function settingOf(name: 'CATALOGUE' | 'OWN_DIR', { env, cwd }: Place): string {
  return (env[name] ?? envFile(cwd())[name] ?? '').trim();
}

function envFile(folder: string): NodeJS.Dict<string> {
  const file = join(folder, '.env');
  // Editors may write a byte order mark.
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) : {};
}
