/** Compresses what was built once, so that no request has to. */
import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';
import type { FileIndex } from './built-site/file-index.ts';
import { pagePathOf } from './built-site/page-paths.ts';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.xml']);
/** Below this, the headers outweigh what compression saves; in bytes. */
const MIN_BYTES = 200;
/**
 * More pages than this stay as they are: all of them at the best level would take 16 ms each, and few are opened before
 * the next build. The server compresses each at its first request (server/pages/static-pages.ts).
 */
const MANY_PAGES = 500;

/** Brotli's level. */
const BEST = 11;
/** For the names of ten thousand domains and the admin area's script: less than half of BEST's time, 3 % larger. */
const LARGE = 9;
const LARGE_BYTES = 250_000;

/** The two forms of a file. */
const FORMS = [
  {
    ending: '.br',
    compress: (body: Buffer, level: number) =>
      brotliCompressSync(body, {
        params: {
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_QUALITY]: level,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
        },
      }),
    decompress: brotliDecompressSync,
  },
  { ending: '.gz', compress: (body: Buffer) => gzipSync(body, { level: 9 }), decompress: gunzipSync },
];

/**
 * Writes a .br and a .gz beside each text file of a folder, but the pages of a large site.
 * @param pageCount of the whole site
 * @param last folder of the last build: compressed forms of the same bytes are linked from
 *   there, which saves 20 % of a small catalogue's build
 * @returns all files, by their paths on the site
 */
export function compressFiles(root: string, pageCount: number, last?: string): FileIndex {
  const before = last !== undefined && existsSync(last) ? last : undefined;
  const index = { compressed: [] as string[], others: [] as string[] };
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const isCompressed = compressFile(file, pageCount, before && join(before, relative(root, file)));
    index[isCompressed ? 'compressed' : 'others'].push(pagePathOf(root, file));
  }
  return index;
}

/** Returns whether the file has its compressed forms now. */
function compressFile(file: string, pageCount: number, former: string | undefined): boolean {
  const extension = extname(file);
  if (!COMPRESSED.has(extension) || (extension === '.html' && pageCount > MANY_PAGES)) return false;
  const body = readFileSync(file);
  if (body.byteLength < MIN_BYTES) return false;
  const level = extension === '.json' || body.byteLength > LARGE_BYTES ? LARGE : BEST;
  for (const { ending, compress, decompress } of FORMS) {
    if (former && isFormOf(body, former + ending, decompress)) linkSync(former + ending, file + ending);
    else writeFileSync(file + ending, compress(body, level));
  }
  return true;
}

/** Decompresses the file to compare, because a power cut can damage it. */
function isFormOf(body: Buffer, file: string, decompress: (compressed: Buffer) => Buffer): boolean {
  try {
    return decompress(readFileSync(file)).equals(body);
  } catch {
    return false;
  }
}
