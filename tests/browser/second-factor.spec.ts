/** Signing in with a second factor, as an administrator who enrolled one at the terminal. */
import type { Page } from '@playwright/test';
import { type TOTP, URI } from 'otpauth';
import * as z from 'zod/mini';
import {
  addAdministrator,
  findRow,
  removeAdministrator,
} from '../../server/backend-client/administrators.ts';
import type { Project } from '../../server/backend-client/project.ts';
import { withProject } from '../../server/embedded/with-project.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { test as base, expect, fillLogin, scrollsHorizontally, waitUntilQuiet } from './fixtures.ts';

const REJECTED = /status of 401.*admin-auth/;

/** An administrator with a second factor. */
interface Enrolled {
  readonly email: string;
  readonly password: string;
  readonly recoveryCodes: readonly string[];
  readonly totp: TOTP;
  /** Does something with the product's database. */
  readonly change: (act: (project: Project) => Promise<unknown>) => Promise<unknown>;
}

const SecretSchema = z.object({ url: z.string(), sealed: z.string() });
const RecoverySchema = z.object({ recovery_codes: z.array(z.string()) });

const test = base.extend<{ enrolled: Enrolled }>({
  enrolled: async ({ page, product, pageErrors }, use, { testId }) => {
    // Every sign-in here begins without a code.
    pageErrors.expect(REJECTED);
    const change = <Result>(act: (project: Project) => Promise<Result>) =>
      withProject({ dataDir: product.dataDir, supabase: undefined }, act);
    const made = await change(async (project) => {
      const account = await addAdministrator(project, `${testId}@example.com`);
      const { user_id, email } = await findRow(project, account.email);
      const { url, sealed } = SecretSchema.parse(await project.enrolFactor({ user_id, email }));
      const totp = URI.parse(url) as TOTP;
      const confirmed = await project.enrolFactor({ user_id, email, sealed, code: totp.generate() });
      return { ...account, totp, recoveryCodes: RecoverySchema.parse(confirmed).recovery_codes };
    });
    await use({ ...made, change });
    // An open dashboard would log that its session ended.
    await page.goto('about:blank');
    await change((project) => removeAdministrator(project, made.email));
  },
});

test('the right password shows the field Code, and the code opens the dashboard, by keyboard alone', async ({
  page,
  enrolled,
}) => {
  await page.goto('/admin/login');
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(codeField(page)).toHaveCount(0);
  await page.keyboard.press('Tab');
  await page.keyboard.type(enrolled.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(enrolled.password);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('status')).toHaveText('Enter the code from your authenticator app.');
  await expect(codeField(page)).toBeFocused();
  await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
  await expect(codeField(page)).toHaveAttribute('inputmode', 'numeric');
  await expect(page.getByLabel('Email')).toBeHidden();
  await expect(page.getByLabel('Password', { exact: true })).toBeHidden();
  await expect(page.getByRole('textbox')).toHaveCount(1);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);

  const code = nextCode(enrolled.totp);
  await page.keyboard.type(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await expect(page.getByText(`Welcome, ${enrolled.email}`, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByText('recovery code')).toHaveCount(0);
});

test('Back leads from the code to email and password, and to the code again, where typing replaces a wrong one', async ({
  page,
  enrolled,
}) => {
  await sendPassword(page, enrolled);
  await expect(codeField(page)).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(codeField(page)).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue(enrolled.email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(enrolled.password);
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(codeField(page)).toBeFocused();
  const response = Promise.withResolvers<void>();
  const SIGN_IN = '**/functions/v1/admin-auth';
  await page.route(SIGN_IN, async (route) => {
    await response.promise;
    await route.continue();
  });
  await page.keyboard.type(enrolled.totp.generate({ timestamp: 0 }));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Email').focus();
  response.resolve();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled();
  await expect(page.getByLabel('Email'), 'a late response').toBeFocused();
  await page.unroute(SIGN_IN);
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(enrolled.totp.generate({ timestamp: 0 }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('alert')).toHaveText('This code is not valid. Codes change every 30 seconds.');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(nextCode(enrolled.totp));
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Welcome, ${enrolled.email}`)).toBeVisible();
});

test('a recovery code opens the dashboard, which shows how many are left; the field is accessible, and fits 320 pixels', async ({
  page,
  enrolled,
}) => {
  const checkAccessibility = await accessibilityChecker(page);
  await sendPassword(page, enrolled);
  await expect(codeField(page)).toBeVisible();
  await checkAccessibility('a code required');
  await codeField(page).fill(enrolled.totp.generate({ timestamp: 0 }));
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await checkAccessibility('a wrong code');
  await page.setViewportSize({ width: 320, height: 720 });
  expect(await scrollsHorizontally(page)).toBe(false);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  // A keypad of digits has no letters.
  await expect(codeField(page)).toHaveAttribute('inputmode', 'text');
  await codeField(page).fill(` ${enrolled.recoveryCodes[3]?.toLowerCase().replaceAll('-', ' ')} `);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(/^You signed in with a recovery code: 9 left\./)).toBeVisible();
  await checkAccessibility('the number of recovery codes left');

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await sendPassword(page, enrolled);
  await codeField(page).fill(enrolled.recoveryCodes[3] ?? '');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toHaveText(/^This code is not valid/);
});

test('removing the factor ends the session, and a password is enough again', async ({
  page,
  enrolled,
  pageErrors,
}) => {
  pageErrors.expect(/status of 40\d.*(?:rest\/v1|refresh_token|logout)/);
  await sendPassword(page, enrolled);
  await codeField(page).fill(nextCode(enrolled.totp));
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText(`Welcome, ${enrolled.email}`)).toBeVisible();

  // A poll or another call would sign the page out before the button does.
  await waitUntilQuiet(page);
  await page.route(/rpc\/(?:new_offers|message_status|asking_prices|standings)$/, () => {});
  await enrolled.change(async (project) => {
    const { user_id } = await findRow(project, enrolled.email);
    await project.call('remove_factor', { user_id });
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  await fillLogin(page, enrolled);
});

function codeField(page: Page) {
  return page.getByLabel('Code', { exact: true });
}

/** The code that the app shows next: the present one may be used up. */
function nextCode(totp: TOTP): string {
  return totp.generate({ timestamp: Date.now() + 30_000 });
}

async function sendPassword(page: Page, { email, password }: Enrolled): Promise<void> {
  await page.goto('/admin/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}
