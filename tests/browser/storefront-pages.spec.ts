/** How the pages of the storefront look, load and are written. */
import { loadCatalogue } from '../../src/catalogue/load.ts';
import { isOneLine, sizeOf } from '../../src/domain-name/size-of.ts';
import { de } from '../../src/i18n/de.ts';
import { en } from '../../src/i18n/en.ts';
import {
  columnsOfCards,
  expect,
  fillOfferForm,
  headline,
  offerForm,
  scrollsHorizontally,
  submitButton,
  test,
} from './fixtures.ts';

const { domains: DOMAINS } = loadCatalogue();
const NAMES = DOMAINS.map(({ name }) => name);
const ORDERS = '**/functions/v1/order-submit';

test('four cards are shown in two columns, on a phone in one, in the preferred colour scheme', async ({
  page,
}) => {
  await page.goto('/');
  for (const [width, columns, colorScheme] of [
    [1280, 2, 'light'],
    [360, 1, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    expect(await columnsOfCards(page)).toBe(columns);
    await page.emulateMedia({ colorScheme });
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const brightness = Math.max(...(background.match(/\d+/g) ?? []).map(Number));
    expect(brightness < 128, background).toBe(colorScheme === 'dark');
  }
});

test('the headline has one line, or on phones its words on one and the name on another, for names of 5 to 40 letters and in both languages', async ({
  page,
}) => {
  for (const [path, { headline: words }] of [
    ['/sites/lap.app/', en],
    ['/de/sites/lap.app/', de],
    ['/', en],
    ['/de/', de],
  ] as const) {
    const isStart = !path.includes('sites');
    const names = LENGTHS.map((name) => {
      return { name, size: sizeOf(name), one: isOneLine(isStart ? '' : name, words.selected) };
    });
    await page.goto(path);
    for (const width of [390, 768, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      const isWide = width >= (isStart ? 640 : 960);
      expect(await page.evaluate(headlines, names), `${path}, ${width} pixels wide`).toEqual(
        names.map(({ name, one }) => ({
          name,
          lines: isWide && one ? 1 : 2,
          fits: true,
        })),
      );
      expect(await scrollsHorizontally(page)).toBe(false);
    }
  }
});

test('on a phone the first view has “For sale”, the headline and the top of the button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [prefix, mark] of [
    ['', en.page.forSale],
    ['/de', de.page.forSale],
  ] as const) {
    for (const name of NAMES) {
      await page.goto(`${prefix}/sites/${name}/`);
      for (const part of [headline(page), page.getByText(mark, { exact: true })])
        await expect(part).toBeInViewport({ ratio: 1 });
      const button = await page.locator('button[type=submit]').boundingBox();
      expect(button?.y, `${prefix} ${name}`).toBeLessThan(844);
    }
    await page.goto(`${prefix}/`);
    await expect(page.getByText(mark, { exact: true })).toBeInViewport({ ratio: 1 });
  }
});

test('the page fits screens 360 and 320 pixels wide, in both schemes, with an error and when submitted', async ({
  page,
}) => {
  const expectToFit = async () => {
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await scrollsHorizontally(page), `${width} pixels, ${colorScheme}`).toBe(false);
      }
    }
  };
  await page.goto('/');
  await expectToFit();
  await page.getByRole('radio', { name: 'site.example' }).check();
  await fillOfferForm(page, {
    amount: '$12,000',
    name: 'N'.repeat(120),
    email: 'narrow@storefront.example.com',
  });
  await page.route(ORDERS, (route) => route.fulfill({ status: 200, json: { error: 'x'.repeat(120) } }));
  await submitButton(page).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectToFit();
  await page.unroute(ORDERS);
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  await expectToFit();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the page without script shows its domain and its cards, and states that an offer needs JavaScript', async ({
    page,
    product,
  }) => {
    await page.goto(`http://lap.app.localhost:${product.port}/`);
    await expect(headline(page)).toHaveText('Own lap.app Domain');
    await expect(page.getByRole('radio', { checked: true })).toHaveValue('lap.app');
    await expect(page.getByRole('link', { name: 'Use Broker for lap.app', exact: true })).toHaveAttribute(
      'href',
      'https://broker.example/domains/lap.app',
    );
    for (const { name, description } of DOMAINS) {
      await expect(page.getByRole('radio', { name: `${name} ${description}` })).toBeVisible();
    }
    await expect(submitButton(page)).toBeDisabled();
    await expect(page.getByRole('alert')).toHaveCount(0);
    // Playwright looks for no text in <noscript>, though this browser shows it.
    const notice = page.locator('noscript p');
    await expect(notice).toBeVisible();
    expect(await notice.textContent()).toBe(
      'Sending an offer needs JavaScript, which is switched off in this browser.',
    );
    const [above, form] = await Promise.all([notice.boundingBox(), offerForm(page).boundingBox()]);
    expect(above?.y).toBeLessThan(form?.y ?? 0);
  });
});

test('hydration keeps what the browser fills in meanwhile', async ({ page }) => {
  // React does its work in messages to itself: each is late here, and a letter arrives meanwhile, without any event.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage;
    const letters = Object.assign(window, { letters: 0 });
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      setTimeout(() => {
        const field = document.querySelector<HTMLInputElement>('#customer-name');
        if (!field) return;
        field.value += 'x';
        letters.letters += 1;
      }, 20);
      setTimeout(() => Reflect.apply(post, this, message), 40);
    };
  });
  await page.goto('/sites/lap.app/');
  await page.getByLabel('Your Offer').focus();
  await expect(page.getByText('Bot check passed.')).toBeVisible();
  const letters = await page.evaluate(() => (window as unknown as { letters: number }).letters);
  expect(letters).toBeGreaterThan(1);
  expect((await page.getByLabel('Name', { exact: true }).inputValue()).length).toBeGreaterThanOrEqual(
    letters,
  );
});

test('shared styles come before the page’s own', async ({ request }) => {
  const html = await (await request.get('/sites/lap.app/')).text();
  const places = [':root{color-scheme', 'box-sizing:border-box', '.hero{'].map((rule) => html.indexOf(rule));
  expect(places[0]).toBeGreaterThan(0);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('every custom property in use is set', async ({ request }) => {
  for (const path of ['/', '/sites/lap.app/', '/nothing-here', '/admin/login']) {
    const html = await (await request.get(path)).text();
    const used = new Set([...html.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
    // Set for elements with a size, which the page for unknown paths does not have.
    if (!html.includes(' data-size=')) for (const name of ['--fit', '--words']) used.delete(name);
    // Set for a headline on one line.
    if (!/class="hero[^"]* one/.test(html)) used.delete('--words');
    // Set by the table of offers itself.
    used.delete('--columns');
    const missing = [...used].filter((name) => !html.includes(`${name}:`));
    expect([used.size > 9, missing], path).toEqual([true, []]);
  }
});

// It would cost a large catalogue's build: docs/decisions/0010.
test('characters beyond Latin-1 occur only in the owner’s texts', async ({ request }) => {
  for (const path of ['/', '/sites/lap.app/', '/de/', '/de/sites/lap.app/']) {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    const html = await response.text();
    expect(html.match(/[\u0100-\uffff]/g), path).toBeNull();
  }
});

test('pages contain no price, not even in their source', async ({ request }) => {
  for (const path of ['/', ...NAMES.map((name) => `/sites/${name}/`)]) {
    const html = await (await request.get(path)).text();
    for (const { description } of DOMAINS) expect(textOf(html)).toContain(description);
    for (const { price } of DOMAINS) expect(html).not.toContain(price?.replace('$', ''));
  }
});

/** Names of 5 to 40 letters, with narrow and wide ones. */
const LENGTHS = [
  'io.io',
  'lap.app',
  'mw.mom',
  'sample.app',
  'site.example',
  'alpha.example',
  'wwwmmm.homes',
  'riverstones.example',
  'wonderwoman.homes',
  'internationalization.com',
  'mountainbike-outlet.example',
  'thelongestnamethatisstillsold.example',
  'thelongestnamethatisstillsolds.example.org',
].map((name) => name.slice(-40));

/**
 * Runs in the page. Sets names as the build does, and returns on how many lines each headline stands: the words around the
 * name with it, or the name between them; 2 is neither.
 */
function headlines(names: { name: string; size: number; one: boolean }[]) {
  const h1 = document.querySelector('h1');
  const hero = h1?.parentElement;
  if (!h1 || !hero) throw new Error('The page has no headline.');
  const template = hero.querySelector<HTMLTemplateElement>('template[data-of="h1"]');
  if (template) h1.replaceChildren(template.content);
  template?.remove();
  const strong = h1.querySelector('strong');
  if (!strong) throw new Error('The headline has no name.');
  return names.map(({ name, size, one }) => {
    hero.classList.toggle('one', one);
    if (hero.dataset.size) hero.dataset.size = `${size}`;
    strong.dataset.size = `${size}`;
    const dot = name.lastIndexOf('.');
    strong.replaceChildren(name.slice(0, dot), document.createElement('wbr'), name.slice(dot));
    const boxesOf = (node: Node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter((box) => box.width > 1);
    };
    const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
    const [first, last] = [h1.firstChild, h1.lastChild].map((node) => (node ? boxesOf(node) : []));
    const parts = boxesOf(strong);
    const isOn = (one: DOMRect) => parts.every((part) => part.top < middle(one) && middle(one) < part.bottom);
    const around = [...(first ?? []), ...(last ?? [])];
    const areAbove = around.every((one) => parts.every((part) => one.bottom <= middle(part)));
    const right = Math.max(...around.concat(parts).map((box) => box.right));
    return {
      name,
      lines: around.every(isOn) ? 1 : areAbove ? 2 : 3,
      fits: right <= hero.getBoundingClientRect().right + 1,
    };
  });
}

function textOf(html: string): string {
  return html
    .replace(/<!--.*?-->|<[^>]*>/gs, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
