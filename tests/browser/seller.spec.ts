import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Locator } from '@playwright/test';
import { HOSTILE_TEXTS } from '../abuse/hostile-texts.ts';
import { eraseAllOffers, makeOffer, openSession, readAllOffers } from '../support/calls.ts';
import { PUBLIC_KEY } from '../support/product.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import {
  expect,
  fillLogin,
  fillOfferForm,
  rowOf,
  scrollsHorizontally,
  signIn,
  submitButton,
} from './fixtures.ts';
import { BUY_NOW, EMAIL_USE, ESCROW, IMPRINT, INSTALMENTS, LINKS, OWNER, test } from './shops/seller.ts';

test('the page of a domain names its owner, with proof, contact, steps of a sale that give way to those of an offer, and other ways to buy', async ({
  page,
}) => {
  await page.goto('/sites/lap.app/');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Make an Offer',
    'How a sale goes',
    `Sold by ${OWNER}`,
    'Need Professional Assistance?',
  ]);
  const seller = page.getByRole('region', { name: `Sold by ${OWNER}` });
  await expect(seller.getByRole('paragraph')).toHaveText(
    'This page is served by lap.app itself: only its owner can do that.',
  );
  await expect(seller.getByRole('link')).toHaveText(['lap.app', 'ada@example.com', '+1 555 0100']);
  await expect(seller.getByRole('link').first()).toHaveAttribute('href', 'https://lap.app/');
  const steps = page.getByRole('region', { name: 'How a sale goes' });
  await expect(steps.getByRole('listitem')).toHaveText([
    'You make an offer Any amount, without an account.',
    'Answer within 24 hours From a person, by email.',
    /^Money into escrow A neutral third party holds it\.\s*How escrow works$/,
    'The domain is yours Transferred first, paid out after.',
  ]);
  await expect(steps.getByRole('link')).toHaveAttribute('href', ESCROW.url);
  await expect(page.getByText(`For sale by ${OWNER}`, { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('link', { name: 'Buy now for $15,000' })).toHaveAttribute('href', BUY_NOW);
  await expect(page.getByRole('link', { name: 'Pay in instalments' })).toHaveAttribute('href', INSTALMENTS);
  await expect(page.getByLabel('Email', { exact: true })).toHaveAccessibleDescription(EMAIL_USE);

  await fillOfferForm(page, { amount: '$12', name: 'Ada Steps', email: 'ada.steps@seller.example.com' });
  await submitButton(page).click();
  const receipt = page.getByRole('status');
  await expect(receipt.getByRole('listitem')).toHaveText([
    /^Your offer has arrived/,
    /^The owner answers by emailBy tomorrow, /,
    'Money into escrowOnce you agree on a price.',
    'The domain is yoursTransferred first, paid out after.',
  ]);
  await expect(page.getByRole('heading', { name: 'How a sale goes' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'or make an offer' })).toBeHidden();
  await (await accessibilityChecker(page))('what happens after an offer');
});

test('price and purchase come before the form where both are there, other ways to buy after it, and nothing shifts while they are hidden', async ({
  page,
}) => {
  const topOf = (selector: string) =>
    page.locator(selector).evaluate((one) => one.getBoundingClientRect().top + scrollY);
  await page.goto('/sites/lap.app/');
  const [buy, submit] = [page.getByRole('link', { name: 'Buy now for $15,000' }), submitButton(page)];
  await expect(page.getByText('Asking price: $15,000', { exact: true })).toBeVisible();
  await expect(page.getByText('a neutral third party holds it until the name is yours')).toBeVisible();
  expect(await topOf('.buy')).toBeLessThan(await topOf('form'));
  const colourOf = (part: Locator) => part.evaluate((one) => getComputedStyle(one).backgroundColor);
  const solid = await colourOf(buy);
  expect(await colourOf(submit)).not.toBe(solid);
  await page.getByRole('link', { name: 'or make an offer' }).click();
  await expect(page.getByLabel('Your Offer')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Make an Offer' })).toBeInViewport();
  const top = await topOf('.steps');
  await page.getByRole('radio', { name: 'host.example' }).check();
  await expect(buy).toBeHidden();
  await expect(submit).toHaveCSS('background-color', solid);
  await expect.poll(() => topOf('.steps')).toBeCloseTo(top, 0);
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(buy).toBeVisible();

  await page.goto('/sites/rates.example/');
  await expect(page.getByRole('link', { name: /Buy now|or make an offer/ })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Pay in instalments' })).toBeVisible();
  expect(await topOf('.ways')).toBeGreaterThan(await topOf('form'));
  await expect(submit).toHaveCSS('background-color', solid);
});

test('a browser that lacks what the form needs gets the owner’s email', async ({ page }) => {
  const checkAccessibility = await accessibilityChecker(page);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'));
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').fill('1');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('This browser cannot make an offer here:');
  await expect(alert).toContainText('Or write to the seller: offers@example.com');
  await expect(alert.getByRole('link')).toHaveAttribute('href', 'mailto:offers@example.com');
  await checkAccessibility('a browser that lacks an API');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await scrollsHorizontally(page)).toBe(false);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the page of a domain and that of a buyer name the owner’s email', async ({ page }) => {
    for (const path of ['/sites/lap.app/', '/de/sites/lap.app/', '/offer/', '/de/offer/']) {
      await page.goto(path);
      await expect(page.locator('noscript p')).toBeVisible();
      const email = page.getByRole('contentinfo').getByRole('link', { name: 'offers@example.com' });
      await expect(email).toBeVisible();
      await expect(email).toHaveAttribute('href', 'mailto:offers@example.com');
    }
  });
});

test('a German page has German texts, and the owner’s in their own language', async ({ page }) => {
  await page.goto('/de/sites/lap.app/');
  await expect(page.getByRole('heading', { name: `Angeboten von ${OWNER}` })).toBeVisible();
  await expect(page.getByText('Diese Seite wird von lap.app selbst ausgeliefert:')).toBeVisible();
  await expect(page.getByRole('link', { name: 'lap.app', exact: true })).toHaveAttribute(
    'href',
    'https://lap.app/de/',
  );
  await expect(page.getByRole('heading', { name: 'So läuft ein Verkauf ab' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sofort kaufen' })).toBeVisible();
  for (const text of [ESCROW.text, 'Privacy', EMAIL_USE]) {
    await expect(page.getByText(text, { exact: true }).first()).toHaveAttribute('lang', 'en');
  }
  await expect(page.getByRole('link', { name: IMPRINT.de })).not.toHaveAttribute('lang');
  await page.getByLabel('Nachricht (freiwillig)').fill('a'.repeat(1001));
  await expect(page.getByText(EMAIL_USE)).toHaveAttribute('lang', 'en');
});

test('price and ways to buy are those of the selected domain, on its page and on the start page', async ({
  page,
}) => {
  const price = page.getByText('Asking price: $15,000', { exact: true });
  const buy = page.getByRole('link', { name: 'Buy now for $15,000' });
  const instalments = page.getByRole('link', { name: 'Pay in instalments' });
  const topOf = (selector: string) =>
    page.locator(selector).evaluate((one) => one.getBoundingClientRect().top + scrollY);
  for (const path of ['/', '/sites/host.example/']) {
    await page.goto(path);
    await page.getByRole('radio', { name: 'lap.app' }).check();
    await expect(buy).toHaveAttribute('href', BUY_NOW);
    await expect(instalments).toHaveAttribute('href', INSTALMENTS);
    await expect(price).toHaveCount(1);
    await expect(price).toBeVisible();
    expect(await topOf('.buy')).toBeLessThan(await topOf('form'));
    await page.getByRole('radio', { name: 'rates.example' }).check();
    await expect(page.getByRole('link', { name: 'Buy now' }), 'that of another domain').toHaveCount(0);
    await expect(price).toBeVisible();
    await expect(instalments).toHaveAttribute('href', INSTALMENTS);
    expect(await topOf('.ways')).toBeGreaterThan(await topOf('form'));
    await page.getByRole('radio', { name: 'host.example' }).check();
    await expect(instalments).toBeHidden();
    await expect(price).toBeVisible();
  }
});

test('a domain without hasBroker has no broker panel, and what is below it keeps its distance', async ({
  page,
}) => {
  const panel = page.getByRole('complementary', { name: 'Need Professional Assistance?' });
  const bottomOf = (selector: string) =>
    page.locator(selector).evaluate((one) => one.getBoundingClientRect().bottom);
  await page.goto('/sites/host.example/');
  await expect(panel).toHaveCount(0);
  // Not hidden by a style sheet either.
  await expect(page.getByText('Use Broker for')).toHaveCount(0);
  const gap =
    (await page.locator('.seller').evaluate((one) => one.getBoundingClientRect().top)) -
    (await bottomOf('.steps'));
  expect(gap).toBeGreaterThanOrEqual(40);
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(panel.getByRole('link', { name: 'Use Broker for lap.app' })).toBeVisible();
  await page.getByRole('radio', { name: 'host.example' }).check();
  await expect(panel).toHaveCount(0);
  await page.goto('/');
  await expect(panel).toHaveText(/Select a domain above to access broker services$/);
  await page.getByRole('radio', { name: 'host.example' }).check();
  await expect(panel).toHaveCount(0);
});

test('a message is stored with its lines, cleared after a success, and shown as text in the dashboard', async ({
  page,
  shop,
}) => {
  const message = `First line\n\n${HOSTILE_TEXTS.slice(0, 8).join('\n')}`;
  await page.goto('/sites/lap.app/');
  // Typed before any script runs for it.
  const field = page.getByLabel('Message (optional)');
  await field.fill(message);
  await fillOfferForm(page, { amount: '$12,000', name: 'Ada Message', email: 'ada@seller.example.com' });
  await expect(field).toHaveValue(message);
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
  const receipt = page.getByRole('status').filter({ hasText: 'Offer Submitted!' });
  await expect(receipt.getByText('You can close this page.', { exact: true })).toBeVisible();
  await expect(receipt.getByRole('definition').first()).toHaveText('$12,000');
  await expect(receipt.getByRole('definition').last()).toHaveText(message);
  await expect(receipt.getByText(/^By tomorrow, \d+:\d\d [AP]M (UTC|GMT.*|[A-Z]{3,4})$/)).toBeVisible();
  await expect(field).toHaveValue('');
  const [offer] = await readAllOffers(shop);
  expect(offer?.message).toBe(message);

  await page.getByRole('button', { name: 'Make another offer' }).click();
  await fillOfferForm(page, { amount: '$1', name: 'Ada Silent', email: 'silent@seller.example.com' });
  await field.fill(' \n ');
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
  const [silent] = await readAllOffers(shop);
  expect([silent?.customer_name, silent?.message]).toEqual(['Ada Silent', undefined]);

  const session = await openSession(shop);
  const rows = await fetch(`${shop.origin}/rest/v1/offers?select=*`, {
    headers: { apikey: PUBLIC_KEY, authorization: `Bearer ${session.access_token}` },
  });
  expect(await rows.text(), 'the columns of the specification').not.toContain('message');

  await signIn(page);
  const row = page.getByRole('row').filter({ hasText: 'Ada Message' });
  await row.getByRole('button', { name: 'Answer the offer of Ada Message for' }).click();
  const shown = row.getByRole('group', { name: 'Message' });
  expect(await shown.innerText()).toBe(message);
  await expect(shown.locator(':not(bdi)')).toHaveCount(0);
  await (await accessibilityChecker(page))('a message in the dashboard');
  const other = page.getByRole('row').filter({ hasText: 'Ada Silent' });
  await other.getByRole('button', { name: 'Answer the offer of' }).click();
  await expect(other.getByText('Received')).toBeVisible();
  await expect(other.getByRole('group', { name: 'Message' })).toHaveCount(0);
});

test('on a phone the message is one line until it is opened, and stays open with what is typed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/de/sites/host.example/');
  const [add, field] = [
    page.getByText('Nachricht hinzufügen (freiwillig)'),
    page.getByLabel('Nachricht (freiwillig)'),
  ];
  await expect(field).toBeHidden();
  expect((await page.locator('details.field').boundingBox())?.height).toBeLessThan(60);
  await page.getByLabel('Ihr Angebot').fill('1');
  await expect(page.locator('button[type=submit]')).toHaveText('Angebot senden');
  await expect(page.getByText('Bot-Prüfung bestanden.')).toBeVisible();
  await add.click();
  await expect(field).toBeFocused();
  await expect(add).toBeHidden();
  await field.fill('Guten Tag');
  await (await accessibilityChecker(page))('an open message');
  await page.reload();
  await expect(field).toHaveValue('Guten Tag');
  await expect(field).toBeVisible();
  // Where the style sheet cannot show it: Firefox before 143, Safari before 18.4.
  await expect(page.locator('details.field')).toHaveAttribute('open');
  await expect(page.getByLabel('Ihr Angebot')).toHaveValue('1');
  await expect(field).not.toBeFocused();
});

test('a suggestion takes the hint’s place, and nothing moves', async ({ page }) => {
  await page.goto('/sites/lap.app/');
  const email = page.getByLabel('Email', { exact: true });
  const action = page.getByText('Bot check passed.');
  const suggestion = page.getByRole('button', { name: 'Did you mean gmail.com?' });
  await email.fill('ada@gmial.com');
  await expect(action).toBeVisible();
  const place = await action.boundingBox();
  await email.blur();
  await expect(suggestion).toBeVisible();
  await expect(page.getByText(EMAIL_USE)).toBeHidden();
  expect(await action.boundingBox()).toEqual(place);
});

test('a row shows the first line of its message, and a link in a mail opens it', async ({ page, shop }) => {
  await eraseAllOffers(shop);
  await makeOffer(shop);
  const ada = await makeOffer(shop, {
    customer_name: 'Augusta Ada King',
    message: `\n${'Is the name free? '.repeat(20)}\nSecond line.`,
  });
  await page.goto(`/admin/dashboard#offer=${ada}`);
  await expect(page.getByText('Forgot your password?')).toHaveText(
    'Forgot your password? Run npm run admin -- password EMAIL on the server.',
  );
  await fillLogin(page);
  const row = rowOf(page, 'Augusta');
  await expect(row).toBeFocused();
  const history = row.getByRole('region', { name: 'History' });
  await expect(history.getByRole('group', { name: 'Message' })).toContainText('Second line.');
  await expect(history).toContainText('Received');
  const line = row.locator('.message-line');
  await expect(line).toHaveText(/^Is the name free\? /);
  await expect(line).not.toContainText('Second line.');
  await expect(page.locator('.message-line')).toHaveCount(1);
  await expect(row.getByRole('cell')).toHaveCount(7);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect((await line.boundingBox())?.height, 'one line').toBeLessThan(30);
    const [opened, whole] = [await history.boundingBox(), await row.boundingBox()];
    // On a phone a marked row has padding on both sides.
    expect(opened?.width, 'as wide as its row').toBeGreaterThan((whole?.width ?? 0) - 40);
    expect(await scrollsHorizontally(page)).toBe(false);
  }
});

test('an offer below the minimum is a low one, and the form comes back with name and email', async ({
  page,
  shop,
}) => {
  const customer = { name: 'Bea Low', email: 'bea@low.example.com' };
  const SENTENCE = 'The owner expects more for this name. You can make another offer.';
  await page.goto('/sites/rates.example/');
  for (const text of [await page.content(), await (await page.request.get('/')).text()])
    expect(text).not.toMatch(/37%|5,?550/);
  await fillOfferForm(page, { ...customer, amount: '$5,549.99' });
  await submitButton(page).click();
  const view = page.getByRole('status').filter({ hasText: 'Offer Submitted!' });
  await expect(view).toContainText(SENTENCE);
  await expect(view.getByText(/24 hours|What happens now|mistyped|close this page/)).toHaveCount(0);
  await expect(view.getByRole('definition')).toHaveText(['$5,549.99', '$15,000']);
  await expect(view.getByRole('term')).toHaveText(['Your Offer', 'Asking price']);
  const tick = () => view.getByRole('heading').evaluate((one) => getComputedStyle(one, '::before').display);
  expect(await tick()).toBe('none');
  await expect(page.getByLabel('Your Offer')).toBeFocused();
  await expect(page.getByLabel('Your Offer')).toBeInViewport({ ratio: 1 });
  await (await accessibilityChecker(page))('after a low offer');
  await expect(page.getByLabel('Your Offer')).toHaveValue('');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(customer.name);
  await page.getByLabel('Your Offer').fill('$5,550');
  await submitButton(page).click();
  await expect(view).toContainText("We'll get back to you within 24 hours.");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/de/sites/rates.example/');
  await page.getByLabel('Ihr Angebot').fill('1 USD');
  await page.getByLabel('Name', { exact: true }).fill(customer.name);
  await page.getByLabel('E-Mail', { exact: true }).fill(customer.email);
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  const german = page.getByText('Der Inhaber erwartet mehr für diesen Namen.');
  await expect(german).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('Ihr Angebot')).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });

  await signIn(page, shop.origin);
  const table = page.getByRole('table', { name: 'Domain Offers' });
  await expect(table.getByText('$5,550', { exact: true })).toBeVisible();
  await expect(table.getByText('$5,549.99')).toHaveCount(0);
  await page.getByRole('button', { name: 'low 2' }).click();
  await expect(page).toHaveURL(/#only=low$/);
  await expect(table.getByText('Low', { exact: true })).toHaveCount(1);
  await table.getByRole('button', { name: /^1 earlier of Bea Low/ }).click();
  await expect(table.getByText('Low', { exact: true })).toHaveCount(2);
  await expect(table.getByText(/left$|^Overdue|^Held$/)).toHaveCount(0);
});

test('an offer without a number is asked about once where the name has a minimum, and the next press sends it, as the first does elsewhere', async ({
  page,
}) => {
  const HINT = 'No amount in it. Press Submit Offer again to send it as it is.';
  await page.goto('/');
  await page.getByRole('radio', { name: 'rates.example' }).check();
  await fillOfferForm(page, { name: 'Asa Ask', email: 'asa@ask.example.com', amount: 'best offer' });
  await submitButton(page).click();
  const field = page.getByLabel('Your Offer');
  await expect(field).toHaveAccessibleDescription(HINT);
  await expect(field).toBeFocused();
  await (await accessibilityChecker(page))('an offer without a number');
  await field.fill('make me smile');
  await expect(page.getByText(HINT)).toHaveCount(0);
  await submitButton(page).click();
  await expect(page.getByRole('status').filter({ hasText: 'Offer Submitted!' })).toContainText(
    'within 24 hours',
  );
  await page.getByRole('radio', { name: 'host.example' }).check();
  await field.fill('best offer');
  await submitButton(page).click();
  await expect(field, 'of another name').toHaveAccessibleDescription(HINT);

  await page.getByRole('radio', { name: 'lap.app' }).check();
  await submitButton(page).click();
  await expect(page.getByText('Offer Submitted!')).toBeVisible();
});

test('offers as people type them are below the minimum, and one in another currency is not', async ({
  page,
}) => {
  await page.goto('/sites/rates.example/');
  const view = page.getByRole('status').filter({ hasText: 'Offer Submitted!' });
  await fillOfferForm(page, { name: 'Cy Low', email: 'cy@low.example.com', amount: '' });
  for (const amount of ['-5', '$1k', '5 000 €']) {
    await page.getByLabel('Your Offer').fill(amount);
    await submitButton(page).click();
    await expect(view.getByRole('definition').first()).toHaveText(amount);
    const low = view.getByText('The owner expects more for this name.');
    await expect(low).toHaveCount(amount.includes('€') ? 0 : 1);
  }
});

test('no file that visitors can read has a minimum, or where buyers pay', async ({ shop }) => {
  const dist = realpathSync(resolve(shop.catalogue, '../../dist'));
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const have = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => {
      const text = readFileSync(file, 'latin1');
      return (
        /\b(?:37\s?%|5[.,]?550)\b|till\.example/.test(text) ||
        (file.endsWith('.html') && /checkout/i.test(text))
      );
    });
  // For the database alone: no request gets it.
  expect(have.map((file) => basename(file))).toEqual(['publication.json']);
});

test('a message that is too long is rejected at its field, in the language of the page, and stays', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 400/);
  await page.goto('/de/sites/lap.app/');
  const field = page.getByLabel('Nachricht (freiwillig)');
  await field.fill('a'.repeat(1001));
  await page.getByLabel('Ihr Angebot').fill('1');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByLabel('E-Mail', { exact: true }).fill('ada@seller.example.com');
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    /^Bitte kürzen Sie das Feld „Nachricht \(freiwillig\)“ auf 1[.,]000 Zeichen\.$/,
  );
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveValue('a'.repeat(1001));
  await (await accessibilityChecker(page))('a rejected message');
});

test('with everything on, pages are accessible and have the owner’s links at their foot, those of a domain for sale the rest, and the form in the first view', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 404/);
  const checkAccessibility = await accessibilityChecker(page);
  for (const path of [
    '/',
    '/sites/lap.app/',
    '/de/sites/lap.app/',
    '/sites/sold.example/',
    '/nothing-here',
  ]) {
    await page.goto(path);
    const links = page.getByRole('contentinfo').getByRole('listitem').getByRole('link');
    const language = path.startsWith('/de/') ? 'de' : 'en';
    await expect(links).toHaveText([IMPRINT[language], ...LINKS.slice(1).map(({ text }) => text)]);
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      LINKS.map(({ url }) => url),
    );
    await expect(
      page.getByRole('contentinfo').getByRole('link', { name: 'offers@example.com' }),
    ).toBeVisible();
    await expect(page.locator('.seller i, form b, footer b')).toHaveCount(0);
    if (path === '/') {
      await expect(page.getByText(`For sale by ${OWNER}`, { exact: true })).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('heading', { name: `Sold by ${OWNER}` })).toBeVisible();
      await expect(page.getByText('This page is served by')).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Buy now' })).toHaveCount(0);
    }
    if (path === '/sites/sold.example/') {
      await expect(page.getByText(/Buy now|Sold by|How a sale goes/)).toHaveCount(0);
      const others = page.getByRole('region', { name: `Other domains for sale by ${OWNER}` });
      await expect(others.getByRole('link')).toHaveText(['host.example', 'rates.example', 'lap.app']);
    }
    await checkAccessibility(`everything on, ${path}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  // In German, the words before the name are long: it moves to the next line as a whole.
  await page.goto('/de/sites/lap.app/');
  await expect(page.getByRole('button', { name: 'Angebot senden' })).toBeInViewport({ ratio: 1 });
  await page.goto('/sites/lap.app/');
  await expect(submitButton(page)).toBeInViewport({ ratio: 1 });
  // A line of the bar above the message, as between its other cells.
  expect(
    await page
      .locator('.field', { has: page.locator('textarea') })
      .evaluate((field) => getComputedStyle(field).borderTopWidth),
  ).toBe('1px');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByLabel('Your Offer')).toBeInViewport({ ratio: 1 });
  // With a price, but without Buy now.
  await page.goto('/sites/host.example/');
  await expect(page.getByRole('link', { name: /Buy now|instalments/ })).toHaveCount(0);
  expect((await submitButton(page).boundingBox())?.y).toBeLessThan(844);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await scrollsHorizontally(page)).toBe(false);
});
