import type { Page } from 'playwright';
import { ADMIN } from '../support/product.ts';
import { at, holdResponses, type Scene, type Stage, withoutScript } from './scene.ts';

const OFFERS = '**/rest/v1/offers**';
const SIGN_IN = '**/functions/v1/admin-auth';
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
    await holdResponses(page, SIGN_IN);
    await signIn(page, stage);
    await page.getByRole('button', { name: 'Signing in...' }).waitFor();
  },
  'sign-in-rejected': async (page, stage) => {
    await signIn(page, stage, 'not the password');
    await page.getByRole('alert').waitFor();
  },
  'sign-in-code': async (page, stage) => {
    await rejectSignIn(page, 'code_required', 'Enter the code from your authenticator app.');
    await signIn(page, stage);
    await page.getByLabel('Code', { exact: true }).waitFor();
  },
  'sign-in-wrong-code': async (page, stage) => {
    await rejectSignIn(page, 'wrong_code', 'This code is not valid. Codes change every 30 seconds.');
    await signIn(page, stage);
    await page.getByLabel('Code', { exact: true }).fill('123 456');
  },
  'dashboard-recovery-code': async (page, stage) => {
    await page.route(SIGN_IN, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), recovery_codes_left: 9 } });
    });
    await signIn(page, stage);
    await page.getByText('You signed in with a recovery code').waitFor();
  },
  'dashboard-low': async (page, stage) => {
    await markOffers(page);
    await signIn(page, stage);
    await page.getByRole('button', { name: 'Low' }).click();
    await page.getByRole('row').nth(2).waitFor();
  },
  'dashboard-held': async (page, stage) => {
    await markOffers(page);
    await signIn(page, stage);
    await page.getByRole('button', { name: 'Held' }).click();
    await page.getByRole('row').nth(2).waitFor();
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
    await page.locator('tbody').getByRole('combobox').first().selectOption('pending');
    await page.getByRole('alert').waitFor();
  },
};

async function rejectSignIn(page: Page, code: string, error: string): Promise<void> {
  await page.route(SIGN_IN, (route) => route.fulfill({ status: 401, json: { code, error } }));
}

/** Lists every offer under Low and under Held, the first two with both marks. */
async function markOffers(page: Page): Promise<void> {
  await page.route('**/rest/v1/rpc/offer_counts', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), low: 4, held: 4 } });
  });
  await page.route('**/rest/v1/rpc/{find_offers,offer_pages}', async (route) => {
    const { filter = {}, ...more } = route.request().postDataJSON();
    const response = await route.fetch({ postData: { ...more, filter: {} } });
    const json = await response.json();
    json.offers = json.offers?.map((offer: object, at: number) => ({
      ...offer,
      status: 'pending',
      held: filter.held === true,
      low: filter.low === true || at < 2,
    }));
    await route.fulfill({ response, json });
  });
}

/** Signs in, or tries to. */
export async function signIn(page: Page, stage: Stage, password = ADMIN.password): Promise<void> {
  await at(LOGIN)(page, stage);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}
