/** Reads and writes dist/site-facts.json: the catalogue's data for robots.txt, sitemap.xml and security.txt. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { siteFactsOf } from '../../src/seo/site-facts-of.ts';
import {
  type SiteFacts,
  type StoredSiteFacts,
  siteFactsFrom,
  storedSiteFacts,
} from '../../src/serving/site-facts.ts';
import { readJson } from './read-json.ts';

const FILE = 'site-facts.json';

export function writeSiteFacts(dist: string, catalogue: Catalogue): void {
  writeFileSync(join(dist, FILE), JSON.stringify(storedSiteFacts(siteFactsOf(catalogue))));
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
  return stored && siteFactsFrom(stored);
}
