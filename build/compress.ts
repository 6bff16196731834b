/** Compresses what was built once, so that no request has to. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { gzipAlike } from './gzip-alike.ts';
import { roomFor } from './room-for.ts';

/** Pages aside: those are compressed as they are made. */
const COMPRESSED = new Set(['.js', '.css', '.svg', '.json', '.txt', '.xml']);
/** Below this, the headers outweigh what compression saves; in bytes. */
const TOO_SMALL = 200;

interface Quality {
  readonly brotli: number;
  readonly gzip: number;
}
/** As far as it goes: of a page, 16 ms instead of 0.25, and a seventh smaller. */
export const BEST: Quality = { brotli: 11, gzip: 9 };
/** For thousands of pages, whose visitors would not notice the difference: docs/decisions/0010. */
export const QUICK: Quality = { brotli: 4, gzip: 4 };
/** For the names of ten thousand domains, which would take half a second. */
const GOOD: Quality = { brotli: 9, gzip: 9 };
const LARGE = 100_000;
/** For the desk's script: no file that visitors load is as large. Less than half as long, and a sixtieth larger. */
const DESKS: Quality = { brotli: 10, gzip: 9 };
const DESK = 250_000;

function qualityOf(path: string, body: Buffer): Quality {
  if (extname(path) === '.json' && body.byteLength > LARGE) return GOOD;
  return body.byteLength > DESK ? DESKS : BEST;
}

/**
 * Writes a .br and a .gz beside each file. One compressor goes through all of them before the other does: taking turns
 * costs a third more, because each finds the processor's caches full of the other's tables.
 * @param bodies by file
 */
export function writeCompressed(bodies: ReadonlyMap<string, Buffer>, quality: Quality): void {
  const worth = [...bodies].filter(([, body]) => body.byteLength >= TOO_SMALL);
  for (const [file, body] of worth) writeFileSync(`${file}.br`, brotli(body, quality.brotli));
  const gzip = gzipAlike(quality.gzip);
  for (const [file, body] of worth) writeFileSync(`${file}.gz`, gzip(body));
}

/**
 * Compresses every text file of a folder that is no page.
 * @param last where the same code compressed a site before: what is still the same need not be compressed again, which
 *   is a fifth of a small catalogue's build
 */
export function compressFiles(root: string, last?: string): void {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    const before = last && join(last, entry.name);
    // Below it are pages, and thousands of folders.
    if (entry.name === 'sites') continue;
    if (entry.isDirectory()) compressFiles(path, before);
    else if (COMPRESSED.has(extname(path))) {
      const body = readFileSync(path);
      if (before && takeOver(before, path, body)) continue;
      writeCompressed(new Map([[path, body]]), qualityOf(path, body));
    }
  }
}

/** Whether the last build's compressed forms are of the same bytes; looked into, for a power cut can damage them. */
function takeOver(before: string, path: string, body: Buffer): boolean {
  try {
    const [br, gz] = [readFileSync(`${before}.br`), readFileSync(`${before}.gz`)];
    if (!brotliDecompressSync(br).equals(body) || !gunzipSync(gz).equals(body)) return false;
    writeFileSync(`${path}.br`, br);
    writeFileSync(`${path}.gz`, gz);
    return true;
  } catch {
    return false;
  }
}

function brotli(body: Buffer, quality: number): Buffer {
  return brotliCompressSync(body, {
    chunkSize: roomFor(body),
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: quality,
      // No larger than the file: the default window costs a page 8 ms of memory management, and saves nothing.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.byteLength)))),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}
