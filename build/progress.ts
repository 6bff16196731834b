import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A catalogue of so many domains gets one line of progress instead of a line for each page. */
const MANY = 100;

/** Shows what Astro says of a build, with the pages of a large catalogue counted instead of listed. */
export function showProgress(output: Readable, domains: number): void {
  let pages = 0;
  const step = Math.max(100, Math.round(domains / 20));
  createInterface({ input: output }).on('line', (line) => {
    if (domains < MANY || !/├─|└─/.test(line)) return console.log(line);
    pages += 1;
    if (pages % step === 0) console.log(`  ${pages.toLocaleString('en-US')} pages`);
  });
}
