/** The files beside the pages of a build, in `dist/`. */
import { join } from 'node:path';
import { readJson } from './read-json.ts';

/** Content security policies: policies.ts. */
export const POLICIES_FILE = 'policies.json';
/** What requests need of the catalogue: site-facts.ts. */
export const SITE_FACTS_FILE = 'site-facts.json';
/** The catalogue for the database: publication.ts. Beside the folder whose files are served, because it holds every price. */
export const PUBLICATION_FILE = 'publication.json';
/** Every file that is served: file-index.ts. */
export const FILE_INDEX_FILE = 'files.json';

/** Whether a build has what a server of the same version needs. A power cut may have truncated a file. */
export function isComplete(dist: string): boolean {
  return [POLICIES_FILE, SITE_FACTS_FILE, PUBLICATION_FILE].every(
    (file) => readJson(join(dist, file)) !== undefined,
  );
}
