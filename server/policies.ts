/**
 * The pages' content security policies. Astro writes one for each page; nearly all are the same, so that of thousands
 * of pages one line is left, for every way of serving to read.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Policies {
  /** The policy of every page that is not named. */
  readonly everywhere: string;
  /** By the page's address without the slash or `.html` at its end. */
  readonly pages: Readonly<Record<string, string>>;
}

const FILE = 'policies.json';

export function readPolicies(dist: string): Policies {
  return JSON.parse(readFileSync(join(dist, FILE), 'utf8')) as Policies;
}

/**
 * Turns Astro's dist/_headers.json into ours.
 * @param kept the policies of pages that Astro did not render this time
 * @throws Error when a page has no policy
 */
export function writePolicies(dist: string, kept?: Policies): void {
  const astros = join(dist, '_headers.json');
  const pages = JSON.parse(readFileSync(astros, 'utf8')) as {
    pathname: string;
    headers: { key: string; value: string }[];
  }[];
  const policies = pages.map(({ pathname, headers }): [page: string, policy: string] => {
    const policy = headers.find(({ key }) => key.toLowerCase() === 'content-security-policy')?.value;
    if (!policy) throw new Error(`Astro wrote no policy for the page ${pathname}.`);
    return [withoutEnding(pathname), policy];
  });
  const everywhere = kept?.everywhere ?? mostFrequent(policies.map(([, policy]) => policy));
  const others = policies.filter(([, policy]) => policy !== everywhere);
  writeFileSync(join(dist, FILE), JSON.stringify({ everywhere, pages: Object.fromEntries(others) }, null, 2));
  rmSync(astros);
}

function mostFrequent(texts: string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)].sort(([, a], [, b]) => b.length - a.length);
  const [most] = groups;
  if (!most) throw new Error('Astro wrote no policy for any page.');
  return most[0];
}

/** `/sites/lap.app/` and `/404.html` as the policies know them. */
export function withoutEnding(address: string): string {
  return address === '/' ? address : address.replace(/(?:\/|\.html)$/, '');
}
