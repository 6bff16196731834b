/**
 * `npm run shots`: pictures of every page, state and mail in shots/, light and dark at 1280 and 390 pixels, light at 768 and
 * 1920; they are looked at, not asserted. `npm run shots -- dashboard sign-in` takes only those; with `--readme` the README's
 * moving picture is made, too, and without names alone.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { readOptions } from '../../config/read-options.ts';
import { reportAndExit } from '../../config/report-and-exit.ts';
import { UserError } from '../../config/user-error.ts';
import { BROWSER_SWITCHES } from '../support/browser-switches.ts';
import { findBrowser } from '../support/find-browser.ts';
import { ADMIN_PAGES } from './admin-pages.ts';
import { makeFilm } from './film.ts';
import { LARGE_CATALOGUE } from './large-catalogue.ts';
import { MAILS } from './mails.ts';
import { makeOffers } from './make-offers.ts';
import { NEGOTIATION } from './negotiation.ts';
import type { Scene, Stage } from './scene.ts';
import { withStage } from './stage.ts';
import { STOREFRONT } from './storefront.ts';

const FOLDER = 'shots';
const VARIANTS = [
  { name: 'wide-light', width: 1280, colorScheme: 'light' },
  { name: 'wide-dark', width: 1280, colorScheme: 'dark' },
  { name: 'narrow-light', width: 390, colorScheme: 'light' },
  { name: 'narrow-dark', width: 390, colorScheme: 'dark' },
  { name: '768-light', width: 768, colorScheme: 'light' },
  { name: '1920-light', width: 1920, colorScheme: 'light' },
] as const;

/** The dashboard comes first, while it contains only the offers of makeOffers. */
const SCENES: Record<string, Scene> = {
  ...ADMIN_PAGES,
  ...NEGOTIATION,
  ...STOREFRONT,
  ...LARGE_CATALOGUE,
  ...MAILS,
};

try {
  const { values, positionals } = readOptions(
    { options: { readme: { type: 'boolean', default: false } }, allowPositionals: true },
    `Please name pictures, or the option --readme, like this: npm run shots -- dashboard --readme. ${choice()}`,
  );
  const all = values.readme ? [] : Object.keys(SCENES);
  const names = positionals.length > 0 ? positionals : all;
  const scenes = names.map((name) => [name, known(name)] as const);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  await using browser = await chromium.launch({
    executablePath: findBrowser() ?? chromium.executablePath(),
    args: [...BROWSER_SWITCHES],
  });
  if (scenes.length > 0) await withStage((stage) => takeAll(browser, scenes, stage));
  if (values.readme) await makeFilm(browser, FOLDER);
} catch (error) {
  reportAndExit(error);
}

function known(name: string): Scene {
  const scene = SCENES[name];
  if (scene) return scene;
  throw new UserError(`There is no picture “${name}”. ${choice()}`);
}

function choice(): string {
  return `Choose of: ${Object.keys(SCENES).join(', ')}.`;
}

async function takeAll(browser: Browser, scenes: (readonly [string, Scene])[], stage: Stage): Promise<void> {
  await makeOffers(await browser.newPage(), stage);
  for (const [name, scene] of scenes) {
    await takeOne(browser, name, (page) => scene(page, stage));
    console.log(`  ${name}`);
  }
}

async function takeOne(browser: Browser, name: string, go: (page: Page) => Promise<void>) {
  for (const variant of VARIANTS) {
    const { width, colorScheme } = variant;
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    await go(page);
    await page.screenshot({ path: join(FOLDER, `${name}-${variant.name}.png`), fullPage: true });
    await context.close();
  }
}
