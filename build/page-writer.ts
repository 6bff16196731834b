import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BEST, QUICK, writeCompressed } from './compress.ts';
import { fileAt } from './page-files.ts';

/** Up to so many pages, each is compressed as far as it goes. */
const FEW_PAGES = 500;

/** Compressed together (compress.ts says why): two hundred pages, in bytes. */
const BATCH = 4 * 1024 * 1024;

export interface PageWriter {
  /**
   * @param address of the page, such as `/sites/lap.app/` or `/404.html`
   * @param html a character for each byte
   */
  add(address: string, html: string): void;
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
      if (used + html.length > BATCH) compress();
      const hasRoom = html.length <= BATCH;
      const body = hasRoom ? memory.subarray(used, used + html.length) : Buffer.allocUnsafeSlow(html.length);
      body.write(html, 'latin1');
      used += html.length;
      writeFileSync(file, body);
      batch.set(file, body);
    },
    end: compress,
  };
}
