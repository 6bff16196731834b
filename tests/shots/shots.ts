/**
 * `npm run shots`: six screens in shots/, light and dark, at 1280 and 390 pixels, to be looked at; with `--readme` the README's
 * pictures in their place.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { readOptions } from '../../process/read-options.ts';
import { reportAndExit } from '../../process/report-and-exit.ts';
import { BROWSER_SWITCHES } from '../support/browser-switches.ts';
import { findBrowser } from '../support/find-browser.ts';
import { startProduct } from '../support/product.ts';
import { makeFilm } from './film.ts';
import { takeScreens } from './screens.ts';

const FOLDER = 'shots';

try {
  const { values } = readOptions(
    { options: { readme: { type: 'boolean', default: false } } },
    'npm run shots takes no option but --readme, for the pictures of the README.',
  );
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  await using browser = await chromium.launch({
    executablePath: findBrowser() ?? chromium.executablePath(),
    args: [...BROWSER_SWITCHES],
    env: { ...process.env, FONTCONFIG_FILE: resolve('tests/shots/fonts.conf') },
  });
  if (values.readme) {
    const { frames, bytes } = await makeFilm(browser, 'docs/pictures', FOLDER);
    console.log(`  docs/pictures/offer.webp: ${frames} frames, ${Math.round(bytes / 1000)} KB`);
  } else {
    const product = await startProduct();
    try {
      await takeScreens(browser, product, (name, picture) => writeFileSync(join(FOLDER, name), picture));
    } finally {
      await product.stop();
    }
  }
} catch (error) {
  reportAndExit(error);
}
