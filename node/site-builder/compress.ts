/** Compresses what was built once, so that no request has to. */
import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.xml']);
/** Below this, the headers outweigh what compression saves; in bytes. */
const MIN_BYTES = 200;
/** More pages than this are compressed quickly. */
const MANY_PAGES = 500;

const BEST = { brotli: 11, gzip: 9 };
/** For thousands of pages: 0.3 ms a page instead of 16 ms, and 18 % larger (docs/decisions/0010). */
const QUICK = { brotli: 4, gzip: 6 };
/** For the names of ten thousand domains and the admin area's script: less than half of BEST's time, 3 % larger. */
const LARGE = { brotli: 9, gzip: 9 };
const LARGE_BYTES = 250_000;

const FORMATS = {
  '.br': (body: Buffer, { brotli }: typeof BEST) =>
    brotliCompressSync(body, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: brotli,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    }),
  '.gz': (body: Buffer, { gzip }: typeof BEST) => gzipSync(body, { level: gzip }),
};

/**
 * Writes a .br and a .gz beside each text file of a folder.
 * @param pageCount of the whole site, so that a page is compressed alike whichever build makes it
 * @param last folder of the last build: compressed forms of the same bytes are linked from
 *   there, which saves 20 % of a small catalogue's build
 */
export function compressFiles(root: string, pageCount: number, last?: string): void {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => COMPRESSED.has(extname(file)))
    .filter((file) => !(last && linkCompressed(join(last, file), join(root, file))));
  const quality = (file: string, { byteLength }: Buffer) => {
    if (extname(file) === '.html') return pageCount > MANY_PAGES ? QUICK : BEST;
    return extname(file) === '.json' || byteLength > LARGE_BYTES ? LARGE : BEST;
  };
  // One format after the other: alternating takes 33 % longer, because each evicts the other's tables from the
  // processor's cache.
  for (const [ending, compress] of Object.entries(FORMATS)) {
    for (const file of files) {
      const path = join(root, file);
      const body = readFileSync(path);
      if (body.byteLength >= MIN_BYTES) writeFileSync(path + ending, compress(body, quality(file, body)));
    }
  }
}

/** Whether there were compressed forms of the same bytes; decompressed to compare, because a power cut can damage them. */
function linkCompressed(from: string, to: string): boolean {
  try {
    const body = readFileSync(to);
    const [br, gz] = [readFileSync(`${from}.br`), readFileSync(`${from}.gz`)];
    if (!brotliDecompressSync(br).equals(body) || !gunzipSync(gz).equals(body)) return false;
    for (const ending of ['.br', '.gz']) linkSync(from + ending, to + ending);
    return true;
  } catch {
    return false;
  }
}
