/**
 * Reads and writes dist/policies.json: each page's content security policy, by what it has inlined. Nearly all are equal,
 * so the file has one shared policy and the exceptions.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Policies, withoutEnding } from '../../src/serving/policies.ts';
import { POLICIES_FILE } from './build-files.ts';
import { contentSecurityPolicy, type Inlined } from './content-security-policy.ts';
import { readJson } from './read-json.ts';

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

/**
 * Collects the policies of the rendered pages.
 * @param reused those of pages that were not made this time
 */
export function collectPolicies(env: Parameters<typeof contentSecurityPolicy>[0], reused?: Policies) {
  const policies = new Map<string, string>();
  return {
    /** @param path of the page, such as `/sites/lap.app/` */
    add(path: string, inlined: Inlined): void {
      policies.set(withoutEnding(path), contentSecurityPolicy(env, inlined, path.startsWith('/admin/')));
    },
    write(dist: string): void {
      const everywhere = reused?.everywhere ?? mostFrequent([...policies.values()]);
      // Policies of this build override those of reused pages.
      const all = new Map([...Object.entries(reused?.pages ?? {}), ...policies]);
      const pages = Object.fromEntries([...all].filter(([, policy]) => policy !== everywhere));
      writeFileSync(join(dist, POLICIES_FILE), JSON.stringify({ everywhere, pages }, null, 2));
    },
  };
}

function mostFrequent(texts: string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)].sort(([, a], [, b]) => b.length - a.length);
  const [most] = groups;
  if (!most) throw new Error('The build rendered no page.');
  return most[0];
}
