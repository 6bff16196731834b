/** Finishes the pages, and compresses the built files once, so that no request has to. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.xml']);
/** Below this, the headers outweigh what compression saves; in bytes. */
const TOO_SMALL = 200;

/** Up to so many pages, each is compressed as far as it goes (6 ms a page instead of 0.2, a sixteenth smaller). */
const FEW_PAGES = 500;

/**
 * So many files go through one compressor before the other gets them: taking turns on each file costs a third more,
 * because each finds the processor's caches full of the other's tables.
 */
const BATCH = 256;

/** Gives a page its last form; its address is such as `/sites/lap.app/`. */
type Finish = (address: string, html: Buffer) => Buffer;

/**
 * Finishes every page of a fresh build, and writes a .br and a .gz beside every text file. Answers the number of pages.
 * @param total how many pages the whole site has, of which these may be a part
 */
export function compressSite(root: string, total: number, finish: Finish): number {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  const quick = (file: string) => file.endsWith('.html') && total > FEW_PAGES;
  for (let start = 0; start < files.length; start += BATCH) {
    const bodies = files
      .slice(start, start + BATCH)
      .map((file) => [file, finished(root, file, finish)] as const);
    const worth = bodies.filter(([, body]) => body.byteLength >= TOO_SMALL);
    for (const [file, body] of worth) writeFileSync(`${file}.br`, brotli(body, quick(file) ? 5 : 11));
    for (const [file, body] of worth)
      writeFileSync(`${file}.gz`, gzipSync(body, { level: quick(file) ? 6 : 9 }));
  }
  return files.filter((file) => file.endsWith('.html')).length;
}

/** A file's bytes; a page's are finished first, and written back. */
function finished(root: string, file: string, finish: Finish): Buffer {
  const raw = readFileSync(file);
  if (!file.endsWith('.html')) return raw;
  const html = finish(addressOf(root, file), raw);
  if (html !== raw) writeFileSync(file, html);
  return html;
}

/** Addresses end in a slash for pages (`/sites/lap.app/`) and in the file's name otherwise. */
export function addressOf(root: string, file: string): string {
  const name = file.slice(root.length).replaceAll('\\', '/');
  return name.endsWith('/index.html') ? name.slice(0, -'index.html'.length) : name;
}

function brotli(body: Buffer, quality: number): Buffer {
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: quality,
      // No larger than the file: the default window costs a page 8 ms of memory management, and saves nothing.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(body.byteLength)))),
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}
