/**
 * Reads and writes dist/policies.json: the content security policy of all pages, and those of the administrator's and of the buyer's. Each
 * allows what any of its pages has inlined.
 */
import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policies, withoutEnding } from '../../src/serving/policies.ts';
import { isAdminPath, isOfferPath } from '../../src/serving/server-paths.ts';
import { POLICIES_FILE } from './build-files.ts';
import { contentSecurityPolicy, type Inlined } from './content-security-policy.ts';
import type { FileIndex } from './file-index.ts';
import { fileOfPage, isPage } from './page-paths.ts';
import { readJson } from './read-json.ts';

/**
 * Scripts and styles with their content, comments, and other tags with their attributes, so that text in an attribute
 * is not mistaken for a script.
 */
const TAGS =
  /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>|<!--[\s\S]*?-->|<[a-z][^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>/gi;
/** Attributes of scripts that are files or data. */
const NOT_INLINE = /\bsrc=|\btype="?application\//;

/** @throws Error without a complete build */
export function readPolicies(dist: string): Policies {
  const policies = findPolicies(dist);
  if (!policies) throw new Error(`There is no readable ${POLICIES_FILE} in ${dist}.`);
  return policies;
}

/** Returns undefined without a build, or if the file is damaged. */
export function findPolicies(dist: string): Policies | undefined {
  return readJson<Policies>(join(dist, POLICIES_FILE));
}

/** @param files all of the build */
export function writePolicies(
  dist: string,
  env: Parameters<typeof contentSecurityPolicy>[0],
  { compressed, others }: FileIndex,
): void {
  const root = join(dist, 'client');
  const pages = [...compressed, ...others].filter(isPage);
  const inlinedOn = (paths: readonly string[]) => inlinedIn(paths.map((path) => fileOfPage(root, path)));
  const hasOwn = (path: string) => isAdminPath(path) || isOfferPath(path);
  const policies: Policies = {
    everywhere: contentSecurityPolicy(env, inlinedOn(pages.filter((path) => !hasOwn(path)))),
    pages: Object.fromEntries(
      pages
        .filter(hasOwn)
        .map((path) => [
          withoutEnding(path),
          contentSecurityPolicy(env, inlinedOn([path]), isAdminPath(path)),
        ]),
    ),
  };
  writeFileSync(join(dist, POLICIES_FILE), JSON.stringify(policies, null, 2));
}

function inlinedIn(files: string[]): Inlined {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const file of files) {
    for (const [, name, attributes = '', content = ''] of readFileSync(file, 'utf8').matchAll(TAGS)) {
      if (name === 'style') styles.add(content);
      else if (name === 'script' && !NOT_INLINE.test(attributes)) scripts.add(content);
    }
  }
  return { scripts: [...scripts].map(hashOf), styles: [...styles].map(hashOf) };
}

/** As a content security policy names it. */
function hashOf(content: string): string {
  return `'sha256-${hash('sha256', content, 'base64')}'`;
}
