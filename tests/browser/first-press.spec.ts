/** A press on Submit, whenever it comes, is carried out or the page says why not; what is wrong in a field stands in its cell. */
import type { Locator, Page, Route } from '@playwright/test';
import { readAllOffers } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import {
  expect,
  fillOfferForm,
  holdRequests,
  type OfferInput,
  skipRepetitions,
  submitButton,
  test,
} from './fixtures.ts';

const SCRIPTS = '**/_astro/*.js';
const CHALLENGES = '**/functions/v1/bot-check?*';
const CHANGED =
  'Something changed after you pressed “Submit Offer”, so nothing was sent. Please press it again.';
const LATE = 'This took longer than 15 minutes, so nothing was sent. Please press “Submit Offer” again.';
const SUBMITTED = 'Offer Submitted!';
const PROBLEMS = ['Please write your offer.', 'Please write your name.', 'Please write your email.'];
const NO_EMAIL = 'Please write a whole email address.';

for (const [how, when, held, press] of [
  ['a press', 'hydration', SCRIPTS, (page: Page) => pressDisabled(submitButton(page))],
  [
    'a press',
    'the script of the calls is there',
    '**/_astro/OfferCalls.*.js',
    (page: Page) => pressDisabled(submitButton(page)),
  ],
  ['Enter in a field', 'the bot check is ready', CHALLENGES, (page: Page) => page.keyboard.press('Enter')],
] as const) {
  test(`${how} before ${when} is remembered, and the offer is sent once`, async ({ page, product }) => {
    const who = offerOf(when);
    await page.goto('/sites/lap.app/');
    const release = await holdRequests(page, held);
    const offers = offersOf(page);
    await fillOfferForm(page, who);
    await press(page);
    await press(page);
    await expectPressed(page);
    expect(offers).toEqual([]);
    release();
    await expect(page.getByText(SUBMITTED)).toBeVisible();
    expect(offers).toHaveLength(1);
    const stored = (await readAllOffers(product)).filter((one) => one.customer_email === who.email);
    expect(stored).toMatchObject([{ domain_name: 'lap.app', offer_amount: who.amount }]);
  });
}

for (const [when, held] of [
  ['hydration', SCRIPTS],
  ['the bot check is ready', CHALLENGES],
] as const) {
  test(`choosing another card or editing a field after a press before ${when} ends it, and the page says so`, async ({
    page,
  }) => {
    await page.goto('/sites/lap.app/');
    const release = await holdRequests(page, held);
    const offers = offersOf(page);
    await fillOfferForm(page, offerOf('hesitant'));
    for (const change of [
      () => page.getByRole('radio', { name: 'sample.app' }).check(),
      () => page.getByLabel('Your Offer').fill('$1'),
    ]) {
      await pressDisabled(submitButton(page));
      await expectPressed(page);
      await change();
      await expect(submitButton(page)).not.toHaveAttribute('aria-busy', 'true');
    }
    release();
    await expect(page.getByRole('alert').filter({ hasText: 'nothing was sent' })).toHaveText(CHANGED);
    await expect(submitButton(page)).toBeEnabled();
    expect(offers).toEqual([]);
    await submitButton(page).click();
    await expect(page.getByText(SUBMITTED)).toBeVisible();
    expect(offers).toHaveLength(1);
  });
}

test('what is typed while an offer is sent stays, with the focus, whatever becomes of the offer', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 400/);
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, offerOf('quick'));
  const press = async (response: object) => {
    const { promise: typed, resolve: respond } = Promise.withResolvers<void>();
    const respondOnce = (route: Route) => typed.then(() => route.fulfill(response));
    await page.route('**/order-submit', respondOnce, { times: 1 });
    await submitButton(page).click();
    await expect(page.getByText('Submitting...')).toBeVisible();
    return respond;
  };
  const reject = await press({ status: 400, json: { error: 'Not like this.' } });
  const name = page.getByLabel('Name', { exact: true });
  await name.press('End');
  await page.keyboard.type(' Love');
  reject();
  await expect(page.getByRole('alert')).toHaveText('Not like this.');
  await page.keyboard.type('lace');
  await expect(name).toHaveValue('Ada Lovelace');
  const store = await press({ json: {} });
  await page.getByRole('radio', { name: 'sample.app' }).check();
  await page.getByLabel('Your Offer').fill('$99');
  store();
  await expect(page.getByRole('status')).toBeFocused();
  await page.getByRole('button', { name: 'Make another offer' }).click();
  await expect(page.getByLabel('Your Offer')).toHaveValue('$99');
});

test('Enter before hydration counts as a press, but not where it ends the composition of a letter', async ({
  page,
}) => {
  await page.goto('/sites/lap.app/');
  const release = await holdRequests(page, SCRIPTS);
  await fillOfferForm(page, offerOf('enter'));
  const pressEnter = (event: KeyboardEventInit) =>
    page.getByLabel('Your Offer').dispatchEvent('keydown', { key: 'Enter', bubbles: true, ...event });
  await pressEnter({ isComposing: true });
  // In Safari, where it follows the composition.
  await pressEnter({ keyCode: 229 });
  await expect(submitButton(page)).not.toHaveAttribute('aria-busy');
  await page.keyboard.press('Enter');
  await expectPressed(page);
  release();
  await expect(page.getByText(SUBMITTED)).toBeVisible();
});

for (const [what, isAwake] of [
  ['15 minutes after a press before hydration end it', true],
  ['a press that a sleeping device carries out an hour later sends nothing', false],
] as const) {
  test(`${what}, and the page says so`, async ({ page }) => {
    await page.clock.install();
    await page.goto('/sites/lap.app/');
    const release = await holdRequests(page, SCRIPTS);
    const offers = offersOf(page);
    await fillOfferForm(page, offerOf('asleep'));
    await pressDisabled(submitButton(page));
    await expectPressed(page);
    if (isAwake) {
      await passMinutes(page, 10);
      // It lasts 15 minutes of its own.
      await pressDisabled(submitButton(page));
      await passMinutes(page, 15);
      await expectPressed(page);
      await passMinutes(page, 25);
      await expect(submitButton(page)).not.toHaveAttribute('aria-busy', 'true');
    } else {
      // Timers do not run meanwhile.
      await page.clock.setSystemTime(Date.now() + 3_600_000);
    }
    release();
    await expect(page.getByRole('alert').filter({ hasText: 'nothing was sent' })).toHaveText(LATE);
    await expect(submitButton(page)).not.toHaveAttribute('aria-busy', 'true');
    await expect(submitButton(page)).toBeEnabled();
    expect(offers).toEqual([]);
  });
}

test('what was typed before hydration outlasts a reload, and a press before it is put back sends nothing', async ({
  page,
}) => {
  await page.goto('/sites/lap.app/');
  const offers = offersOf(page);
  const release = await holdRequests(page, SCRIPTS);
  await fillOfferForm(page, offerOf('reload'));
  await page.reload();
  await pressDisabled(submitButton(page));
  await expectPressed(page);
  release();
  await expect(page.getByRole('alert')).toHaveText(CHANGED);
  await expect(page.getByLabel('Your Offer')).toHaveValue(offerOf('reload').amount);
  await expect(submitButton(page)).toBeEnabled();
  expect(offers).toEqual([]);
});

test('a press outlasts a bot check that cannot load, whose message says when it is tried again', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500/);
  await page.clock.install();
  await page.route(CHALLENGES, (route) => route.fulfill({ status: 500, json: { error: 'Out of order.' } }));
  await page.goto('/sites/lap.app/');
  const offers = offersOf(page);
  await fillOfferForm(page, offerOf('unlucky'));
  await pressDisabled(submitButton(page));
  await expectPressed(page);
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText('CAPTCHA failed to load. Please refresh.');
  const retry = page.getByRole('timer');
  await expect(retry).toHaveText(/^Trying again in [45] s\.$/);
  await expectPressed(page);
  await (await accessibilityChecker(page))('a press that waits');
  await page.clock.fastForward(5_000);
  await expect(retry).toHaveText(/^Trying again in (10|9|8) s\.$/);
  await expectPressed(page);
  expect(offers).toEqual([]);
  await page.unroute(CHALLENGES);
  await page.clock.fastForward(10_000);
  await expect(page.getByText(SUBMITTED)).toBeVisible();
  expect(offers).toHaveLength(1);
});

test('editing a field while a press waits for a bot check that failed ends it', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500/);
  await page.clock.install();
  await page.route(CHALLENGES, (route) => route.fulfill({ status: 500, json: { error: 'Out of order.' } }));
  await page.goto('/sites/lap.app/');
  const offers = offersOf(page);
  await fillOfferForm(page, offerOf('undecided'));
  await pressDisabled(submitButton(page));
  await skipRepetitions(page);
  await expect(page.getByRole('timer')).toBeVisible();
  await page.getByLabel('Your Offer').fill('$1');
  await expect(submitButton(page)).not.toHaveAttribute('aria-busy');
  await page.unroute(CHALLENGES);
  // Retries at once.
  await page.getByLabel('Name', { exact: true }).focus();
  await expect(page.getByRole('alert')).toHaveText(CHANGED);
  await expect(submitButton(page)).toBeEnabled();
  expect(offers).toEqual([]);
});

test('a press that waits is carried out after a reload, with the same texts alone', async ({
  page,
  product,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500/);
  await page.clock.install();
  const who = offerOf('refreshing');
  await page.route(CHALLENGES, (route) => route.fulfill({ status: 500, json: { error: 'Out of order.' } }));
  await page.goto('/sites/lap.app/');
  await fillOfferForm(page, who);
  await pressDisabled(submitButton(page));
  await skipRepetitions(page);
  await expect(page.getByRole('alert')).toHaveText('CAPTCHA failed to load. Please refresh.');
  // Another page of the tab takes the press, and does not carry it out.
  await page.goto('/sites/sample.app/');
  await expect(page.getByLabel('Your Offer')).toHaveValue(who.amount);
  await expect(page.getByText('Checking that you are not a bot…')).toBeVisible();
  await expect(submitButton(page)).not.toHaveAttribute('aria-busy');
  await pressDisabled(submitButton(page));
  await expectPressed(page);
  const offers = offersOf(page);
  await page.unroute(CHALLENGES);
  await page.reload();
  await expect(page.getByText(SUBMITTED)).toBeVisible();
  expect(offers).toHaveLength(1);
  const stored = (await readAllOffers(product)).filter((one) => one.customer_email === who.email);
  expect(stored).toMatchObject([{ domain_name: 'sample.app', offer_amount: who.amount }]);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a press before hydration outlasts scripts that do not load, which are tried again by themselves', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/Failed to load resource/);
  await page.clock.install();
  await page.goto('/sites/lap.app/');
  await page.route(SCRIPTS, (route) => route.abort('connectionfailed'));
  await fillOfferForm(page, offerOf('tunnel'));
  await pressDisabled(submitButton(page));
  const notice = page.getByRole('alert').filter({ hasText: 'Part of this page could not be loaded.' });
  await expect(notice).toBeVisible();
  await page.clock.runFor(10_000);
  await expectPressed(page);
  await page.unroute(SCRIPTS);
  await page.clock.runFor(60_000);
  await expect(page.getByText(SUBMITTED)).toBeVisible();
  await expect(notice).toBeHidden();
});

test('scripts that neither load nor fail show a notice, and are tried again at the next press', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/sites/lap.app/');
  await page.route('**/_astro/react.*.js', () => {}, { times: 1 });
  const sent = page.waitForRequest('**/_astro/react.*.js');
  await fillOfferForm(page, offerOf('black hole'));
  await sent;
  const notice = page.getByText('Part of this page could not be loaded.');
  await expect(notice).toBeHidden();
  await page.clock.runFor(15_000);
  await expect(notice).toBeVisible();
  await pressDisabled(submitButton(page));
  await expect(page.getByText(SUBMITTED)).toBeVisible();
});

test('a press without a domain and with empty fields says what is missing first, at the cards', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const release = await holdRequests(page, SCRIPTS);
  await pressDisabled(submitButton(page));
  await expectPressed(page);
  release();
  await expect(page.getByRole('alert')).toHaveText('Select a domain above to make an offer.');
  await expect(page.getByRole('radio').first()).toBeFocused();
  await expect(page.getByText('Choose your domain')).toBeInViewport();
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await expect(submitButton(page)).not.toHaveAttribute('aria-busy');
  const offers = offersOf(page);
  await fillOfferForm(page, offerOf('undecided'));
  await page.getByRole('radio', { name: 'lap.app' }).check();
  await expect(submitButton(page)).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(offers).toEqual([]);
});

test('what is wrong in a field stands in its cell, and nothing is sent', async ({ page }) => {
  const offers = offersOf(page);
  await page.goto('/sites/lap.app/');
  const button = submitButton(page);
  // Before hydration.
  await pressDisabled(button);
  const fields = ['Your Offer', 'Name', 'Email'].map((label) => page.getByLabel(label, { exact: true }));
  for (const [index, field] of fields.entries()) {
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(PROBLEMS[index] ?? '');
  }
  const [amount, name, email] = fields as [Locator, Locator, Locator];
  await expect(amount).toBeFocused();
  const cell = page.locator('.field', { has: page.locator('#customer-name') });
  await expect(cell).toHaveCSS('outline-width', '2px');
  await (await accessibilityChecker(page))('problems of fields');
  // Each is gone with what was wrong.
  await amount.fill('$1');
  await expect(amount).not.toHaveAttribute('aria-invalid');
  await name.fill('Ada');
  await email.fill('ada.example.com');
  await expect(email).not.toHaveAttribute('aria-invalid');
  await expect(button).toBeEnabled();
  await button.click();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription(NO_EMAIL);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(offers).toEqual([]);
  // Typing on does not take away what is still wrong.
  await email.fill('ada.example.co');
  await expect(email).toHaveAccessibleDescription(NO_EMAIL);
  await email.fill('ada@first-press.example.com');
  await expect(email).not.toHaveAttribute('aria-invalid');
  await email.press('Enter');
  await expect(page.getByRole('status')).toBeVisible();
  expect(offers).toHaveLength(1);
});

test('an email with a slip gets a suggestion, which a key accepts, and beside which a press is remembered', async ({
  page,
}) => {
  await page.goto('/sites/lap.app/');
  const release = await holdRequests(page, CHALLENGES);
  const email = page.getByLabel('Email', { exact: true });
  await fillOfferForm(page, { ...offerOf('slip'), email: 'ada@gmial.com' });
  const button = page.getByRole('button', { name: 'Did you mean gmail.com?' });
  await expect(button).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(button).toBeVisible();
  // Read out where the field has lost the focus.
  await expect(page.getByRole('alert')).toHaveText('Did you mean gmail.com?');
  await (await accessibilityChecker(page))('a suggestion');
  await email.focus();
  await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(email).toHaveValue('ada@gmail.com');
  await expect(email).toBeFocused();
  await expect(button).toHaveCount(0);

  await email.fill('bob@hotmail.co');
  await email.blur();
  await expect(page.getByRole('button', { name: 'Did you mean hotmail.com?' })).toBeVisible();
  await pressDisabled(submitButton(page));
  await expectPressed(page);
  release();
  await expect(page.getByText(SUBMITTED)).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'bob@' })).toHaveText('bob@hotmail.co');
});

test('a suggestion comes when a finger leaves the field, too', async ({ browser, product }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(`${product.origin}/sites/lap.app/`);
  await fillOfferForm(page, { ...offerOf('finger'), email: 'ada@gmial.com' });
  await expect(submitButton(page)).toBeEnabled();
  await page.getByLabel('Name', { exact: true }).tap();
  await page.getByRole('button', { name: 'Did you mean gmail.com?' }).tap();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('ada@gmail.com');
  await context.close();
});

function offerOf(who: string): OfferInput {
  return { amount: '$12,000', name: 'Ada', email: `${who.replaceAll(' ', '-')}@first-press.example.com` };
}

/** A mouse reaches the cell below the button. */
async function pressDisabled(button: Locator): Promise<void> {
  await expect(button).toBeDisabled();
  await button.click({ force: true });
}

async function expectPressed(page: Page): Promise<void> {
  await expect(submitButton(page)).toHaveAttribute('aria-busy', 'true');
  await expect(submitButton(page)).toHaveText('Submit Offer');
  await expect(submitButton(page)).toBeDisabled();
}

/**
 * Not by `fastForward`: the fixture's waits until no call is open, and one is held.
 * @param minutes since the clock was installed
 */
async function passMinutes(page: Page, minutes: number): Promise<void> {
  await page.clock.pauseAt(Date.now() + minutes * 60_000 + 500);
  await page.clock.resume();
}

/** The bodies of all offers sent from now on. */
function offersOf(page: Page): (string | null)[] {
  const bodies: (string | null)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/order-submit')) bodies.push(request.postData());
  });
  return bodies;
}
