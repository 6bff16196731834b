/**
 * Reuses unchanged pages in the next build of a large catalogue: Astro renders those that changed (../render-pages.ts),
 * and the files of the others are hard-linked into the new build: both builds have them, on the disk they are once.
 */
import { hash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cardPrice } from '../../../src/catalogue/card-price.ts';
import { isForSale } from '../../../src/catalogue/is-for-sale.ts';
import type { Catalogue } from '../../../src/catalogue/load.ts';
import { hasOwnImages } from '../../../src/catalogue/own-images.ts';
import { relatedDomains } from '../../../src/catalogue/related-domains.ts';
import { prefixOf } from '../../../src/i18n/locale-prefix.ts';
import type { Policies } from '../../../src/serving/policies.ts';
import { findPolicies } from '../../manifest/policies.ts';
import { readJson } from '../../manifest/read-json.ts';

/** What to render when the other pages are reused. */
export interface PartialBuild {
  /** The names of the domains whose pages changed. Pages of no domain are always rendered. */
  readonly changed: string[];
  /** The policies of the reused pages. */
  readonly policies: Policies;
}

/** Returns whether to render a page, by its path such as `/de/sites/lap.app/`. */
export function isInPartialBuild({ changed }: PartialBuild): (path: string) => boolean {
  const names = new Set(changed);
  return (path) => {
    const name = /(?:^|\/)sites\/([^/]+)\/?$/.exec(path)?.[1];
    return name === undefined || names.has(name);
  };
}

export interface ReusedPages {
  /** A JSON file with the `PartialBuild`. */
  readonly part: string;
  /** Number of domains whose pages are rendered. */
  readonly changed: number;
  /** Adds the reused pages to the new build. */
  linkInto(next: string): void;
}

/** Hashes of what each domain's page was built from. */
interface PagesManifest {
  /** Hash of code and settings. */
  sources: string;
  scripts: string[];
  pages: Record<string, string>;
}

/** File of the `PagesManifest` in dist/. */
const PAGES_MANIFEST = 'pages.json';
const PARTIAL_BUILD_FILE = '.astro/part.json';

/** Finds the pages to reuse. Returns undefined if a full build is needed or more than half of the domains changed. */
export function reusePages(dist: string, sources: string, catalogue: Catalogue): ReusedPages | undefined {
  const before = readJson<PagesManifest>(join(dist, PAGES_MANIFEST));
  const policies = findPolicies(dist);
  if (before?.sources !== sources || !policies) return undefined;
  const now = fingerprints(catalogue);
  if (!now) return undefined;
  const { languages } = catalogue.settings;
  /** Folders of the domains' pages in every language. */
  const folders = languages.map((language) => join('client', prefixOf(language, languages), 'sites'));
  const isThere = (name: string) => folders.every((one) => existsSync(join(dist, one, name, 'index.html')));
  const names = Object.keys(now);
  const changed = names.filter((name) => now[name] !== before.pages[name] || !isThere(name));
  if (changed.length > names.length / 2) return undefined;

  const part: PartialBuild = { changed, policies };
  mkdirSync(dirname(PARTIAL_BUILD_FILE), { recursive: true });
  writeFileSync(PARTIAL_BUILD_FILE, JSON.stringify(part));
  return {
    part: PARTIAL_BUILD_FILE,
    changed: changed.length,
    linkInto: (next) => {
      const missing = before.scripts.filter((file) => !existsSync(join(next, 'client/_astro', file)));
      if (missing.length > 0) throw new Error(`The same sources built other scripts: ${missing.join(', ')}.`);
      const rendered = new Set(changed);
      const reused = names.filter((name) => !rendered.has(name));
      for (const folder of folders) linkPages(join(dist, folder), join(next, folder), reused);
    },
  };
}

/** Each page is a folder with the page and its compressed forms. */
function linkPages(from: string, to: string, names: string[]): void {
  for (const name of names) {
    const [page, copy] = [join(from, name), join(to, name)];
    mkdirSync(copy, { recursive: true });
    for (const file of readdirSync(page)) linkSync(join(page, file), join(copy, file));
  }
}

/** Writes the hashes that the next build compares. */
export function writePagesManifest(dist: string, sources: string, catalogue: Catalogue): void {
  const pages = fingerprints(catalogue);
  if (!pages) return;
  const scripts = readdirSync(join(dist, 'client/_astro')).filter((file) => file.endsWith('.js'));
  const manifest: PagesManifest = { sources, scripts, pages };
  writeFileSync(join(dist, PAGES_MANIFEST), JSON.stringify(manifest));
}

/**
 * Hashes everything that a domain's page shows. Returns undefined for a catalogue small enough to be shown whole on each
 * page. The decoded name (`shownName`) depends on the name and the sources only.
 */
function fingerprints({ domains, settings, defaults }: Catalogue): Record<string, string> | undefined {
  const related = relatedDomains(domains.filter(isForSale));
  if (!related.partial) return undefined;
  const ownImages = hasOwnImages(settings, domains.length);
  return Object.fromEntries(
    domains.map(({ name, price, about, state, buyNow, instalments }) => {
      const shown = related
        .shownOn(name)
        .map((one) => [one.name, one.description, one.hasBroker, cardPrice(settings, one.price)]);
      const shownPrice = settings.showPrice !== 'never' && price;
      const parts = [
        settings,
        ownImages,
        defaults?.description,
        shown,
        about,
        state,
        shownPrice,
        buyNow,
        instalments,
      ];
      return [name, hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)];
    }),
  );
}
