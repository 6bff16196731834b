import type { Page } from '@playwright/test';
import { ADMIN } from '../support/product.ts';
import { at, leaveUnanswered, type Scene, type Stage, withoutScript } from './scene.ts';

const OFFERS = '**/rest/v1/offers**';
const LOGIN = '/admin/login';

/** Every page and state that the administrator may see. `desk` holds what make-offers.ts made. */
export const DESK: Record<string, Scene> = {
  desk: async (page, stage) => {
    await signIn(page, stage);
    await page.getByRole('row').nth(3).waitFor();
  },
  loading: async (page, { product }) => {
    await leaveUnanswered(page, '**/_astro/*.js');
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
    await leaveUnanswered(page, '**/functions/v1/admin-auth');
    await signIn(page, stage);
    await page.getByRole('button', { name: 'Signing in...' }).waitFor();
  },
  'sign-in-refused': async (page, stage) => {
    await signIn(page, stage, 'not the password');
    await page.getByRole('alert').waitFor();
  },
  'desk-loading': async (page, stage) => {
    await leaveUnanswered(page, OFFERS);
    await signIn(page, stage);
    await page.getByText('Loading offers...').waitFor();
  },
  'desk-empty': async (page, stage) => {
    await page.route(OFFERS, (route) => route.fulfill({ json: [] }));
    await signIn(page, stage);
    await page.getByText('No offers yet').waitFor();
  },
  'desk-failed': async (page, stage) => {
    await page.route(OFFERS, (route) => route.abort());
    await signIn(page, stage);
    await page.getByRole('alert').waitFor();
  },
  'desk-status-not-saved': async (page, stage) => {
    await page.route(OFFERS, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await signIn(page, stage);
    await page.getByRole('combobox').first().selectOption('pending');
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
