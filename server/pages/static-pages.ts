/**
 * Serves the built site: every file of dist/client by its path, compressed by the build or at its first request, and the texts
 * that each host has of its own.
 */
import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { SiteHosts } from '#contract/hosts.ts';
import { readFileIndex } from '../../site-builder/built-site/file-index.ts';
import { fileOfPage, isPage, nameOfPage } from '../../site-builder/built-site/page-paths.ts';
import { readPolicies } from '../../site-builder/built-site/policies.ts';
import { readSiteFacts } from '../../site-builder/built-site/site-facts.ts';
import { headersOf } from '../../src/serving/headers.ts';
import { notFoundPages } from '../../src/serving/not-found-pages.ts';
import { pageOfHost } from '../../src/serving/page-of-host.ts';
import type { Policies } from '../../src/serving/policies.ts';
import { ownHost } from '../../src/serving/robots-and-sitemap.ts';
import { chooseEncoding, compressPage, type Encoding } from './encodings.ts';
import type { RenderText } from './on-demand.ts';

const DAY_MS = 86_400_000;
const MEGABYTE = 1024 * 1024;
/** Limit of the cache: 6 % of the machine's memory, from 64 MB to 512 MB (enough for ten thousand pages). */
const MAX_CACHE_BYTES = Math.min(Math.max(totalmem() / 16, 64 * MEGABYTE), 512 * MEGABYTE);
/** Memory of a cache entry besides its body. */
const ENTRY_BYTES = 2_048;
const NOT_FOUND = '/404.html';

const EXTENSION = { br: '.br', gzip: '.gz', identity: '' } as const;

/** How a file is sent: compressed by the build or, the pages of a large site, at the first request; or as it is. */
type Sent = 'compressed by the build' | 'compressed on request' | 'as it is';

/** A file of the site, ready to send. */
export interface StaticResponse {
  /** The name whose page it is. */
  readonly name?: string | undefined;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export type StaticPages = ReturnType<typeof openStaticPages>;

/**
 * Opens a build: pages are sent with the policies and encodings of the same build.
 * @param dist the build's folder
 * @param adminHost ADMIN_HOST
 * @param renderText renders what each host has of its own
 * @param maxCacheBytes limit of the cache
 */
export function openStaticPages(
  dist: string,
  adminHost: string | undefined,
  renderText: RenderText,
  maxCacheBytes = MAX_CACHE_BYTES,
) {
  const open = (folder: string) => openBuild(folder, adminHost, renderText, maxCacheBytes);
  let build = open(dist);
  let problem: string | undefined;

  const read = (path: string, accepts: string | undefined): StaticResponse =>
    build.read(path, build.files.get(path) === 'as it is' ? 'identity' : chooseEncoding(accepts));
  return {
    /**
     * The file behind a path, or undefined.
     * @param host the request's host name
     * @param path the decoded path, without query
     * @param accepts the request's Accept-Encoding header
     */
    find(host: string, path: string, accepts: string | undefined): StaticResponse | undefined {
      const { files } = build;
      const own = pageOfHost(host, path, (page) => files.has(page)) ?? path;
      const found = [own, `${own}/`].find((one) => files.has(one));
      return found === undefined ? undefined : read(found, accepts);
    },
    /** The 404 page that suits a request, as `find` takes it. */
    notFound(host: string, path: string, accepts: string | undefined): StaticResponse {
      const { files, siteFacts } = build;
      const page = notFoundPages(host, path, siteFacts).find((one) => files.has(one));
      return read(page ?? NOT_FOUND, accepts);
    },
    /** The text of a host at one of `HOST_TEXT_PATHS`, or undefined. */
    hostText: (host: string, path: string) => build.hostText(host, path),
    /** The hosts of the site, as the build that is served knows them. */
    siteHosts: () => build.hosts,
    /** Why the pages on the disk cannot be served; undefined if they can. */
    problem: () => problem,
    /** The folder of the build that is served, without symbolic links. */
    folder: () => build.folder,
    /** Loads another build. Returns what switches to it. @throws if it cannot be served; the one before is served on */
    load(next: string): () => void {
      try {
        const loaded = open(next);
        return () => {
          build = loaded;
          problem = undefined;
        };
      } catch (error) {
        problem = 'Could not load the new build; still serving the previous one, as far as it is in memory.';
        throw new Error(problem, { cause: error });
      }
    },
  };
}

function openBuild(
  dist: string,
  adminHost: string | undefined,
  renderText: RenderText,
  maxCacheBytes: number,
) {
  // Without symbolic links: files that are read later belong to the same build.
  const folder = realpathSync(dist);
  const { compressed, others } = readFileIndex(folder);
  const files = new Map<string, Sent>();
  for (const path of compressed) files.set(path, 'compressed by the build');
  for (const path of others) files.set(path, isPage(path) ? 'compressed on request' : 'as it is');
  const root = join(folder, 'client');
  if (!files.has(NOT_FOUND)) throw new Error(`There is no 404.html in ${root}.`);
  const siteFacts = readSiteFacts(folder);
  const hosts: SiteHosts = { names: siteFacts.names, hosts: siteFacts.hosts, adminHost };
  const readFile = (path: string, encoding: Encoding) => {
    const file = fileOfPage(root, path);
    if (encoding === 'identity' || files.get(path) !== 'compressed on request')
      return readFileSync(file + EXTENSION[encoding]);
    return compressPage(readFileSync(file), encoding);
  };
  const policies: Policies = readPolicies(folder);
  const cache = cacheOfResponses(maxCacheBytes);
  const read = (path: string, encoding: Encoding): StaticResponse =>
    cache.get(`${encoding} ${path}`) ??
    cache.set(`${encoding} ${path}`, {
      name: nameOfPage(path),
      headers: {
        ...headersOf(path, policies),
        ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
      },
      body: readFile(path, encoding),
    });
  /** Texts that are being rendered, so that many requests for one render it once. */
  const rendering = new Map<string, Promise<StaticResponse>>();
  const hostText = async (host: string, path: string): Promise<StaticResponse | undefined> => {
    // All hosts that are not the site's have the same text.
    const own = ownHost(host, siteFacts) ?? '';
    // Its end date changes once a day.
    const key = `${Math.floor(Date.now() / DAY_MS)} ${own}${path}`;
    const render = async () => {
      // Empty: the host has none.
      const text = await renderText(path, { host: own, site: siteFacts });
      return cache.set(key, text ?? { headers: {}, body: Buffer.alloc(0) });
    };
    let found = cache.get(key);
    if (!found) {
      const rendered = rendering.get(key) ?? render().finally(() => rendering.delete(key));
      rendering.set(key, rendered);
      found = await rendered;
    }
    return found.body.byteLength > 0 ? found : undefined;
  };
  return { folder, files, read, hostText, siteFacts, hosts };
}

/** A FIFO cache of responses, limited to `maxBytes`. */
function cacheOfResponses(maxBytes: number) {
  const responses = new Map<string, StaticResponse>();
  let bytes = 0;
  return {
    get: (key: string) => responses.get(key),
    /** Returns the response with the headers that follow from its bytes. */
    set(key: string, { name, headers, body }: StaticResponse): StaticResponse {
      const response = {
        name,
        headers: {
          ...headers,
          'content-length': String(body.byteLength),
          etag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`,
        },
        body,
      };
      responses.set(key, response);
      bytes += body.byteLength + ENTRY_BYTES;
      for (const [oldest, evicted] of responses) {
        if (bytes <= maxBytes) break;
        responses.delete(oldest);
        bytes -= evicted.body.byteLength + ENTRY_BYTES;
      }
      return response;
    },
  };
}
