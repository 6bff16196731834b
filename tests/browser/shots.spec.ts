/** The pictures of the product and the README's film can be made: each waits for what it shows. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFilm } from '../shots/film.ts';
import { SCREENS, takeScreens } from '../shots/screens.ts';
import { expect, test } from './fixtures.ts';

test('every screen is taken wide and narrow, light and dark', async ({ browser, startOwnProduct }) => {
  // Twenty-four pictures of whole pages.
  test.setTimeout(150_000);
  const taken: string[] = [];
  await takeScreens(browser, await startOwnProduct(), (name) => taken.push(name));
  expect(taken).toHaveLength(4 * Object.keys(SCREENS).length);
});

test('the film has each of its frames', async ({ browser }) => {
  // The demo's names are built, again as reserved and as sold, and the film is compressed.
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'film-'));
  try {
    const { frames } = await makeFilm(browser, folder, folder);
    // With the film, and two stills.
    expect(readdirSync(folder)).toHaveLength(frames + 3);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
