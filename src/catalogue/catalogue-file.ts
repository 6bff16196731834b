/** Finds the catalogue's file: the one that CATALOGUE names, else the owner's, else, without OWN_DIR, the sample. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { SETTINGS } from '#contract/settings.ts';

/** The sample, which belongs to the repository: an update may change it. */
export const SAMPLE_CATALOGUE = 'src/content/catalogue.yaml';

/** The absolute path of the owner's folder. It need not exist. Commands run from the repository's root. */
export function ownFolder(): string {
  return resolve(settingOf('OWN_DIR') || SETTINGS.OWN_DIR.default);
}

/** The absolute path of the catalogue. Reads .env here, because some commands need no other setting. */
export function catalogueFile(): string {
  const named = settingOf('CATALOGUE');
  if (named) return resolve(named);
  const own = ownCatalogue();
  // A folder that is named but not there must not put the sample's domains on sale.
  return existsSync(own) || settingOf('OWN_DIR') ? own : resolve(SAMPLE_CATALOGUE);
}

/** The absolute path of the owner's catalogue where CATALOGUE names none. It need not exist. */
export function ownCatalogue(): string {
  return join(ownFolder(), 'catalogue.yaml');
}

/** Whether a file is the sample. */
export function isSample(file: string): boolean {
  return file === resolve(SAMPLE_CATALOGUE);
}

/** A setting of the environment or else of .env, without white space around it; empty if it is not set. */
function settingOf(name: 'CATALOGUE' | 'OWN_DIR'): string {
  return (process.env[name] ?? envFile()[name] ?? '').trim();
}

function envFile(): NodeJS.Dict<string> {
  // Editors may write a byte order mark.
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, '')) : {};
}
