/**
 * The pages' content security policies: each page's own, found by looking at what it has inlined. Nearly all are the
 * same, so that of thousands of pages one line is left in dist/policies.json, for every way of serving to read.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HTML_TAGS } from '../src/html-tags.ts';
import { contentSecurityPolicy, type Inlined } from '../src/security/csp.ts';

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
 * Collects the pages' policies while the build goes through them.
 * @param kept those of pages that were not made this time
 */
export function collectPolicies(env: Parameters<typeof contentSecurityPolicy>[0], kept?: Policies) {
  const policies = new Map<string, string>();
  return {
    /** @param address of the page, such as `/sites/lap.app/` */
    note(address: string, html: Buffer): void {
      policies.set(withoutEnding(address), contentSecurityPolicy(env, inlinedIn(html)));
    },
    write(dist: string): void {
      const everywhere = kept?.everywhere ?? mostFrequent([...policies.values()]);
      const others = [...policies].filter(([, policy]) => policy !== everywhere);
      const pages = { ...kept?.pages, ...Object.fromEntries(others) };
      writeFileSync(join(dist, FILE), JSON.stringify({ everywhere, pages }, null, 2));
    },
  };
}

/** What the browser would run or apply. */
function inlinedIn(html: Buffer): Inlined {
  // Byte for byte, as the browser hashes it.
  const text = html.toString('latin1');
  const found = { scripts: new Set<string>(), styles: new Set<string>() };
  for (const { groups } of text.matchAll(HTML_TAGS)) {
    const { name, attributes = '', content = '' } = groups ?? {};
    if (name === 'style') found.styles.add(hashOf(content));
    else if (name === 'script' && !NOT_RUN.test(attributes)) found.scripts.add(hashOf(content));
  }
  return { scripts: [...found.scripts], styles: [...found.styles] };
}

const NOT_RUN = /\bsrc=|\btype="?application\//;

/** Remembered: thousands of pages have the same. */
function hashOf(content: string): string {
  let hash = hashes.get(content);
  if (hash === undefined) {
    hash = `'sha256-${createHash('sha256').update(content, 'latin1').digest('base64')}'`;
    hashes.set(content, hash);
  }
  return hash;
}
const hashes = new Map<string, string>();

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
