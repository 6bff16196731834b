/** The built site as it is served: every file of dist/client under its address, in the encodings made at build. */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { namesOfHost } from '#contract/hosts.ts';
import { BoundedMemory, type Remembered } from './bounded-memory.ts';
import { addressOf } from './compress.ts';
import { headersOf } from './headers.ts';
import { readPolicies } from './policies.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** One file in one encoding, ready to be written: the headers are flat pairs, as `writeHead` takes them fastest. */
export interface Representation extends Remembered {
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
  readonly notFound: SiteFile;
  read(file: SiteFile, encoding: Encoding): Representation;
}

export interface SiteFile {
  readonly address: string;
  readonly file: string;
  readonly encodings: ReadonlySet<Encoding>;
  /** Those that are in memory. */
  readonly kept: Partial<Record<Encoding, Representation>>;
}

const MEGABYTE = 1024 * 1024;
/**
 * How much of the site is kept in memory, in bytes: a sixteenth of the machine's, but room for ten thousand pages in
 * every encoding is enough. Beyond it, what was not asked for longest is read again.
 */
const MEMORY = Math.min(Math.max(totalmem() / 16, 64 * MEGABYTE), 320 * MEGABYTE);

/** @param dist the folder that the build made */
export function openSite(dist: string): Site {
  const root = join(dist, 'client');
  const files = indexFiles(root);
  const policies = readPolicies(dist);
  const notFound = files.get('/404.html');
  if (!notFound) throw new Error(`There is no 404.html in ${root}.`);
  const memory = new BoundedMemory<Representation>(MEMORY);

  return {
    notFound,
    find: (host, path) => {
      if (path === '/') {
        const domain = namesOfHost(host).find((name) => files.has(`/sites/${name}/`));
        return files.get(domain === undefined ? '/' : `/sites/${domain}/`);
      }
      return files.get(path) ?? files.get(`${path}/`);
    },
    read: (file, encoding) => {
      const kept = file.kept[encoding];
      if (kept) {
        kept.asked = true;
        return kept;
      }
      const body = readFileSync(encoding === 'identity' ? file.file : file.file + EXTENSION[encoding]);
      const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
      const made: Representation = {
        etag,
        body,
        headers: headersOf(file.address, encoding, body.byteLength, etag, policies),
        size: body.byteLength + HEADERS,
        asked: false,
        forget: () => delete file.kept[encoding],
      };
      file.kept[encoding] = made;
      memory.add(made);
      return made;
    },
  };
}

/** What a file's headers take, roughly, in bytes. */
const HEADERS = 1024;

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
    const encodings = new Set<Encoding>(['identity']);
    if (all.has(`${file}.br`)) encodings.add('br');
    if (all.has(`${file}.gz`)) encodings.add('gzip');
    files.set(address, { address, file, encodings, kept: {} });
  }
  return files;
}
