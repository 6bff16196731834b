import type { Page } from 'playwright';
import { ADMIN } from '../support/product.ts';
import { at, holdResponses, type Scene, type Stage, withoutScript } from './scene.ts';

const OFFERS = '**/rest/v1/offers**';
const LOGIN = '/admin/login';

/** Every admin page and state. `dashboard` shows the offers of make-offers.ts. */
export const ADMIN_PAGES: Record<string, Scene> = {
  dashboard: async (page, stage) => {
    await signIn(page, stage);
    await page.getByRole('row').nth(3).waitFor();
  },
  loading: async (page, { product }) => {
    await holdResponses(page, '**/_astro/*.js');
    await page.goto(product.origin + LOGIN, { waitUntil: 'commit' });
    await page.getByText('Loading...').waitFor();
  },
  'sign-in': async (page, stage) => {
    await at(LOGIN)(page, stage);
    await page.getByRole('button', { name: 'Sign In' }).waitFor();
  },
  'sign-in-no-script': async (page, stage) => {
    await withoutScript(page);
    await at(LOGIN)(page, stage);
  },
  'sign-in-busy': async (page, stage) => {
    await holdResponses(page, '**/functions/v1/admin-auth');
    await signIn(page, stage);
    await page.getByRole('button', { name: 'Signing in...' }).waitFor();
  },
  'sign-in-rejected': async (page, stage) => {
    await signIn(page, stage, 'not the password');
    await page.getByRole('alert').waitFor();
  },
  'dashboard-loading': async (page, stage) => {
    await holdResponses(page, OFFERS);
    await signIn(page, stage);
    await page.getByText('Loading offers...').waitFor();
  },
  'dashboard-empty': async (page, stage) => {
    await page.route(OFFERS, (route) => route.fulfill({ json: [] }));
    await signIn(page, stage);
    await page.getByText('No offers yet').waitFor();
  },
  'dashboard-failed': async (page, stage) => {
    await page.route(OFFERS, (route) => route.abort());
    await signIn(page, stage);
    await page.getByRole('alert').waitFor();
  },
  'dashboard-status-not-saved': async (page, stage) => {
    await page.route(OFFERS, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await signIn(page, stage);
    await page.getByRole('table').getByRole('combobox').first().selectOption('pending');
    await page.getByRole('alert').waitFor();
  },
};

/** Signs in, or tries to. */
export async function signIn(page: Page, stage: Stage, password = ADMIN.password): Promise<void> {
  await at(LOGIN)(page, stage);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}
