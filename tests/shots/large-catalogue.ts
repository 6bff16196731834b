import type { Page } from 'playwright';
import { holdResponses, type Scene, type Stage } from './scene.ts';

const NAMES = '**/domains/names.json';

/** What only a catalogue with pages of its own has. */
export const LARGE_CATALOGUE: Record<string, Scene> = {
  'large-home': async (page, { large }) => void (await page.goto(large.origin)),
  'large-not-found': async (page, { large }) => void (await page.goto(`${large.origin}/nothing-here`)),
  'large-home-found': async (page, stage) => {
    await page.goto(stage.large.origin);
    await page.getByRole('searchbox').fill('river sun');
    await page.getByRole('search').getByRole('radio').first().waitFor();
  },
  'large-domain': async (page, { large }) => void (await page.goto(`${large.origin}/sites/sunriver0.app/`)),
  catalogue: open,
  'catalogue-last': async (page, { large }) => void (await page.goto(`${large.origin}/domains/3/`)),
  'search-working': async (page, stage) => {
    await holdResponses(page, NAMES);
    await search(page, stage, 'sun');
    await page.getByText('Loading the names…').waitFor();
  },
  'search-found': async (page, stage) => {
    await search(page, stage, 'sun');
    await page.getByRole('search').getByRole('link').first().waitFor();
  },
  'search-filtered': async (page, stage) => {
    await open(page, stage);
    await page.getByRole('combobox', { name: 'Ending' }).selectOption('.dev');
    await page.getByRole('search').getByRole('link').first().waitFor();
  },
  'search-nothing': async (page, stage) => {
    await search(page, stage, 'moon');
    await page.getByText('No domain with “moon” in its name.').waitFor();
  },
  'search-failed': async (page, stage) => {
    await page.route(NAMES, (route) => route.abort());
    await search(page, stage, 'sun');
    await page.getByRole('alert').waitFor();
  },
};

async function open(page: Page, { large }: Stage): Promise<void> {
  await page.goto(`${large.origin}/domains/`);
}

async function search(page: Page, stage: Stage, text: string): Promise<void> {
  await open(page, stage);
  await page.getByRole('searchbox').fill(text);
}
