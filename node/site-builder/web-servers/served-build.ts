/** What the configurations of web servers are made from: one build, and the headers of its files. */
import { headersOf, hstsOf } from '../../../src/serving/headers.ts';
import type { Policies } from '../../../src/serving/policies.ts';

export interface ServedBuild {
  /** The build's own folder, not `dist`: pages and policies of different builds must not mix. Absolute. */
  readonly folder: string;
  readonly policies: Policies;
  /** Files of the pages with a policy other than `everywhere`, such as `/404.html`, and their policies. */
  readonly exceptions: readonly (readonly [file: string, policy: string])[];
  /** The catalogue's `hosts`. */
  readonly hosts: readonly string[];
  /** ADMIN_HOST. */
  readonly adminHost: string | undefined;
  /** Path prefixes of the languages but the first: `/de`. */
  readonly prefixes: readonly string[];
}

/** Files with the same headers, except for type and policy. */
export interface FileClass {
  /** Folder of the site, such as `/_astro/`; `/` for all other files. */
  readonly folder: '/' | '/_astro/' | '/share/';
  readonly headers: Readonly<Record<string, string>>;
}

const SAMPLES = { '/_astro/': '/_astro/a.js', '/share/': '/share/a.png', '/': '/a.txt' } as const;

export function fileClassesOf({ policies }: ServedBuild): FileClass[] {
  return Object.entries(SAMPLES).map(([folder, sample]) => {
    const { 'content-type': _, ...headers } = headersOf(sample, policies);
    return { folder: folder as FileClass['folder'], headers };
  });
}

/** The policies of pages: each once, the most frequent first, and the pages' files by the number of theirs. */
export function numberedPolicies({ policies: { everywhere }, exceptions }: ServedBuild) {
  const texts = [...new Set([everywhere, ...exceptions.map(([, policy]) => policy)])];
  return { texts, files: exceptions.map(([file, policy]) => [file, texts.indexOf(policy)] as const) };
}

/** HSTS by host: of the hosts whose value is not `others`. */
export function hstsByHost({ hosts, adminHost }: ServedBuild) {
  const site = { names: new Set<string>(), hosts, adminHost };
  const candidates = [...hosts.flatMap((host) => [host, `www.${host}`]), ...(adminHost ? [adminHost] : [])];
  const others = hstsOf('', site);
  return { others, hosts: [...new Set(candidates)].map((host) => [host, hstsOf(host, site)] as const) };
}
