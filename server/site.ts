/** The built site as it is served: every file of dist/client under its address, in the encodings made at build. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { robotsOf, type Searchable, sitemapOf } from '../src/found/for-crawlers.ts';
import { headersOf } from './headers.ts';
import { ownPageOf } from './own-page-of.ts';
import { readPolicies } from './policies.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** One file in one encoding, ready to be written: the headers are flat pairs, as `writeHead` takes them fastest. */
export interface Representation {
  readonly etag: string;
  readonly headers: string[];
  readonly body: Buffer;
}

export interface Site {
  /**
   * The file behind an address, or undefined.
   * @param host the request's Host header
   * @param path the address's path, decoded, without query
   */
  find(host: string, path: string): SiteFile | undefined;
  /** The page that says so where nothing stands, in the language of the address. */
  notFound(path: string): SiteFile;
  read(file: SiteFile, encoding: Encoding): Representation;
}

export interface SiteFile {
  readonly address: string;
  /** Where it lies, without an encoding's ending; or what is in it, where it was made for one host. */
  readonly source: string | Buffer;
  readonly encodings: ReadonlySet<Encoding>;
}

/** How much of the site is kept in memory, in bytes; beyond it, what was not asked for longest is read again. */
const MEMORY = 96 * 1024 * 1024;

/**
 * @param dist the folder that the build made
 * @param searchable what search engines are told of the catalogue, on each host its own
 */
export function openSite(dist: string, searchable: Searchable): Site {
  const root = join(dist, 'client');
  const files = indexFiles(root);
  const policies = readPolicies(dist);
  const notFound = files.get(NOT_FOUND);
  if (!notFound) throw new Error(`There is no 404.html in ${root}.`);
  const cache = new Recent<Representation>(MEMORY, (found) => found.body.byteLength + 1024);

  return {
    notFound: (path) => files.get(`/${path.split('/')[1]}${NOT_FOUND_BELOW}`) ?? notFound,
    find: (host, path) => {
      if (path === '/robots.txt') return fileOf(path, robotsOf(host, searchable));
      if (path === '/sitemap.xml') return fileOf(path, sitemapOf(host, searchable));
      const own = ownPageOf(host, path, (address) => files.has(address));
      const file = files.get(own ?? path) ?? files.get(`${path}/`);
      return file && isNotFound(file.address) ? undefined : file;
    },
    read: (file, encoding) => {
      const key = `${encoding} ${file.address}`;
      const kept = typeof file.source === 'string' ? cache.get(key) : undefined;
      if (kept) return kept;
      const body = bodyOf(file, encoding);
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      const made = {
        etag,
        body,
        headers: headersOf(file.address, encoding, body.byteLength, etag, policies),
      };
      if (typeof file.source === 'string') cache.set(key, made);
      return made;
    },
  };
}

/** In the language at the root, and in another one below its address, such as `/de`. */
const NOT_FOUND = '/404.html';
const NOT_FOUND_BELOW = '/404/';

function isNotFound(address: string): boolean {
  return address === NOT_FOUND || address.endsWith(NOT_FOUND_BELOW);
}

/** A small file that no folder holds. */
function fileOf(address: string, text: string | undefined): SiteFile | undefined {
  return text === undefined ? undefined : { address, source: Buffer.from(text), encodings: IDENTITY };
}

const IDENTITY: ReadonlySet<Encoding> = new Set(['identity']);

function bodyOf({ source }: SiteFile, encoding: Encoding): Buffer {
  if (typeof source !== 'string') return source;
  return readFileSync(encoding === 'identity' ? source : source + EXTENSION[encoding]);
}

const EXTENSION = { br: '.br', gzip: '.gz' } as const;

/** Addresses end in a slash for pages (`/sites/lap.app/`) and in the file's name otherwise. */
function indexFiles(root: string): Map<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  if (!existsSync(root)) return files;
  const all = new Set(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of all) {
    if (file.endsWith('.br') || file.endsWith('.gz')) continue;
    const name = file.slice(root.length).replaceAll('\\', '/');
    const address = name.endsWith('/index.html') ? name.slice(0, -'index.html'.length) : name;
    const encodings = new Set<Encoding>(['identity']);
    if (all.has(`${file}.br`)) encodings.add('br');
    if (all.has(`${file}.gz`)) encodings.add('gzip');
    files.set(address, { address, source: file, encodings });
  }
  return files;
}

/** Keeps what was asked for lately, up to a size. A Map remembers the order in which its keys came. */
class Recent<Value> {
  #kept = new Map<string, Value>();
  #size = 0;
  readonly #max: number;
  readonly #sizeOf: (value: Value) => number;

  constructor(max: number, sizeOf: (value: Value) => number) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: string): Value | undefined {
    const value = this.#kept.get(key);
    // Order matters only once something must go.
    if (value !== undefined && this.#size > this.#max / 2) {
      this.#kept.delete(key);
      this.#kept.set(key, value);
    }
    return value;
  }

  set(key: string, value: Value): void {
    this.#kept.set(key, value);
    this.#size += this.#sizeOf(value);
    for (const [oldest, dropped] of this.#kept) {
      if (this.#size <= this.#max) break;
      this.#kept.delete(oldest);
      this.#size -= this.#sizeOf(dropped);
    }
  }
}
