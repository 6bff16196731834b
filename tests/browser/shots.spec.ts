/** The pictures of the product and the README's film can be made: each waits for what it shows. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFilm } from '../shots/film.ts';
import { SCREENS, takeScreens, VARIANTS } from '../shots/screens.ts';
import { expect, test } from './fixtures.ts';

test('every screen is taken, wide in light and narrow in dark colours', async ({ browser, product }) => {
  // Twelve pictures of whole pages.
  test.setTimeout(150_000);
  const taken: string[] = [];
  const variants = [VARIANTS[0], VARIANTS[3]];
  await takeScreens(browser, product, (name) => taken.push(name), variants);
  expect(taken).toHaveLength(2 * Object.keys(SCREENS).length);
});

test('the film has each of its frames', async ({ browser }) => {
  // The demo's names are built, again as reserved and as sold, and the film is compressed.
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  try {
    // As it is, but in larger files.
    const { frames } = await makeFilm(browser, folder, folder, 0);
    // With the film, and two stills.
    expect(readdirSync(folder)).toHaveLength(frames + 3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
