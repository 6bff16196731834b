/**
 * The pages' content security policies: each page's own, by what it has inlined. Nearly all are the
 * same, so that of thousands of pages one line is left in dist/policies.json, for every way of serving to read.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentSecurityPolicy, type Inlined } from './content-security-policy.ts';
import { readJson } from './read-json.ts';

export interface Policies {
  /** The policy of every page that is not named. */
  readonly everywhere: string;
  /** By the page's address without the slash or `.html` at its end. */
  readonly pages: Readonly<Record<string, string>>;
}

const FILE = 'policies.json';

/** Of a whole build. */
export function readPolicies(dist: string): Policies {
  const policies = findPolicies(dist);
  if (!policies) throw new Error(`There is no readable ${FILE} in ${dist}.`);
  return policies;
}

/** Undefined where there was no build, or the file is damaged. */
export function findPolicies(dist: string): Policies | undefined {
  return readJson<Policies>(join(dist, FILE));
}

/**
 * Collects the pages' policies while the build goes through them.
 * @param kept those of pages that were not made this time
 */
export function collectPolicies(env: Parameters<typeof contentSecurityPolicy>[0], kept?: Policies) {
  const policies = new Map<string, string>();
  /** By what is inlined, which is the same in thousands of pages. */
  const known = new Map<string, string>();
  return {
    /** @param address of the page, such as `/sites/lap.app/` */
    note(address: string, inlined: Inlined): void {
      const isAdminPage = address.startsWith('/admin/');
      const key = [isAdminPage, ...inlined.scripts, '', ...inlined.styles].join(' ');
      const policy = known.get(key) ?? contentSecurityPolicy(env, inlined, isAdminPage);
      known.set(key, policy);
      policies.set(withoutEnding(address), policy);
    },
    write(dist: string): void {
      const everywhere = kept?.everywhere ?? mostFrequent([...policies.values()]);
      // This build's own win over what was kept of the same page.
      const all = new Map([...Object.entries(kept?.pages ?? {}), ...policies]);
      const pages = Object.fromEntries([...all].filter(([, policy]) => policy !== everywhere));
      writeFileSync(join(dist, FILE), JSON.stringify({ everywhere, pages }, null, 2));
    },
  };
}

function mostFrequent(texts: string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)].sort(([, a], [, b]) => b.length - a.length);
  const [most] = groups;
  if (!most) throw new Error('The build made no page.');
  return most[0];
}

/** `/sites/lap.app/` and `/404.html` as the policies know them. */
export function withoutEnding(address: string): string {
  return address === '/' ? address : address.replace(/(?:\/|\.html)$/, '');
}
