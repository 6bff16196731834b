/** The checks of a session, and the ways in which it ends. */
import type { Page } from '@playwright/test';
import { addAdministrator, removeAdministrator } from '../../server/backend-client/administrators.ts';
import { withProject } from '../../server/embedded/with-project.ts';
import { makeOffer, openSession, refreshStatus } from '../support/calls.ts';
import { ADMIN } from '../support/product.ts';
import {
  expect,
  fillLogin,
  holdRequests,
  settle,
  signIn,
  signInByForm,
  test,
  waitUntilQuiet,
} from './fixtures.ts';

test.describe('a signed-in user', () => {
  test('a user sees Loading... until the script has loaded, and while an old session is refreshed', async ({
    page,
  }) => {
    const script = await holdRequests(page, '**/_astro/*.js');
    await page.goto('/admin/dashboard', { waitUntil: 'commit' });
    await expect(page.getByRole('status')).toHaveText('Loading...');
    script();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);

    await signIn(page);
    await expireSessionWhileAway(page);
    const token = await holdRequests(page, '**/auth/v1/token?grant_type=refresh_token');
    await page.goto('/admin/login');
    await expect(page.getByRole('status')).toHaveText('Loading...');
    await expect(page.getByRole('heading')).toHaveCount(0);
    token();
    await expect(page).toHaveURL(/\/admin\/dashboard$/);
    await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
    expect(await storedSession(page)).toMatchObject({ expires_in: 600 });
  });
});

test.describe('Logout', () => {
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
    // After the read of its last move.
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await row.getByRole('combobox').selectOption('accepted');
    await sent;
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

  test('Logout logs the error of the server and shows the login page', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 500.*logout/, /Signing out failed/);
    await signIn(page);
    await page.route('**/auth/v1/logout?*', (route) =>
      route.fulfill({ status: 500, json: { msg: 'Not today.' } }),
    );
    // A reload would abort the request, which is sent once the page is signed out.
    const logged = page.waitForEvent('console', (message) => message.text().includes('Signing out failed'));
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await logged;
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByText('Not today.')).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  });
});

test('Logout does not wait for supabase-js, which ends the session on the server once it is loaded', async ({
  page,
  product,
}) => {
  await signIn(page);
  await waitUntilQuiet(page);
  const script = await holdRequests(page, CLIENT);
  await page.reload();
  await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
  const { refresh_token } = await storedSession(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeFocused();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  script();
  await expect.poll(() => refreshStatus(product, refresh_token)).toBe(400);
});

test('a session that has ended is renewed once there is a network again, also where supabase-js could not be loaded', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_FAILED.*supabase-client/, /ERR_FAILED.*token/, /supabase-js could not be loaded/);
  await page.clock.install();
  await signIn(page);
  await expireSessionWhileAway(page);
  for (const url of [CLIENT, '**/auth/v1/token?*']) await page.route(url, (route) => route.abort());
  await page.goto('/admin/dashboard');
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await page.clock.fastForward(10_000);
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await page.unrouteAll();
  await page.clock.fastForward(30_000);
  await expect(page.getByText(`Welcome, ${ADMIN.email}`)).toBeVisible();
});

test('where the storage is full, calls take the new session and not the one that is stored', async ({
  page,
}) => {
  await signIn(page);
  await waitUntilQuiet(page);
  const { access_token } = await storedSession(page);
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('No space is left.', 'QuotaExceededError');
    };
  });
  await page.reload();
  await expect(page.getByText(ENDED)).toBeVisible();
  await fillLogin(page);
  await waitUntilQuiet(page);
  const read = page.waitForRequest('**/rest/v1/offers?*');
  await page.getByRole('button', { name: 'Refresh' }).click();
  const { authorization } = (await read).headers();
  expect(authorization).toMatch(/^Bearer ./);
  expect(authorization).not.toBe(`Bearer ${access_token}`);
});

test.describe('a removed administrator', () => {
  const PERSON = { email: 'second@example.com', password: 'battery horse correct' };

  test('an added administrator signs in, and is signed out with a message once removed', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(
      /status of 401.*(?:offer_(?:pages|counts)|schema_version)/,
      /status of 400.*refresh_token/,
      /status of 403.*logout/,
    );
    await makeOffer(product, { customer_name: 'Barbara Liskov' });
    const place = { dataDir: product.dataDir, supabase: undefined };
    const { password } = await withProject(place, (project) => addAdministrator(project, PERSON.email));
    // A poll or another read would sign the page out before the button does.
    await page.route(/rpc\/(?:new_offers|message_status|asking_prices|standings)$/, () => {});
    await signInByForm(page, '', { ...PERSON, password });
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
  test('a session that is reported invalid at the next visit signs out, and another one can begin', async ({
    page,
  }) => {
    await signIn(page);
    await answerReads(page);
    await page.route(EXTENSIONS, (route) => route.fulfill({ json: false }));
    await page.reload();
    await expect(page.getByText(ENDED)).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/login$/);
    await page.unrouteAll();
    await fillLogin(page);
  });

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
});

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Of the dashboard in the first minute, with room for a slow machine: the loop of renewals sent 1,360 in 20 s. */
const MAX_REQUESTS = 60;

test.describe('a browser whose clock is wrong', () => {
  for (const minutes of [120, -400 * 24 * 60]) {
    test(`${minutes} minutes ahead shows the server’s time and renews its session only when it ends`, async ({
      page,
      product,
    }) => {
      await makeOffer(product, { customer_name: 'Margaret Hamilton' });
      await page.clock.install({ time: Date.now() + minutes * MINUTE_MS });
      const calls = requestsTo(page, '/v1/');
      const renewals = () => calls().filter((url) => url.includes('/auth/v1/token')).length;
      await signInByForm(page);
      const row = page.getByRole('row').filter({ hasText: 'Margaret Hamilton' }).first();
      await expect(row).toContainText(/pending2[34] h left/);
      await row.getByRole('button', { name: /^Answer the offer/ }).click();
      const end = await page.evaluate(
        (time) =>
          new Date(time).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' }),
        Date.now() + 7 * DAY_MS,
      );
      await expect(row.getByText(`until ${end}`)).toBeVisible();
      for (let tick = 0; tick < 2; tick += 1) await page.clock.fastForward(30_000);
      await waitUntilQuiet(page);
      expect(renewals(), 'after the password').toBe(1);
      expect(calls().length).toBeLessThan(MAX_REQUESTS);

      // A lid that was closed for 8 hours: the browser's clock alone goes on.
      await page.clock.fastForward('08:00:00');
      await waitUntilQuiet(page);
      expect(renewals()).toBe(2);
      await expect(row).toContainText(/pending2[34] h left/);
      expect(calls().length).toBeLessThan(2 * MAX_REQUESTS);
    });
  }
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

const CLIENT = '**/_astro/supabase-client.*.js';
const EXTENSIONS = '**/rest/v1/rpc/extend_admin_session';
const ENDED = 'Your session has ended. Please sign in again.';

/** URLs that the page has requested so far and that contain a text. */
function requestsTo(page: Page, part: string): () => string[] {
  const sent: string[] = [];
  page.on('request', (request) => request.url().includes(part) && sent.push(request.url()));
  return () => sent;
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

function storedSession(
  page: Page,
): Promise<{ access_token: string; refresh_token: string; expires_in: number }> {
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
