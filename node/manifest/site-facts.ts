/** Reads and writes dist/site-facts.json: the catalogue's data for robots.txt, sitemap.xml and security.txt. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { type SiteFacts, siteFactsOf } from '../../src/seo/robots-and-sitemap.ts';
import { readJson } from './read-json.ts';

const FILE = 'site-facts.json';

type StoredSiteFacts = Omit<SiteFacts, 'names' | 'notForSale'> & {
  readonly names: readonly string[];
  readonly notForSale?: readonly string[];
};

export function writeSiteFacts(dist: string, catalogue: Catalogue): void {
  const { names, notForSale = [], ...others } = siteFactsOf(catalogue);
  const stored: StoredSiteFacts = { ...others, names: [...names], notForSale: [...notForSale] };
  writeFileSync(join(dist, FILE), JSON.stringify(stored));
}

/** @throws Error without a complete build */
export function readSiteFacts(dist: string): SiteFacts {
  const siteFacts = findSiteFacts(dist);
  if (!siteFacts) throw new Error(`There is no readable ${FILE} in ${dist}.`);
  return siteFacts;
}

/** Returns undefined without a build, or if the file is damaged. */
export function findSiteFacts(dist: string): SiteFacts | undefined {
  const stored = readJson<StoredSiteFacts>(join(dist, FILE));
  return stored && { ...stored, names: new Set(stored.names), notForSale: new Set(stored.notForSale) };
}
