/** What is on the first screen of a page, where a choice leads, and what an offer leaves on it. */
import type { Locator, Page } from '@playwright/test';
import {
  expect,
  fillOfferForm,
  headline,
  offerForm,
  scrollsHorizontally,
  submitButton,
} from '../fixtures.ts';
import { DESCRIPTION, NAMES, test } from '../shops/names.ts';

const OFFER = { amount: '$12,500', name: 'Ada Lovelace', email: 'ada@first-view.example.com' };
/** Maximum size of the inline script that reads the fragment, in bytes. */
const MAX_SCRIPT_BYTES = 300;

test('headline and fields of names of all lengths are within the first view, with the button on a desktop', async ({
  page,
}) => {
  for (const path of NAMES.flatMap((name) => [`/de/sites/${name}/`, `/sites/${name}/`])) {
    await page.goto(path);
    for (const [width, height] of [
      [1280, 800],
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      const where = `${path}, ${width} × ${height}`;
      const isWide = width > 390;
      const parts = [
        headline(page),
        firstField(page),
        ...(isWide ? [page.locator('button[type=submit]')] : []),
      ];
      for (const part of parts) await expect(part, where).toBeInViewport({ ratio: 1 });
      // The form is as wide as the headline: no part beside it is empty.
      if (isWide) expect((await boxOf(page.locator('.cells'))).width, where).toBe(1152);
      await expectInVisualOrder(page);
      expect(await scrollsHorizontally(page), where).toBe(false);
    }
  }
});

test('the domain is the largest text of its page, and no word is larger than the others without one', async ({
  page,
}) => {
  const sizes = () =>
    page
      .locator('h1, h1 *')
      .evaluateAll((all) => all.map((one) => parseFloat(getComputedStyle(one).fontSize)));
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const name of NAMES) {
    await page.goto(`/sites/${name}/`);
    const [around = 0, largest = 0] = await sizes();
    expect(largest / around, name).toBeGreaterThan(1.4);
  }
  await page.goto('/');
  expect(new Set(await sizes()).size).toBe(1);
});

test('the cards come first with nothing selected, and follow the form on a domain’s page', async ({
  page,
}) => {
  for (const [path, cardsFirst] of [
    ['/', true],
    [`/sites/${NAMES[1]}/`, false],
  ] as const) {
    await page.goto(path);
    const [cards, form] = [await boxOf(page.locator('.cards')), await boxOf(offerForm(page))];
    expect(cards.y < form.y, path).toBe(cardsFirst);
    await expectInVisualOrder(page);
  }
});

test('in the form’s title a name stands on one line, also that of a card', async ({ page }) => {
  const [, , name = ''] = NAMES;
  // With the word before it, it is longer than a line.
  await page.setViewportSize({ width: 280, height: 653 });
  const shown = page.locator('.for strong');
  const lines = () =>
    shown.evaluate((strong) => {
      const range = document.createRange();
      range.selectNodeContents(strong);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    });
  for (const path of [`/sites/${name}/`, `/de/sites/${name}/`, '/', `/sites/${NAMES[0]}/`]) {
    await page.goto(path);
    await page.getByRole('radio', { name }).check();
    await expect(shown).toHaveText(name);
    expect(await lines(), path).toBe(1);
  }
});

test('a click on a card scrolls to the form, and moves no card', async ({ page }) => {
  for (const [width, height] of [
    [1280, 600],
    [1920, 600],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    // Otherwise the page would not be loaded again.
    await page.goto('about:blank');
    await page.goto('/');
    await expect(submitButton(page)).not.toBeInViewport({ ratio: 1 });
    for (const name of NAMES.slice(1, 3)) {
      await page.evaluate(() => scrollTo(0, 0));
      const before = await boxOf(page.locator('.cards'));
      await page.locator('.card', { hasText: name }).locator('b').click();
      await expect(headline(page)).toHaveText(`Own ${name} Domain`);
      for (const part of [firstField(page), submitButton(page)])
        await expect(part).toBeInViewport({ ratio: 1 });
      const scrolled = await page.evaluate(() => scrollY);
      expect((await boxOf(page.locator('.cards'))).y + scrolled, `${width} × ${height}`).toBeCloseTo(
        before.y,
        0,
      );
    }
  }
});

test('the scrolling is smooth unless the user prefers reduced motion', async ({ page }) => {
  const behavior = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  await page.goto('/');
  expect(await behavior()).toBe('auto');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await behavior()).toBe('smooth');
});

test('arrow keys select without scrolling away from the card', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto('/');
  await page.getByRole('radio').first().focus();
  for (const name of NAMES.slice(1, 3)) {
    await page.keyboard.press('ArrowDown');
    await expect(headline(page)).toHaveText(`Own ${name} Domain`);
    await expect(page.getByRole('radio', { name })).toBeFocused();
    await expect(page.getByRole('radio', { name })).toBeInViewport();
  }
});

test.describe('the fragment', () => {
  const [, name = '', other = ''] = NAMES;

  test('a selection is kept by a reload and by the link to the other language, and Back leaves the site', async ({
    page,
  }) => {
    await page.goto('/robots.txt');
    await page.goto('/');
    for (const one of [other, name]) {
      await page.locator('.card', { hasText: one }).locator('b').click();
      await expect(headline(page)).toHaveText(`Own ${one} Domain`);
      await expect(page).toHaveURL(new RegExp(`/#${one}$`));
    }
    await page.reload();
    await expectSelected(page, name, `Own ${name} Domain`);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await expect(page).toHaveURL(new RegExp(`/de/#${name}$`));
    await expectSelected(page, name, `Sichern Sie sich ${name}`);
    await page.goBack();
    await expectSelected(page, name, `Own ${name} Domain`);
    await page.goBack();
    await expect(page).toHaveURL(/robots\.txt$/);
  });

  test('a reload does not scroll to the form', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 600 });
    await page.goto(`/#${name}`);
    await expectSelected(page, name, `Own ${name} Domain`);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('a fragment of another domain wins over the page’s own', async ({ page }) => {
    await page.goto(`/sites/${name}/#${other}`);
    await expectSelected(page, other, `Own ${other} Domain`);
  });

  test('a fragment that names no domain selects nothing and loads no script; the inline script is small', async ({
    page,
  }) => {
    const loaded: string[] = [];
    page.on('request', (request) => request.resourceType() === 'script' && loaded.push(request.url()));
    for (const fragment of ['', '#', '#offer', '#nothing.example', '#%22%5D', `#${'x'.repeat(5_000)}`]) {
      // Otherwise the page would not be loaded again.
      await page.goto('about:blank');
      await page.goto(`/${fragment}`, { waitUntil: 'networkidle' });
      await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
      await expect(headline(page)).toHaveText('Own a Premium Domain');
      expect(loaded, fragment).toEqual([]);
    }
    const scripts = await page.locator('script:not([type])').allTextContents();
    const [script = ''] = scripts.filter((one) => one.includes('location.hash'));
    expect(script.length).toBeGreaterThan(0);
    expect(script.length).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
  });
});

test('a selection before the script arrives leads to the form, too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  const gate = Promise.withResolvers<void>();
  await page.route('**/_astro/*.js', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.locator('.card b').nth(1).click();
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(1);
  gate.resolve();
  await expect(submitButton(page)).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveURL(new RegExp(`#${NAMES[1]}$`));
});

test('on a domain’s page, another selection replaces the description and the price', async ({ page }) => {
  await page.goto(`/sites/${NAMES[0]}/`);
  const described = page.locator('.described');
  await expect(described).toHaveText(DESCRIPTION);
  await page.evaluate(() => {
    for (const text of document.querySelectorAll('.card span')) text.textContent = 'Of the card.';
  });
  await page.locator('.card b').nth(1).click();
  await expect(described).toHaveText('Of the card.');
  await expect(page.getByText('Asking price:')).toHaveText('Asking price: $12,500');
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`the receipt takes the place of the form, ${width} pixels wide, until “Make another offer”`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(`/sites/${NAMES[1]}/`);
    await fillOfferForm(page, OFFER);
    await expect(submitButton(page)).toBeEnabled();
    const before = await topsOf(page);
    // In the frame that shows it first.
    const size = page.waitForFunction(() => {
      const heading = document.querySelector('[role=status] h2');
      return heading && getComputedStyle(heading).fontSize;
    });
    await submitButton(page).click();
    expect(await (await size).jsonValue()).toBe(width === 1280 ? '40px' : '28px');
    const receipt = page.getByRole('status').filter({ hasText: 'Offer Submitted!' });
    await expect(receipt).toBeFocused();
    expect(await topsOf(page)).toEqual(before);
    await expect(offerForm(page)).toBeHidden();

    await expect(receipt.getByText("We'll get back to you within 24 hours.", { exact: true })).toBeVisible();
    const rows = await receipt.locator('dl > div').allInnerTexts();
    expect(rows.map((row) => row.split(/\n+/).slice(0, 2))).toEqual([
      ['Your Offer', OFFER.amount],
      ['Domain', NAMES[1]],
      ['Name', OFFER.name],
      ['We will write to', OFFER.email],
    ]);
    await expect(receipt.getByRole('heading', { name: 'What happens now' })).toBeVisible();
    const steps = receipt.getByRole('listitem');
    await expect(steps).toHaveText([
      /^Your offer has arrived[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M [A-Z]{3,4}\S*$/,
      /^The owner answers by emailBy tomorrow, \d{1,2}:\d{2}\s[AP]M [A-Z]{3,4}\S*Look into your spam folder, too\.$/,
      /^The domain is yoursOnce you agree on a price\.$/,
    ]);
    await expect(receipt.locator('[aria-current=step]')).toContainText('By tomorrow');
    // What is next is louder than to begin anew.
    const weightOf = (part: Locator) => part.evaluate((one) => Number(getComputedStyle(one).fontWeight));
    expect(await weightOf(receipt.getByText('The owner answers by email'))).toBe(700);
    expect(await weightOf(receipt.getByRole('button', { name: 'Make another offer' }))).toBe(400);

    await page.getByRole('button', { name: 'Make another offer' }).click();
    await expect(firstField(page)).toBeFocused();
    await expect(firstField(page)).toHaveValue('');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(OFFER.name);
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(OFFER.email);
    await expect(page.getByText('Offer Submitted!')).toHaveCount(0);
  });
}

test('the German receipt has a German date and German texts, and is printed', async ({ page }) => {
  await page.goto(`/de/sites/${NAMES[1]}/`);
  await page.getByLabel('Ihr Angebot').fill('1.000 €');
  await page.getByLabel('Name', { exact: true }).fill('Otto');
  await page.getByLabel('E-Mail').fill(OFFER.email);
  await page.getByRole('button', { name: 'Angebot senden' }).click();
  const receipt = page.getByRole('status').filter({ hasText: 'Ihr Angebot ist angekommen!' });
  await expect(receipt).toContainText('1.000 €');
  await expect(receipt).toContainText('Wir schreiben an');
  await expect(receipt).toContainText(/\d{1,2}\. \p{Lu}\p{Ll}+\.? \d{4}, \d{2}:\d{2} [A-Z]{3,4}/u);
  await expect(page.getByRole('button', { name: 'Weiteres Angebot machen' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(receipt).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});

function firstField(page: Page): Locator {
  return page.locator('#offer-amount');
}

async function expectSelected(page: Page, name: string, text: string): Promise<void> {
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(name);
  await expect(headline(page)).toHaveText(text);
}

async function boxOf(part: Locator): Promise<{ y: number; width: number }> {
  const box = await part.boundingBox();
  if (!box) throw new Error('The part is not visible.');
  return box;
}

/** Where the headline and the form's section begin. */
function topsOf(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    ['h1', '.offer'].map((selector) => {
      const box = document.querySelector(selector)?.getBoundingClientRect();
      return Math.round((box?.y ?? 0) + scrollY);
    }),
  );
}

/** Checks that the controls stand in the order of the document: line by line, from left to right. */
async function expectInVisualOrder(page: Page): Promise<void> {
  const places = await page.locator('a, input, button').evaluateAll((all) =>
    all
      .filter((one) => !one.matches('.card input') && one.checkVisibility())
      .map((one) => (one.closest('.field, .action') ?? one).getBoundingClientRect())
      .map(({ x, y }) => Math.round(y) * 10_000 + Math.round(x)),
  );
  expect(places.length).toBeGreaterThan(4);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}
