/** What the configurations of web servers are made from: one build, and the headers of its files. */
import * as z from 'zod/mini';
import { headersOf, hstsOf } from '../../../src/serving/headers.ts';
import type { Policies } from '../../../src/serving/policies.ts';
import { UserError } from '../../config/user-error.ts';

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

/** No character that ends a quoted text, or begins a variable, in nginx or Caddy. */
const PolicySchema = z.string().check(z.regex(/^[\x20-\x7e]*$/), z.regex(/^[^"\\{}]*$/));
const HostSchema = z.string().check(z.regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/));
const PageFileSchema = z.string().check(z.regex(/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\.html$/));

/** A build as its own files describe it, which another user than the web server's may have written. */
const DescriptionSchema = z.strictObject({
  everywhere: PolicySchema,
  exceptions: z.array(z.tuple([PageFileSchema, PolicySchema])),
  hosts: z.array(HostSchema),
  adminHost: z.optional(HostSchema),
  prefixes: z.array(z.string().check(z.regex(/^\/[A-Za-z0-9-]+$/))),
});

/** JSON for `parseServedBuild`, without the folder. */
export function describeBuild({ policies: { everywhere }, ...build }: Omit<ServedBuild, 'folder'>): string {
  const { exceptions, hosts, adminHost, prefixes } = build;
  return JSON.stringify({ everywhere, exceptions, hosts, adminHost, prefixes });
}

/**
 * Reads a description so that no text in it can add a directive to a configuration, which nginx reads as root.
 * @throws UserError otherwise
 */
export function parseServedBuild(description: string, folder: string): ServedBuild {
  const parsed = DescriptionSchema.safeParse(parseJson(description));
  if (!parsed.success) {
    throw new UserError(
      `The build in ${folder} cannot be served by a web server: its deploy/build.json is damaged. Build again.`,
    );
  }
  const { everywhere, adminHost, ...others } = parsed.data;
  return { folder, policies: { everywhere, pages: {} }, adminHost, ...others };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
