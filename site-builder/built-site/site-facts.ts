/** Reads and writes dist/site-facts.json: the catalogue's data for robots.txt, sitemap.xml and security.txt. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { siteFactsOf } from '../../src/seo/site-facts-of.ts';
import { type SiteFacts, type StoredSiteFacts, siteFactsFrom } from '../../src/serving/site-facts.ts';
import { SITE_FACTS_FILE } from './build-files.ts';
import { readJson } from './read-json.ts';

export function writeSiteFacts(dist: string, catalogue: Catalogue): void {
  const stored = JSON.stringify(siteFactsOf(catalogue), (_, value) =>
    value instanceof Set ? [...value] : value,
  );
  writeFileSync(join(dist, SITE_FACTS_FILE), stored);
}

/** @throws Error without a complete build */
export function readSiteFacts(dist: string): SiteFacts {
  const siteFacts = findSiteFacts(dist);
  if (!siteFacts) throw new Error(`There is no readable ${SITE_FACTS_FILE} in ${dist}.`);
  return siteFacts;
}

/** Returns undefined without a build, or if the file is damaged. */
export function findSiteFacts(dist: string): SiteFacts | undefined {
  const stored = readJson<StoredSiteFacts>(join(dist, SITE_FACTS_FILE));
  return stored && siteFactsFrom(stored);
}
