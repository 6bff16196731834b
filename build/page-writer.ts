import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BEST, QUICK, writeCompressed } from './compress.ts';
import { fileAt } from './page-files.ts';

/** Up to so many pages, each is compressed as far as it goes. */
const FEW_PAGES = 500;

/** Compressed together (compress.ts says why): two hundred pages, in bytes. */
const BATCH = 4 * 1024 * 1024;

export interface PageWriter {
  /** @param address of the page, such as `/sites/lap.app/` or `/404.html` */
  add(address: string, html: Buffer): void;
  /** Writes what is left. */
  end(): void;
}

/**
 * Writes finished pages and their compressed forms.
 * @param total how many pages the whole site has, of which these may be a part
 */
export function pageWriter(root: string, total: number): PageWriter {
  const quality = total > FEW_PAGES ? QUICK : BEST;
  const batch = new Map<string, Buffer>();
  // One piece of memory for all batches: pages that wait in memory of their own grow old with V8, which then takes a
  // whole marking to be rid of each thousand.
  const memory = Buffer.allocUnsafeSlow(BATCH);
  let used = 0;
  const compress = () => {
    writeCompressed(batch, quality);
    batch.clear();
    used = 0;
  };
  return {
    add(address, html) {
      const file = fileAt(root, address);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, html);
      if (html.byteLength > BATCH) return writeCompressed(new Map([[file, html]]), quality);
      if (used + html.byteLength > BATCH) compress();
      html.copy(memory, used);
      batch.set(file, memory.subarray(used, used + html.byteLength));
      used += html.byteLength;
    },
    end: compress,
  };
}
