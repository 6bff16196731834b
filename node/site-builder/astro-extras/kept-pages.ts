/**
 * Spares a large catalogue's next build the pages that would come out the same: Astro is asked for those that changed
 * (../render-pages.ts), and the others' files are moved into the new build afterwards.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Catalogue } from '../../../src/catalogue/load.ts';
import { hasOwnImages } from '../../../src/catalogue/own-images.ts';
import { relatedDomains } from '../../../src/catalogue/related-domains.ts';
import { prefixOf } from '../../../src/i18n/locale-prefix.ts';
import { findPolicies, type Policies } from '../../manifest/policies.ts';
import { readJson } from '../../manifest/read-json.ts';

/** What is rendered of a site whose other pages are kept. */
export interface Part {
  /** The names of the domains whose pages changed; pages that are no domain's are always rendered. */
  readonly changed: string[];
  /** The policies that hold for the kept pages. */
  readonly policies: Policies;
}

/** Whether a page is of the part; its path is such as `/de/sites/lap.app/`. */
export function isOfPart({ changed }: Part): (path: string) => boolean {
  const names = new Set(changed);
  return (path) => {
    const name = /(?:^|\/)sites\/([^/]+)\/?$/.exec(path)?.[1];
    return name === undefined || names.has(name);
  };
}

export interface KeptPages {
  /** A file with the part to render, as JSON. */
  readonly part: string;
  /** How many domains' pages are rendered. */
  readonly changed: number;
  /** Moves the others into the new build, which has the rendered ones. */
  moveTo(next: string): void;
}

/** What stands in the notes: from what each domain's page was made. */
interface Made {
  /** Hash of the code and the settings that make pages. */
  sources: string;
  scripts: string[];
  pages: Record<string, string>;
}

/** In dist/: what its pages were made from. */
export const NOTES = 'pages.json';
const PART = '.astro/part.json';

/** Finds the pages that need not be made again; undefined where a whole build is simpler, or needed. */
export function keepPages(dist: string, sources: string, catalogue: Catalogue): KeptPages | undefined {
  const before = readJson<Made>(join(dist, NOTES));
  const policies = findPolicies(dist);
  if (before?.sources !== sources || !policies) return undefined;
  const now = fingerprints(catalogue);
  if (!now) return undefined;
  const folders = sitesFolders(catalogue);
  const changed = Object.keys(now).filter(
    (name) =>
      now[name] !== before.pages[name] ||
      !folders.every((sites) => existsSync(join(dist, 'client', sites, name, 'index.html'))),
  );
  if (changed.length > Object.keys(now).length / 2) return undefined;

  const part: Part = { changed, policies };
  mkdirSync(dirname(PART), { recursive: true });
  writeFileSync(PART, JSON.stringify(part));
  return {
    part: PART,
    changed: changed.length,
    moveTo: (next) => {
      const missing = before.scripts.filter((file) => !existsSync(join(next, 'client/_astro', file)));
      if (missing.length > 0) throw new Error(`The same sources made other scripts: ${missing.join(', ')}.`);
      for (const sites of folders)
        complete(
          join(dist, 'client', sites),
          join(next, 'client', sites),
          new Set(Object.keys(now)),
          changed,
        );
    },
  };
}

/** Completes the kept pages with the rendered ones, drops those of no domain, and puts all of them in their place. */
function complete(kept: string, sites: string, names: ReadonlySet<string>, rendered: string[]): void {
  for (const name of readdirSync(kept)) if (!names.has(name)) rmSync(join(kept, name), { recursive: true });
  for (const name of rendered) {
    rmSync(join(kept, name), { recursive: true, force: true });
    renameSync(join(sites, name), join(kept, name));
  }
  rmSync(sites, { recursive: true, force: true });
  mkdirSync(dirname(sites), { recursive: true });
  renameSync(kept, sites);
}

/** Where the domains' pages stand, in every language: `sites`, `de/sites`. */
function sitesFolders({ settings: { languages } }: Catalogue): string[] {
  return languages.map((language) => join('.', prefixOf(language, languages), 'sites'));
}

/** Notes from what the pages were made, for the next build. */
export function noteMade(dist: string, sources: string, catalogue: Catalogue): void {
  const pages = fingerprints(catalogue);
  if (!pages) return;
  const scripts = readdirSync(join(dist, 'client/_astro')).filter((file) => file.endsWith('.js'));
  const made: Made = { sources, scripts, pages };
  writeFileSync(join(dist, NOTES), JSON.stringify(made));
}

/**
 * A hash of all that a domain's page shows; undefined for a catalogue small enough to be shown whole on each page. How
 * a name is read (`shownName`) follows from the name and the sources.
 */
function fingerprints({ domains, settings }: Catalogue): Record<string, string> | undefined {
  const related = relatedDomains(domains);
  if (!related.partial) return undefined;
  const ownImages = hasOwnImages(settings, domains.length);
  return Object.fromEntries(
    domains.map(({ name, price, about }) => {
      const shown = related.shownOn(name).map((one) => [one.name, one.description, one.hasBroker]);
      const text = JSON.stringify([settings, ownImages, shown, about, settings.showPrice && price]);
      return [name, createHash('sha256').update(text).digest('base64url').slice(0, 22)];
    }),
  );
}
