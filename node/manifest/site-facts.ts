/** What search engines are told of the catalogue that the pages were made from: dist/searchable.json. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../src/catalogue/load.ts';
import { type Searchable, searchableOf } from '../../src/seo/robots-and-sitemap.ts';
import { readNote } from './read-json.ts';

const FILE = 'searchable.json';

type Noted = Omit<Searchable, 'names'> & { readonly names: readonly string[] };

export function writeSearchable(dist: string, catalogue: Catalogue): void {
  const searchable = searchableOf(catalogue);
  writeFileSync(join(dist, FILE), JSON.stringify({ ...searchable, names: [...searchable.names] }));
}

/** Of a whole build. */
export function readSearchable(dist: string): Searchable {
  const searchable = findSearchable(dist);
  if (!searchable) throw new Error(`There is no readable ${FILE} in ${dist}.`);
  return searchable;
}

/** Undefined where there was no build, or the file is damaged. */
export function findSearchable(dist: string): Searchable | undefined {
  const noted = readNote<Noted>(join(dist, FILE));
  return noted && { ...noted, names: new Set(noted.names) };
}
