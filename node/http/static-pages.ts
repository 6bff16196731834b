/** Serves the built site: every file of dist/client by its path, in the encodings of the build. */
import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { SiteHosts } from '#contract/hosts.ts';
import { headersOf } from '../../src/serving/headers.ts';
import { pageOfHost } from '../../src/serving/page-of-host.ts';
import type { Policies } from '../../src/serving/policies.ts';
import type { SiteFacts } from '../../src/serving/site-facts.ts';
import { readFileIndex } from '../manifest/file-index.ts';
import { readPolicies } from '../manifest/policies.ts';
import { readSiteFacts } from '../manifest/site-facts.ts';
import { chooseEncoding, type Encoding } from './encodings.ts';

const MEGABYTE = 1024 * 1024;
/** Limit of the cache: 6 % of the machine's memory, from 64 MB to 512 MB (enough for ten thousand pages). */
const MAX_CACHE_BYTES = Math.min(Math.max(totalmem() / 16, 64 * MEGABYTE), 512 * MEGABYTE);
/** Memory of a cache entry besides its body. */
const ENTRY_BYTES = 2_048;
/** The page at the root and, in another language, below it (`/de/404/`). */
const NOT_FOUND = '/404.html';
const NOT_FOUND_BELOW = '/404/';

const EXTENSION = { br: '.br', gzip: '.gz', identity: '' } as const;
const IDENTITY: ReadonlySet<Encoding> = new Set(['identity']);
const ALL: ReadonlySet<Encoding> = new Set(['identity', 'br', 'gzip']);

/** A file of the site, ready to send. */
export interface StaticResponse {
  /** Flat pairs, the fastest form for `writeHead`. */
  readonly headers: string[];
  readonly body: Buffer;
  readonly etag: string;
}

export interface StaticPages {
  /**
   * The file behind a path, or undefined.
   * @param host the request's host name
   * @param path the decoded path, without query
   * @param accepts the request's Accept-Encoding header
   */
  find(host: string, path: string, accepts: string | undefined): StaticResponse | undefined;
  /** The 404 page in the language of the path. */
  notFound(path: string, accepts: string | undefined): StaticResponse;
  /** Site facts for pages that are rendered on request. */
  site(): SiteFacts;
  /** The hosts of the site, as the build that is served knows them. */
  siteHosts(): SiteHosts;
  /** Why the pages on the disk cannot be served; undefined if they can. */
  problem(): string | undefined;
  /** The folder of the build that is served, without symbolic links. */
  folder(): string;
  /** Serves another build from now on. @throws if it cannot be served; the one before is served on */
  open(folder: string): void;
}

/**
 * Opens a build: pages are sent with the policies and encodings of the same build.
 * @param dist the build's folder
 * @param adminHost ADMIN_HOST
 */
export function openStaticPages(dist: string, adminHost: string | undefined): StaticPages {
  let build = openBuild(dist, adminHost);
  let problem: string | undefined;

  const send = (path: string, accepts: string | undefined): StaticResponse => {
    const encoding = chooseEncoding(accepts, build.files.get(path) ?? IDENTITY);
    return build.cache.read(path, encoding);
  };
  return {
    find(host, path, accepts) {
      const { files } = build;
      const own = pageOfHost(host, path, (page) => files.has(page)) ?? path;
      if (files.has(own)) return send(own, accepts);
      return files.has(`${own}/`) ? send(`${own}/`, accepts) : undefined;
    },
    notFound(path, accepts) {
      const below = `/${path.split('/')[1]}${NOT_FOUND_BELOW}`;
      return send(build.files.has(below) ? below : NOT_FOUND, accepts);
    },
    site: () => build.siteFacts,
    siteHosts: () => build.hosts,
    problem: () => problem,
    folder: () => build.folder,
    open(next) {
      try {
        build = openBuild(next, adminHost);
        problem = undefined;
      } catch (error) {
        problem = 'Could not load the new build; still serving the previous one, as far as it is in memory.';
        throw new Error(problem, { cause: error });
      }
    },
  };
}

interface Build {
  /** Without symbolic links: files that are read later belong to the same build. */
  readonly folder: string;
  /** Every file's encodings, by its path. */
  readonly files: ReadonlyMap<string, ReadonlySet<Encoding>>;
  readonly cache: { read(path: string, encoding: Encoding): StaticResponse };
  readonly policies: Policies;
  readonly siteFacts: SiteFacts;
  readonly hosts: SiteHosts;
}

function openBuild(dist: string, adminHost: string | undefined): Build {
  const folder = realpathSync(dist);
  const root = join(folder, 'client');
  const files = encodingsByPath(folder);
  if (!files.has(NOT_FOUND)) throw new Error(`There is no 404.html in ${root}.`);
  const policies = readPolicies(folder);
  const siteFacts = readSiteFacts(folder);
  const { names, hosts } = siteFacts;
  return {
    folder,
    files,
    cache: createCache(root, policies),
    policies,
    siteFacts,
    hosts: { names, hosts, adminHost },
  };
}

function encodingsByPath(folder: string): Map<string, ReadonlySet<Encoding>> {
  const { compressed, others } = readFileIndex(folder);
  const files = new Map<string, ReadonlySet<Encoding>>();
  for (const path of compressed) files.set(path, ALL);
  for (const path of others) files.set(path, IDENTITY);
  return files;
}

/** FIFO cache of responses, limited to `MAX_CACHE_BYTES`. */
function createCache(root: string, policies: Policies): Build['cache'] {
  const responses = new Map<string, StaticResponse>();
  let bytes = 0;
  return {
    read(path, encoding) {
      const key = `${encoding} ${path}`;
      const cached = responses.get(key);
      if (cached) return cached;
      const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
      const response = responseOf(path, encoding, readFileSync(file + EXTENSION[encoding]), policies);
      responses.set(key, response);
      bytes += response.body.byteLength + ENTRY_BYTES;
      for (const [oldest, { body }] of responses) {
        if (bytes <= MAX_CACHE_BYTES) break;
        responses.delete(oldest);
        bytes -= body.byteLength + ENTRY_BYTES;
      }
      return response;
    },
  };
}

function responseOf(path: string, encoding: Encoding, body: Buffer, policies: Policies): StaticResponse {
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const headers = {
    ...headersOf(path, policies),
    'content-length': String(body.byteLength),
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    etag,
  };
  return { headers: Object.entries(headers).flat(), body, etag };
}
