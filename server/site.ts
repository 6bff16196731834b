/** The built site as it is served: every file of dist/client under its address, in the encodings made at build. */
import { hash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '../build/page-files.ts';
import { type Policies, readPolicies } from '../build/policies.ts';
import { readSearchable } from '../build/searchable.ts';
import { robotsOf, type Searchable, sitemapOf } from '../src/found/for-crawlers.ts';
import { chooseEncoding, type Encoding } from './encodings.ts';
import { headersOf } from './headers.ts';
import { KeptAnswers } from './kept-answers.ts';
import { ownPageOf } from './own-page-of.ts';
import { PreparedAnswer } from './prepared-answer.ts';

export interface Site {
  /**
   * The file behind an address, or undefined.
   * @param host the request's Host header
   * @param path the address's path, decoded, without query
   */
  find(host: string, path: string): SiteFile | undefined;
  /** The page that says so where nothing stands, in the language of the address. */
  notFound(path: string): SiteFile;
  /** One file in one encoding. */
  read(file: SiteFile, encoding: Encoding): PreparedAnswer;
  /**
   * The file behind an address in the best encoding that the visitor takes: as `find` and then `read`, but quicker.
   * @param accepts the request's Accept-Encoding header
   */
  answer(host: string, path: string, accepts: string | undefined): PreparedAnswer | undefined;
}

export interface SiteFile {
  readonly address: string;
  /** Where it lies, without an encoding's ending; or what is in it, where it was made for one host. */
  readonly source: string | Buffer;
  readonly encodings: ReadonlySet<Encoding>;
}

const MEGABYTE = 1024 * 1024;
/**
 * How much of the site is kept in memory, in bytes: a sixteenth of the machine's, but room for ten thousand pages in
 * every encoding is enough. Beyond it, what was read longest ago is read again.
 */
const MEMORY = Math.min(Math.max(totalmem() / 16, 64 * MEGABYTE), 512 * MEGABYTE);

/** How often it is asked whether there is another build, in milliseconds. */
const LOOK = 1_000;

/**
 * Opens what the build made, and again where another build takes its place: pages go out with the policies that they
 * were built with, and search engines are told of these pages.
 * @param dist the folder that the build made
 */
export function openSite(dist: string): Site {
  let built = openBuild(dist);
  const look = () => {
    const place = placeOf(dist);
    // Between the last build and the next there is none for a moment.
    if (place === undefined || place === built.place) return;
    try {
      built = openBuild(dist);
    } catch (error) {
      console.error('The new build cannot be served, the last one is as far as it is in memory:', error);
      built = { ...built, place };
    }
  };
  setInterval(look, LOOK).unref();

  const find: Site['find'] = (host, path) => {
    const { files, searchable } = built;
    if (path === '/robots.txt') return fileOf(path, robotsOf(host, searchable));
    if (path === '/sitemap.xml') return fileOf(path, sitemapOf(host, searchable));
    const own = ownPageOf(host, path, (address) => files.has(address));
    return files.get(own ?? path) ?? files.get(`${path}/`);
  };
  const read: Site['read'] = (file, encoding) => {
    const { kept, policies } = built;
    const ready = kept.get(file.address, encoding);
    if (ready) return ready;
    const body = bodyOf(file, encoding);
    const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
    const headers = headersOf(file.address, encoding, body.byteLength, etag, policies);
    // What was made for one answer is gone with it.
    return typeof file.source === 'string'
      ? kept.add(file.address, encoding, headers, body)
      : new PreparedAnswer(headers, body);
  };
  return {
    find,
    read,
    notFound: (path) => built.files.get(`/${path.split('/')[1]}${NOT_FOUND_BELOW}`) ?? built.notFound,
    answer: (host, path, accepts) => {
      const { files, kept } = built;
      const best = chooseEncoding(accepts, ALL);
      const isPage = (address: string) => kept.get(address, best) !== undefined || files.has(address);
      const ready = kept.get(ownPageOf(host, path, isPage) ?? path, best);
      if (ready) return ready;
      const file = find(host, path);
      return file && read(file, chooseEncoding(accepts, file.encodings));
    },
  };
}

interface Build {
  /** Its folder as the file system knows it. */
  readonly place: number | undefined;
  readonly files: ReadonlyMap<string, SiteFile>;
  readonly notFound: SiteFile;
  readonly policies: Policies;
  /** On each host its own. */
  readonly searchable: Searchable;
  readonly kept: KeptAnswers;
}

function openBuild(dist: string): Build {
  const root = join(dist, 'client');
  const place = placeOf(dist);
  const files = indexFiles(root);
  const notFound = files.get(NOT_FOUND);
  if (!notFound) throw new Error(`There is no 404.html in ${root}.`);
  return {
    place,
    files,
    notFound,
    policies: readPolicies(dist),
    searchable: readSearchable(dist),
    kept: new KeptAnswers(MEMORY),
  };
}

function placeOf(dist: string): number | undefined {
  return statSync(dist, { throwIfNoEntry: false })?.ino;
}

/** In the language at the root, and in another one below its address, such as `/de`. */
const NOT_FOUND = '/404.html';
const NOT_FOUND_BELOW = '/404/';

/** A small file that no folder holds. */
function fileOf(address: string, text: string | undefined): SiteFile | undefined {
  return text === undefined ? undefined : { address, source: Buffer.from(text), encodings: IDENTITY };
}

const IDENTITY: ReadonlySet<Encoding> = new Set(['identity']);
const ALL: ReadonlySet<Encoding> = new Set(['identity', 'br', 'gzip']);

function bodyOf({ source }: SiteFile, encoding: Encoding): Buffer {
  if (typeof source !== 'string') return source;
  return readBriefly(encoding === 'identity' ? source : source + EXTENSION[encoding]);
}

/**
 * A file's bytes until the next call: all files are read into the same memory, because what is freed between pages that
 * stay is lost to everything larger.
 */
function readBriefly(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > brief.byteLength) brief = Buffer.allocUnsafeSlow(size);
    let end = 0;
    for (let read = -1; read !== 0 && end < size; end += read)
      read = readSync(file, brief, end, size - end, null);
    return brief.subarray(0, end);
  } finally {
    closeSync(file);
  }
}
let brief = Buffer.allocUnsafeSlow(0);

const EXTENSION = { br: '.br', gzip: '.gz' } as const;

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
    const address = addressOf(root, file);
    const encodings = all.has(`${file}.br`) && all.has(`${file}.gz`) ? ALL : IDENTITY;
    files.set(address, { address, source: file, encodings });
  }
  return files;
}
