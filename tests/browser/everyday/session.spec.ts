/** Signing in, staying signed in and signing out. */
import type { Locator, Page } from '@playwright/test';
import type { Credentials } from '#contract/sign-in.ts';
import { makeOffer, refreshStatus } from '../../support/calls.ts';
import { ADMIN } from '../../support/product.ts';
import { expect, fillLogin, scrollsHorizontally, signInByForm, test, waitUntilQuiet } from '../fixtures.ts';

test('the login page has its texts, requires both fields and shows the password on demand', async ({
  page,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const path of ['/admin/dashboard', '/admin']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/admin\/login$/);
  }
  await expect(page).toHaveTitle('Admin Access');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Access');
  await expect(page.getByText('Sign in to access the admin panel', { exact: true })).toBeVisible();
  const [email, password] = [page.getByLabel('Email'), passwordField(page)];
  await expect(email).toHaveAttribute('placeholder', 'Enter admin email');
  await expect(password).toHaveAttribute('placeholder', 'Enter admin password');
  await expect(page.getByText('Email', { exact: true })).toBeVisible();
  await expect(page.getByText('Password', { exact: true })).toBeVisible();
  await expect(page.getByText('Authentication is powered by Supabase.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);

  const submit = page.getByRole('button', { name: 'Sign In', exact: true });
  await submit.click();
  await expect(email).toBeFocused();
  expect(await complaintOf(email)).toBe('valueMissing');
  await email.fill('owner');
  await submit.click();
  expect(await complaintOf(email)).toBe('typeMismatch');
  await email.fill(ADMIN.email);
  await submit.click();
  await expect(password).toBeFocused();
  expect(await complaintOf(password)).toBe('valueMissing');
  expect(requested.filter((url) => /\/(?:functions|rest)\/v1\//.test(url))).toEqual([]);

  await password.fill('secret');
  await expect(password).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(password).toHaveValue('secret');
  await expect(page.getByRole('button', { name: 'Show password' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await expect(page).toHaveURL(/\/admin\/login$/);
});

test('the login page fits screens 360 and 1280 pixels wide, in both schemes', async ({ page }) => {
  await page.goto('/admin/login');
  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const where = `${width} pixels, ${colorScheme}`;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 720 });
      await expect(page.getByRole('button', { name: 'Sign In' }), where).toBeInViewport();
      expect(await scrollsHorizontally(page), where).toBe(false);
      expect(await brightness(page), where).toBeCloseTo(colorScheme === 'light' ? 1 : 0, 0);
    }
  }
});

test('signing in with the keyboard alone opens the dashboard, also after a reload and from the login page', async ({
  page,
}) => {
  await page.goto('/admin/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.type(ADMIN.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(ADMIN.password);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Hide password' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  const welcome = page.getByText(`Welcome, ${ADMIN.email}`, { exact: true });
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await expect(page).toHaveTitle(/^(?:\(\d+\) )?Domain Sales Admin$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Domain Sales Admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(welcome).toBeVisible();
  await page.reload();
  await expect(welcome).toBeVisible();
  for (const path of ['/admin', '/admin/login']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(welcome).toBeVisible();
  }
});

test('a wrong password is sent once, its message is shown, and typing on corrects it', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 401.*admin-auth/);
  const sent: unknown[] = [];
  let gate = Promise.withResolvers<void>();
  await page.route('**/functions/v1/admin-auth', async (route) => {
    sent.push(route.request().postDataJSON());
    await gate.promise;
    await route.continue();
  });
  const wrong = { ...ADMIN, password: 'not the password' };
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(wrong.email);
  await passwordField(page).fill(wrong.password);
  await page.getByRole('button', { name: 'Sign In' }).dblclick();
  await passwordField(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Signing in...', exact: true })).toBeDisabled();
  // The browser tells the test of the request after the page has shown the button.
  await expect.poll(() => sent).toEqual([wrong]);
  gate.resolve();
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password.');
  expect(sent).toHaveLength(1);
  await expect(page.getByLabel('Email')).toHaveValue(ADMIN.email);
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();

  await expect(passwordField(page)).toBeFocused();
  gate = Promise.withResolvers();
  await page.keyboard.type('wrong again');
  await page.keyboard.press('Enter');
  // What is typed before the response is not selected by it.
  await passwordField(page).selectText();
  await page.keyboard.type(ADMIN.password.slice(0, 3));
  gate.resolve();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  await page.keyboard.type(ADMIN.password.slice(3));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
});

test('Logout removes the session, adds nothing to the history, and leaves the device known', async ({
  page,
  product,
}) => {
  const sent: Credentials[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/admin-auth')) sent.push(request.postDataJSON());
  });
  await page.goto('/');
  const before = await page.evaluate(() => history.length);
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await fillLogin(page);
  const refreshToken = await page.evaluate(() => JSON.parse(Object.values(localStorage)[0]).refresh_token);
  await page.getByRole('button', { name: 'Logout' }).click();

  await expect(page).toHaveURL(/\/admin\/login$/);
  await expect(page).toHaveTitle('Admin Access');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await expect.poll(() => refreshStatus(product, refreshToken)).toBe(400);

  await fillLogin(page);
  expect(sent.map(({ device }) => device)).toEqual([
    undefined,
    expect.stringMatching(/^\d{10}\.[0-9a-f]{32}\.[0-9a-f]{64}$/),
  ]);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('Logout in one tab signs out the others, and clears a page that Back restores', async ({
  page,
  product,
}) => {
  await makeOffer(product, { customer_name: 'Grace Hopper' });
  const left = await page.context().newPage();
  await left.goto('/');
  await signInByForm(left);
  await expect(left.getByRole('cell', { name: 'Grace Hopper' }).first()).toBeVisible();
  await left.goto('/');
  await page.goto('/admin');
  await expect(page.getByRole('cell', { name: 'Grace Hopper' }).first()).toBeVisible();
  // A read that the server rejects before this page knows that it is signed out would be logged.
  await waitUntilQuiet(page);
  await page.route('**/rest/v1/**', () => {});
  const other = await page.context().newPage();
  const extended = other.waitForResponse('**/rpc/extend_admin_session');
  await other.goto('/admin');
  await extended;
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(other).toHaveURL(/\/admin\/login$/);

  await left.goBack();
  for (const tab of [page, left]) {
    await expect(tab).toHaveURL(/\/admin\/login$/);
    await expect(tab.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expect(tab.getByText('Grace Hopper')).toHaveCount(0);
  }
});

function passwordField(page: Page): Locator {
  return page.getByLabel('Password', { exact: true });
}

/** The browser's own validation message of a field. */
function complaintOf(field: Locator): Promise<string | undefined> {
  return field.evaluate((input: HTMLInputElement) =>
    (['valueMissing', 'typeMismatch'] as const).find((reason) => input.validity[reason]),
  );
}

/** Of the page's background: 0 is black, 1 is white. */
function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const channels = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
    return channels.slice(0, 3).reduce((sum, channel) => sum + Number(channel), 0) / (3 * 255);
  });
}
