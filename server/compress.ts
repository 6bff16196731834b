/** Compresses the built files once, so that no request has to. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const COMPRESSED = new Set(['.html', '.js', '.css', '.svg', '.json', '.txt', '.xml']);
/** Below this, the headers outweigh what compression saves; in bytes. */
const TOO_SMALL = 200;

/** Writes a .br and a .gz beside every text file. Answers the number of pages. */
export async function compressSite(root: string): Promise<number> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSED.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const body = readFileSync(file);
    if (body.byteLength < TOO_SMALL) continue;
    writeFileSync(`${file}.br`, brotli(body, extname(file)));
    writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
  }
  return files.filter((file) => file.endsWith('.html')).length;
}

/** A page's last tenth of a percent is not worth the time of thousands of pages; a script's is. */
function brotli(body: Buffer, extension: string): Buffer {
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: extension === '.html' ? 9 : 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}
