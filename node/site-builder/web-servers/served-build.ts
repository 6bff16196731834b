/** What the configurations of web servers are made from: one build, and the headers of its files. */
import * as z from 'zod/mini';
import { headersOf, hstsOf } from '../../../src/serving/headers.ts';
import { UserError } from '../../config/user-error.ts';

/** No character that ends a quoted text, or begins a variable, in nginx or Caddy. */
const PolicySchema = z.string().check(z.regex(/^[\x20-\x7e]*$/), z.regex(/^[^"\\{}]*$/));
const HostSchema = z.string().check(z.regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/));
const PageFileSchema = z.string().check(z.regex(/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\.html$/));

/** A build as its own files describe it, which another user than the web server's may have written. */
const DescriptionSchema = z.strictObject({
  /** The policy of all pages but the `exceptions`. */
  everywhere: PolicySchema,
  /** Files of the pages with another policy, such as `/404.html`, and their policies. */
  exceptions: z.array(z.tuple([PageFileSchema, PolicySchema])),
  /** The catalogue's `hosts`. */
  hosts: z.array(HostSchema),
  /** ADMIN_HOST. */
  adminHost: z.optional(HostSchema),
  /** Path prefixes of the languages but the first: `/de`. */
  prefixes: z.array(z.string().check(z.regex(/^\/[A-Za-z0-9-]+$/))),
});
export type Description = z.infer<typeof DescriptionSchema>;

export interface ServedBuild extends Description {
  /** The build's own folder, not `dist`: pages and policies of different builds must not mix. Absolute. */
  readonly folder: string;
}

/**
 * Reads a description so that no text in it can add a directive to a configuration, which nginx reads as root.
 * @param description the JSON of a `Description`
 * @throws UserError otherwise
 */
export function parseServedBuild(description: string, folder: string): ServedBuild {
  try {
    return { folder, ...DescriptionSchema.parse(JSON.parse(description)) };
  } catch {
    throw new UserError(
      `The build in ${folder} cannot be served by a web server: its deploy/build.json is damaged. Build again.`,
    );
  }
}

/** Headers by folder of the site, `/` for all other files, without a file's type and policy. */
export const HEADERS = {
  '/_astro/': fixedHeadersOf('/_astro/a.js'),
  '/share/': fixedHeadersOf('/share/a.png'),
  '/': fixedHeadersOf('/a.txt'),
};

function fixedHeadersOf(path: string): Record<string, string> {
  const all = headersOf(path, { everywhere: '', pages: {} });
  const { 'content-type': _type, 'content-security-policy': _policy, ...headers } = all;
  return headers;
}

/** The policies of pages: each once, the most frequent first, and the pages' files by the number of theirs. */
export function numberedPolicies({ everywhere, exceptions }: ServedBuild) {
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

/** One line for each item. */
export function lines<T>(items: readonly T[], line: (item: T, index: number) => string): string {
  return items.map(line).join('\n');
}
