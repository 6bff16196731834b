/** Signing in, staying signed in and signing out. */
import type { Locator, Page, Request as PageRequest, Route } from '@playwright/test';
import type { Credentials } from '#contract/sign-in.ts';
import { makeAdministrator } from '../../node/embedded-backend/booted-database.fixture.ts';
import { takeDataFolder } from '../../node/embedded-backend/data-folder.ts';
import {
  type DatabaseKeys,
  type OpenDatabase,
  openDatabase,
} from '../../node/embedded-backend/open-database.ts';
import { withProject } from '../../node/embedded-backend/with-project.ts';
import { addAdministrator, removeAdministrator } from '../../node/hosted-project/administrators.ts';
import { callFunction, makeOffer, openSession } from '../support/calls.ts';
import { ADMIN, PUBLIC_KEY } from '../support/product.ts';
import { expect, scrollsHorizontally, settle, signIn, test, waitUntilQuiet } from './fixtures.ts';

const REFUSED = /status of 401.*admin-auth/;

test.describe('the login page', () => {
  test('/admin redirects to the login page with its title and subtitle', async ({ page }) => {
    await page.goto('/admin');

    await expect(page).toHaveURL(/\/admin\/login$/);
    await expect(page).toHaveTitle('Admin Access');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin Access');
    await expect(page.getByText('Sign in to access the admin panel', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveAttribute('placeholder', 'Enter admin email');
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute(
      'placeholder',
      'Enter admin password',
    );
    await expect(page.getByText('Email', { exact: true })).toBeVisible();
    await expect(page.getByText('Password', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
    await expect(page.getByText('Authentication is powered by Supabase.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  test('the dashboard redirects to the login page without a session', async ({ page }) => {
    const requests = requestsTo(page, '/rest/v1/');
    await page.goto('/admin/dashboard');
    await expect(page).toHaveURL(/\/admin\/login$/);
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    expect(requests()).toEqual([]);
  });

  test('the login form requires a valid email and a password', async ({ page }) => {
    const requests = requestsTo(page, '/functions/v1/admin-auth');
    await page.goto('/admin/login');
    const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })];
    const submit = page.getByRole('button', { name: 'Sign In' });

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
    expect(requests()).toEqual([]);
  });

  test('the password is hidden and can be shown', async ({ page }) => {
    await page.goto('/admin/login');
    const password = page.getByLabel('Password', { exact: true });
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

  for (const width of [360, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`the login page fits a ${colorScheme} screen ${width} pixels wide`, async ({ page }) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 720 });
        await page.goto('/admin/login');
        await expect(page.getByRole('button', { name: 'Sign In' })).toBeInViewport();
        expect(await scrollsHorizontally(page)).toBe(false);
        expect(await brightness(page)).toBeCloseTo(colorScheme === 'light' ? 1 : 0, 0);
      });
    }
  }

  test('admin pages are neither cached by browsers nor indexed by search engines', async ({ request }) => {
    for (const path of ['/admin', '/admin/login', '/admin/dashboard']) {
      const response = await request.get(path);
      expect(response.status(), path).toBe(200);
      expect(response.headers()['cache-control'], path).toBe('no-store');
      expect(response.headers()['x-robots-tag'], path).toBe('noindex');
      expect(await response.text()).toContain('<meta name="robots" content="noindex">');
    }
  });
});

test.describe('signing in', () => {
  test('signing in with the keyboard alone opens the dashboard', async ({ page }) => {
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

    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(page).toHaveTitle(/^(?:\(\d+\) )?Domain Sales Admin$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Domain Sales Admin');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page.getByText(`Welcome, ${ADMIN.email}`, { exact: true })).toBeVisible();
  });

  test('signing in sends one request with the public key and shows Signing in... meanwhile', async ({
    page,
  }) => {
    const held = await hold(page, '**/functions/v1/admin-auth');
    await page.goto('/admin/login');
    await page.getByLabel('Email').fill(ADMIN.email);
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await page.getByRole('button', { name: 'Sign In' }).dblclick();
    await page.getByLabel('Password', { exact: true }).press('Enter');

    await expect(page.getByRole('button', { name: 'Signing in...', exact: true })).toBeDisabled();
    // The browser tells the test of the request after the page has shown the button.
    await expect.poll(() => held.requests.length).toBe(1);
    const [request] = held.requests;
    expect(request?.method()).toBe('POST');
    expect(request?.postDataJSON()).toEqual(ADMIN);
    expect(request?.headers()).toMatchObject({ apikey: PUBLIC_KEY, authorization: `Bearer ${PUBLIC_KEY}` });

    held.release();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    expect(held.requests).toHaveLength(1);
  });

  test('a wrong password shows the server’s error message', async ({ page, pageErrors }) => {
    pageErrors.expect(REFUSED);
    await trySigningIn(page, { ...ADMIN, password: 'not the password' });
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password.');
    await expect(page.getByLabel('Email')).toHaveValue(ADMIN.email);
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();

    // The slip is mended by typing on.
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
    await page.keyboard.type(ADMIN.password);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
  });

  for (const [condition, response] of [
    ['an error page', { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['an error without text', { status: 500, json: { code: 'internal' } }],
    ['the page of a captive portal', { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }],
  ] as const) {
    test(`signing in shows Authentication failed when the response is ${condition}`, async ({
      page,
      pageErrors,
    }) => {
      if (response.status !== 200) pageErrors.expect(/status of 50\d/);
      await page.route('**/functions/v1/admin-auth', (route) => route.fulfill(response));
      await trySigningIn(page, ADMIN);
      await expect(page.getByRole('alert')).toHaveText('Authentication failed');
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
    });
  }

  test('signing in shows Authentication failed without a network', async ({ page, pageErrors }) => {
    pageErrors.expect(/net::ERR_INTERNET_DISCONNECTED/);
    await page.goto('/admin/login');
    await expect(page.getByLabel('Email')).toBeVisible();
    await page.context().setOffline(true);
    await fillInCredentials(page, ADMIN);
    await expect(page.getByRole('alert')).toHaveText('Authentication failed');
  });

  test('signing in shows Authentication failed when the session is rejected', async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 401.*auth\/v1\/user/, /The session could not be installed/);
    await page.route('**/auth/v1/user', (route) => route.fulfill({ status: 401, json: { msg: 'no' } }));
    await trySigningIn(page, ADMIN);
    await expect(page.getByRole('alert')).toHaveText('Authentication failed');
    await expect(page).toHaveURL(/\/admin\/login$/);
  });
});

test.describe('a signed-in user', () => {
  test('a signed-in user stays signed in after a reload and is redirected from the login page', async ({
    page,
  }) => {
    await signIn(page);
    await page.reload();
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    for (const path of ['/admin', '/admin/login']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/admin\/dashboard$/);
      await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    }
  });

  test('a signed-in user sees Loading... until the script has loaded', async ({ page }) => {
    const held = await hold(page, '**/_astro/*.js');
    await page.goto('/admin/dashboard', { waitUntil: 'commit' });
    await expect(page.getByRole('status')).toHaveText('Loading...');
    held.release();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
  });

  test('a signed-in user sees Loading... while an old session is refreshed', async ({ page }) => {
    await signIn(page);
    await expireSessionWhileAway(page);
    const held = await hold(page, '**/auth/v1/token?grant_type=refresh_token');
    await page.goto('/admin/login');
    await expect(page.getByRole('status')).toHaveText('Loading...');
    await expect(page.getByRole('heading')).toHaveCount(0);

    held.release();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    expect(await storedSession(page)).toMatchObject({ expires_in: 600 });
  });

  test('a session check that times out shows the login page', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 503/);
    await signIn(page);
    await expireSessionWhileAway(page);
    await page.clock.install();
    await page.route('**/auth/v1/token?*', (route) => route.fulfill({ status: 503, json: {} }));
    // The page's first spinner stands there without any script: the check has begun with its first request.
    const checking = page.waitForRequest('**/auth/v1/token?*');
    await page.goto('/admin/dashboard');
    await checking;
    await expect(page.getByRole('status')).toHaveText('Loading...');
    await page.clock.fastForward(11_000);
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  });
});

test.describe('Logout', () => {
  test('Logout shows the login page and removes the session', async ({ page, product }) => {
    await signIn(page);
    const { access_token, refresh_token } = await storedSession(page);
    await page.getByRole('button', { name: 'Logout' }).click();

    await expect(page).toHaveURL(/\/admin\/login$/);
    await expect(page).toHaveTitle('Admin Access');
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeFocused();
    await expect(page.getByRole('alert')).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);

    const renewed = await fetch(`${product.origin}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: {
        apikey: PUBLIC_KEY,
        'content-type': 'application/json',
        authorization: `Bearer ${access_token}`,
      },
      body: JSON.stringify({ refresh_token }),
    });
    expect(renewed.ok).toBe(false);
  });

  test('Logout cancels reloads: a status saved afterwards fetches no offers', async ({ page, product }) => {
    await makeOffer(product, { customer_name: 'Grace Hopper' });
    await signIn(page);
    const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' }).first();
    await expect(row).toBeVisible();
    const gate = Promise.withResolvers<void>();
    await page.route('**/rest/v1/offers?*', async (route) => {
      if (route.request().method() === 'PATCH') await gate.promise;
      await route.continue();
    });
    await row.getByRole('combobox').selectOption('accepted');
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    const reads = requestsTo(page, '/rest/v1/');
    const saved = page.waitForResponse('**/rest/v1/offers?*');
    gate.resolve();
    await (await saved).finished();
    await settle(page);
    expect(reads()).toEqual([]);
    expect(await textsInMemory(page)).not.toContain('Grace Hopper');
  });

  test('Logout in one tab signs out the others and removes their offers', async ({ page, product }) => {
    await makeOffer(product, { customer_name: 'Grace Hopper' });
    await signIn(page);
    await expect(page.getByRole('cell', { name: 'Grace Hopper' }).first()).toBeVisible();
    const other = await page.context().newPage();
    await other.goto('/admin');
    await other.getByRole('button', { name: 'Logout' }).click();
    await expect(other).toHaveURL(/\/admin\/login$/);

    await expect(page).toHaveURL(/\/admin\/login$/);
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expect(page.getByText('Grace Hopper')).toHaveCount(0);
  });

  for (const [condition, fail] of [
    ['the server rejects it', (route: Route) => route.fulfill({ status: 500, json: { msg: 'Not today.' } })],
    ['the network fails', (route: Route) => route.abort()],
  ] as const) {
    test(`Logout logs the error and shows the login page when ${condition}`, async ({ page, pageErrors }) => {
      pageErrors.expect(/Failed to load resource.*logout/, /Signing out failed/);
      await signIn(page);
      await page.route('**/auth/v1/logout?*', fail);
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(page.getByText('Not today.')).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    });
  }

  test('Logout clears the offers from a page that Back restores', async ({ page, product }) => {
    await makeOffer(product, { customer_name: 'Grace Hopper' });
    await page.goto('/');
    await signIn(page);
    await expect(page.getByRole('cell', { name: 'Grace Hopper' }).first()).toBeVisible();
    await page.goto('/');
    const other = await page.context().newPage();
    await other.goto('/admin');
    await other.getByRole('button', { name: 'Logout' }).click();
    await expect(other.getByRole('heading', { name: 'Admin Access' })).toBeVisible();

    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expect(page.getByText('Grace Hopper')).toHaveCount(0);
  });
});

test.describe('a user who is not an administrator', () => {
  const PERSON = { email: 'second@example.com', password: 'battery horse correct' };

  test('a user who is not an administrator gets no session with the right password', async ({
    page,
    pageErrors,
    startOwnProduct,
    dataDir,
  }) => {
    pageErrors.expect(REFUSED);
    await inDatabase(dataDir, async (database) => {
      await makeAdministrator(database, ADMIN);
      const id = await makeAdministrator(database, PERSON);
      await database.sql.query('delete from private.admins where user_id = $1', [id]);
    });
    const product = await startOwnProduct({ dataDir });

    await trySigningIn(page, PERSON, product.origin);
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password.');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await product.stop();
    await inDatabase(dataDir, async (database, keys) => {
      const { sql } = database;
      expect((await sql.query('select 1 from auth.sessions')).rows, 'admin-auth ends its own').toHaveLength(
        0,
      );
      expect((await sql.query('select 1 from private.admin_sessions')).rows).toHaveLength(0);
      expect(await opensInside(database, keys, PERSON), 'the password is right').toBe(true);
    });
  });

  test('an added administrator signs in, and is signed out with a message once removed', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(
      /status of 401.*offer_(?:pages|counts)/,
      /status of 400.*refresh_token/,
      /status of 403.*logout/,
    );
    await makeOffer(product, { customer_name: 'Barbara Liskov' });
    const place = { dataDir: product.dataDir, supabase: undefined };
    const { password } = await withProject(place, (project) => addAdministrator(project, PERSON.email));
    // A poll or another read would sign the page out before the button does.
    await page.route(/rpc\/(?:new_offers|message_status|asking_prices)$/, () => {});
    await signIn(page, '', { ...PERSON, password });
    await expect(page.getByRole('cell', { name: 'Barbara Liskov', exact: true })).toBeVisible();

    await withProject(place, (project) => removeAdministrator(project, PERSON.email));

    const loggedOut = page.waitForResponse('**/auth/v1/logout?*');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page).toHaveURL(/\/admin\/login$/);
    await expect(page.getByText(ENDED)).toBeVisible();
    await expect(page.getByText('No offers yet')).toHaveCount(0);
    await expect(page.getByText('Barbara Liskov')).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    // A reload would abort the request.
    expect((await loggedOut).status()).toBe(403);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expect(page.getByText(ENDED)).toHaveCount(0);
  });
});

test.describe('a session that the server has ended', () => {
  for (const [condition, response] of [
    ['reported invalid', { json: false }],
    ['rejected', { status: 401, json: { message: 'JWT expired' } }],
  ] as const) {
    test(`a session that is ${condition} at the next visit signs out`, async ({ page, pageErrors }) => {
      if ('status' in response) pageErrors.expect(/status of 401/);
      await signIn(page);
      await answerReads(page);
      await page.route(EXTENSIONS, (route) => route.fulfill(response));
      await page.reload();
      await expect(page.getByText(ENDED)).toBeVisible();
      await expect(page).toHaveURL(/\/admin\/login$/);
      await page.unrouteAll();
      await fillInCredentials(page, ADMIN);
      await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    });
  }

  test('a session is refreshed silently when only its access token is rejected', async ({
    page,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 401/);
    await signIn(page);
    // Refresh waits for a first reading that is under way.
    await waitUntilQuiet(page);
    await page.route(
      '**/rest/v1/offers?*',
      (route) => route.fulfill({ status: 401, json: { message: 'JWT expired' } }),
      { times: 1 },
    );
    const refreshed = page.waitForResponse('**/auth/v1/token?grant_type=refresh_token');
    await page.getByRole('button', { name: 'Refresh' }).click();
    expect((await refreshed).status()).toBe(200);
    await expect(page.getByText('Loading offers...')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
  });

  test('a rejected refresh token leads to the login page with a message', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 400/);
    await signIn(page);
    await answerReads(page);
    await page.route('**/auth/v1/token?*', (route) =>
      route.fulfill({ status: 400, json: { code: 'refresh_token_not_found', message: 'Invalid' } }),
    );
    await letSessionExpire(page);
    // supabase-js checks the session when the tab becomes visible, and every 30 s.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByText(ENDED)).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/login$/);
  });

  test('a session that the server has ended signs out after the next refresh of its token', async ({
    page,
  }) => {
    await signIn(page);
    await expireSessionWhileAway(page);
    await answerReads(page);
    await page.route(EXTENSIONS, (route) => route.fulfill({ json: false }));
    const renewed = page.waitForResponse('**/auth/v1/token?grant_type=refresh_token');
    await page.goto('/admin/dashboard');
    expect((await renewed).status()).toBe(200);
    await expect(page.getByText(ENDED)).toBeVisible();
  });

  test('a session stays open while the server is unavailable', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 503/);
    await signIn(page);
    const sent = page.waitForRequest(EXTENSIONS);
    await page.route(EXTENSIONS, (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await sent;
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    await expect(page.getByText(ENDED)).toHaveCount(0);
  });
});

test.describe('a device that signed in before', () => {
  test('a known device is recognised at the next sign-in, also after Logout', async ({ page }) => {
    const sent: Credentials[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/admin-auth')) sent.push(request.postDataJSON());
    });
    await signIn(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await fillInCredentials(page, ADMIN);
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    expect(sent.map(({ device }) => device)).toEqual([
      undefined,
      expect.stringMatching(/^\d{10}\.[0-9a-f]{32}\.[0-9a-f]{64}$/),
    ]);
  });

  test('a known device signs in while the limits are used up; a new one reads when to try again', async ({
    page,
    browser,
    startOwnProduct,
  }) => {
    const product = await startOwnProduct({ env: { RATE_LIMIT_SCALE: '1' } });
    await answerReads(page);
    await signIn(page, product.origin);
    await page.getByRole('button', { name: 'Logout' }).click();
    const wrong = { ...ADMIN, password: 'not the password' };
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await callFunction(product, 'admin-auth', wrong)).status),
    );
    expect(statuses).toContain(429);

    await fillInCredentials(page, ADMIN);
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();

    const other = await (await browser.newContext()).newPage();
    await trySigningIn(other, ADMIN, product.origin);
    await expect(other.getByRole('alert')).toHaveText(
      /^Too many attempts to sign in\. Please try again in (a minute|\d+ minutes)\.$/,
    );
    await other.context().close();
  });
});

test('redirects of the admin pages add nothing to the history', async ({ page }) => {
  await page.goto('/');
  const before = await page.evaluate(() => history.length);
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await fillInCredentials(page, ADMIN);
  await expect(page).toHaveURL(/\/admin\/dashboard$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/admin\/login$/);
  expect(await page.evaluate(() => history.length)).toBe(before + 1);
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
});

test('tokens in a link’s fragment do not sign in', async ({ page, product }) => {
  const { access_token, refresh_token } = await openSession(product);
  const fragment = new URLSearchParams({
    access_token,
    refresh_token,
    expires_in: '3600',
    token_type: 'bearer',
    type: 'magiclink',
  });
  await page.goto(`/admin/login#${fragment}`);
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

/** Empty lists, so that no read arrives after the session's end. */
async function answerReads(page: Page): Promise<void> {
  await page.route('**/rest/v1/offers?*', (route) => route.fulfill({ json: [] }));
  await page.route('**/rest/v1/rpc/offer_pages', (route) => route.fulfill({ json: [] }));
  // These stay without a response.
  await page.route(/rpc\/(?:asking_prices|new_offers|message_status)$/, () => {});
}

const EXTENSIONS = '**/rest/v1/rpc/extend_admin_session';
const ENDED = 'Your session has ended. Please sign in again.';

async function trySigningIn(page: Page, credentials: Credentials, origin = ''): Promise<void> {
  await page.goto(`${origin}/admin/login`);
  await fillInCredentials(page, credentials);
}

async function fillInCredentials(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** Keeps requests waiting until they are released. */
async function hold(page: Page, url: string) {
  const requests: PageRequest[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    requests.push(route.request());
    await gate.promise;
    await route.continue();
  });
  return { requests, release: () => gate.resolve() };
}

/** URLs that the page has requested so far and that contain a text. */
function requestsTo(page: Page, part: string): () => string[] {
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes(part) && sent.push(request.url()));
  return () => sent;
}

/** The browser's own validation message of a field. */
function complaintOf(field: Locator): Promise<string | undefined> {
  return field.evaluate((input: HTMLInputElement) =>
    (['valueMissing', 'typeMismatch'] as const).find((reason) => input.validity[reason]),
  );
}

/** Every text that the page's script can still reach. */
async function textsInMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  let snapshot = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    snapshot += chunk;
  });
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot');
  return snapshot;
}

/** Of the page's background: 0 is black, 1 is white. */
function brightness(page: Page): Promise<number> {
  return page.evaluate(() => {
    const channels = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [];
    return channels.slice(0, 3).reduce((sum, channel) => sum + Number(channel), 0) / (3 * 255);
  });
}

interface StoredSession {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  expires_at: number;
}

function storedSession(page: Page): Promise<StoredSession> {
  return page.evaluate(() => JSON.parse(Object.values(localStorage)[0]));
}

/** As if the browser had been closed since yesterday. The dashboard is left first: it would refresh the session itself. */
async function expireSessionWhileAway(page: Page): Promise<void> {
  await page.goto('/robots.txt');
  await letSessionExpire(page);
}

function letSessionExpire(page: Page): Promise<void> {
  return page.evaluate(() => {
    const [[name, text]] = Object.entries(localStorage) as [[string, string]];
    const session = {
      ...JSON.parse(text),
      expires_in: 0,
      expires_at: Math.floor(Date.now() / 1000) - 86_400,
    };
    localStorage.setItem(name, JSON.stringify(session));
  });
}

/** Does something as the database's owner, while no product has the folder. */
async function inDatabase(
  dataDir: string,
  act: (database: OpenDatabase, keys: DatabaseKeys) => Promise<unknown>,
): Promise<void> {
  const folder = await takeDataFolder(dataDir);
  try {
    const keys = { ...folder.secrets, publishableKey: PUBLIC_KEY };
    const database = await openDatabase(folder, keys);
    await act(database, keys);
    await database.close();
  } finally {
    folder.release();
  }
}

/** Whether the auth server itself takes the password. */
async function opensInside(
  database: OpenDatabase,
  { secretKey }: DatabaseKeys,
  credentials: Credentials,
): Promise<boolean> {
  const { ok } = await database.fetch(
    new Request('http://embedded/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { apikey: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    }),
  );
  return ok;
}
