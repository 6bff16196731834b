import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BEST, QUICK, writeCompressed } from './compress.ts';
import { fileAt } from './page-files.ts';

/** Up to so many pages, each is compressed as far as it goes. */
const FEW_PAGES = 500;

/** Compressed together (compress.ts says why). */
const BATCH = 256;

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
  const compress = () => {
    writeCompressed(batch, quality);
    batch.clear();
  };
  return {
    add(address, html) {
      const file = fileAt(root, address);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, html);
      if (batch.set(file, html).size === BATCH) compress();
    },
    end: compress,
  };
}
