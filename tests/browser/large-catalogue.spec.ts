/** A catalogue with more domains than a page shows: its pages of domains, its search, and what is found of each domain. */
import { makeOffer, readAllOffers } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, fillOfferForm, headline, rowOf, signIn, submitButton } from './fixtures.ts';
import { addresses, alternates, content, openGraph, productOf } from './page-metadata.ts';
import { ARABIC, HOSTILE, MUNICH, nameOf, test, UNDESCRIBED } from './shops/large.ts';

test('no page mentions a broker where no domain has hasBroker', async ({ request }) => {
  for (const path of ['/', '/de/', '/sites/name4.example/']) {
    const html = await (await request.get(path)).text();
    expect(html).toContain('<form');
    expect(html).not.toMatch(/<aside|<[^>]*class="[^"]*\bbroker\b/);
  }
});

test('the metadata of a domain has its price if it can be parsed, its description escaped and its name decoded', async ({
  page,
  shop,
}) => {
  await page.goto('/sites/name4.example/');
  expect((await productOf(page)).offers).toMatchObject({ price: '5111', priceCurrency: 'USD' });
  await page.goto('/sites/name1.example/');
  expect((await productOf(page)).offers).not.toHaveProperty('price');

  await page.goto(`http://name2.example:${shop.port}/`);
  expect((await productOf(page)).description).toBe(HOSTILE);
  expect(await content(page, 'meta[name=description]')).toContain(HOSTILE);
  await expect(page).toHaveTitle('name2.example is for sale: make an offer');

  await page.goto(`http://${MUNICH}:${shop.port}/`);
  expect(await productOf(page)).toMatchObject({ name: 'münchen.example', url: `https://${MUNICH}/` });
  expect(await openGraph(page)).toMatchObject({
    title: 'münchen.example is for sale: make an offer',
    url: `https://${MUNICH}/`,
    image: `https://${MUNICH}/share/${MUNICH}.png`,
    'image:alt': 'münchen.example is for sale',
  });
  expect(await addresses(page, 'link[rel=canonical]')).toEqual([`https://${MUNICH}/`]);
});

test('the canonical host of the site’s pages is the first of its hosts', async ({ page, shop }) => {
  for (const [path, canonical] of [
    ['/', 'https://names.example/'],
    ['/de/', 'https://names.example/de/'],
    ['/domains/', 'https://names.example/domains/'],
    ['/de/domains/', 'https://names.example/de/domains/'],
  ] as const) {
    await page.goto(`http://other.example:${shop.port}${path}`);
    expect(await addresses(page, 'link[rel=canonical]')).toEqual([canonical]);
    expect((await alternates(page))['x-default']).toBe(canonical.replace('/de/', '/'));
    const { url, image } = await openGraph(page);
    expect([url, image]).toEqual([canonical, 'https://names.example/share/home.png']);
    await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  }
});

test('a page of domains exists in both languages, and its search works in each', async ({ page }) => {
  await page.goto('/domains/');
  await expect(page).toHaveTitle('All Domains');
  // There is one page.
  await expect(page.getByText(/Page \d/)).toHaveCount(0);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL('/de/domains/');
  const description = (n: number) =>
    page
      .getByRole('listitem')
      .filter({ hasText: `name${n}.` })
      .locator('span');
  const expectOwnLanguages = async () => {
    await expect(description(27)).toHaveText('Der Name Nummer 27.');
    await expect(description(27)).not.toHaveAttribute('lang');
    await expect(description(28)).toHaveText('The name number 28.');
    await expect(description(28)).toHaveAttribute('lang', 'en');
  };
  await expectOwnLanguages();
  await page.getByRole('searchbox', { name: '30 Domains durchsuchen' }).fill('name2');
  await expect(page.getByRole('status')).toHaveText('10 Domains:');
  await expectOwnLanguages();
  await page.getByRole('searchbox').fill('name27');
  await expect(page.getByRole('status')).toHaveText('1 Domain:');
  await page.getByRole('link', { name: 'name27.example' }).click();
  await expect(page).toHaveURL('/de/sites/name27.example/');
  await page.goto('/domains/');
  await expect(page.getByRole('listitem').filter({ hasText: 'münchen.example' })).toBeVisible();
  await page.getByRole('searchbox').fill('munch .EX');
  const results = page.getByRole('search').getByRole('listitem');
  await expect(results).toHaveText([/^münchen\.example.*The name number 29\.$/]);
  await results.getByRole('link').click();
  await expect(page).toHaveURL(`/sites/${MUNICH}/`);
});

test('prices are on cards, in lists and in search results with showPrice: everywhere', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('radio', { name: 'name4.example $5,111 The name number 4.' })).toBeVisible();
  await page.goto('/de/domains/');
  const items = page.getByRole('listitem');
  const price = items.filter({ hasText: 'name4.' }).getByText('5.111 $', { exact: true });
  await expect(price).toHaveAttribute('translate', 'no');
  await page.getByRole('searchbox').fill('name4');
  await expect(page.getByRole('status')).toHaveText('1 Domain:');
  await expect(price).toHaveAttribute('translate', 'no');
  await page.goto('/sites/sold.example/');
  const others = page.getByRole('region', { name: 'Other domains for sale' });
  await expect(others).toContainText('$1,111');
  await expect(others).not.toContainText('make me smile');
  // A text without an amount is no price, also on the domain's own page.
  await page.goto('/sites/name1.example/');
  await expect(page.getByText('Asking price:')).toBeHidden();
  await expect(page.getByText('make me smile')).toHaveCount(0);
});

test('a description from the defaults is on its domain’s own page only', async ({ page }) => {
  const [name, text] = [nameOf(UNDESCRIBED), `${nameOf(UNDESCRIBED)} waits for you.`];
  await page.goto('/');
  await expect(page.getByRole('radio', { name })).toHaveAccessibleName(`${name} $7,111`);
  await page.goto('/domains/');
  const items = page.getByRole('listitem').filter({ hasText: name });
  await expect(items).toHaveText(/^name6\.example\s*\$7,111\s*$/);
  await page.getByRole('searchbox').fill('name6');
  await expect(page.getByRole('status')).toHaveText('1 domain:');
  await expect(items).toHaveText(`${name}$7,111`);
  await page.goto(`/sites/${name}/`);
  await expect(page.locator('.described')).toHaveText(text);
  await page.getByRole('radio', { name: 'name7.example' }).check();
  await expect(page.locator('.described')).toHaveText('The name number 7.');
  await page.getByRole('radio', { name }).check();
  await expect(page.locator('.described')).toHaveText(text);
});

test('the start page of a large catalogue has the search, and its results are cards to select', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('radio')).toHaveCount(12);
  await page.getByRole('combobox', { name: 'Length' }).selectOption('Up to 5');
  const results = page.getByRole('search').getByRole('radio');
  const status = page.getByRole('search').getByRole('status');
  await expect(status).toHaveText('10 domains:');
  await expect(results).toHaveCount(10);
  await expect(page.getByRole('radio')).toHaveCount(10);
  await page.getByRole('searchbox').fill('4 name');
  await expect(page.getByRole('radio', { name: 'name4.example $5,111 The name number 4.' })).toBeVisible();
  await expect(results).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Length' }).selectOption('Any');
  await expect(status).toHaveText('3 domains:');
  await page.getByRole('searchbox').fill('');
  await expect(page.getByRole('radio')).toHaveCount(12);
});

test('while a search is on, the form is for the selected result, or asks for one', async ({ page, shop }) => {
  await page.goto('/');
  const [heading, form] = [headline(page), page.getByRole('region', { name: 'Make an Offer' })];
  const none = 'Select a domain above to make an offer.';
  const title = await page.title();
  await page.getByRole('radio', { name: 'name4.example' }).check();
  await expect(heading).toHaveText('Own name4.example Domain');
  await expect(page.getByText('Asking price: $5,111')).toBeVisible();
  // It is among the results.
  await page.getByRole('searchbox').fill('name');
  await expect(page.getByRole('search').getByRole('radio', { name: 'name4.example' })).toBeChecked();
  await expect(form).toContainText('for name4.example.');
  // It is not.
  await page.getByRole('searchbox').fill('munch');
  await expect(form.locator('.for')).toHaveText(none);
  await expect(heading).toHaveText('Own a Premium Domain');
  await expect(page).toHaveTitle(title);
  await expect(page.getByText(/Asking price/)).toBeHidden();
  await expect(page).toHaveURL(/\/$/);
  // It is shown again.
  await page.getByRole('searchbox').fill('');
  await expect(heading).toHaveText('Own name4.example Domain');
  await expect(page.getByRole('radio', { name: 'name4.example' })).toBeChecked();
  await expect(form).toContainText('for name4.example.');
  await page.getByRole('searchbox').fill('munch');
  await expect(heading).toHaveText('Own a Premium Domain');
  const munich = page.getByRole('radio', { name: 'münchen.example $30,111' });
  await munich.check();
  await expect(heading).toHaveText('Own münchen.example Domain');
  await expect(page.getByText('Asking price: $30,111')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`#${MUNICH}$`));
  await expect(page).toHaveTitle('münchen.example is for sale: make an offer');
  await expect(form).toContainText('for münchen.example.');
  await fillOfferForm(page, { amount: '$30,000', name: 'Ada', email: 'ada@large.example.com' });
  await submitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Offer Submitted!' })).toBeVisible();
  const [offer] = await readAllOffers(shop);
  expect(offer?.domain_name).toBe(MUNICH);
  // The page's own cards do not have it.
  await page.getByRole('searchbox').fill('');
  await expect(heading).toHaveText('Own a Premium Domain');
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
});

test('all domains are sorted by price, those without one last', async ({ page }) => {
  for (const [path, role] of [
    ['/', 'radio'],
    ['/domains/', 'listitem'],
  ] as const) {
    await page.goto(path);
    const results = page.getByRole('search').locator('.card');
    await page.getByRole('combobox', { name: 'Sort by price' }).selectOption('High to low');
    await expect(results.first()).toContainText(/^münchen\.example\s*\$30,111/);
    await page.getByRole('combobox', { name: 'Sort by price' }).selectOption('Low to high');
    await expect(results.first()).toContainText(/^name0\.example\s*\$1,111/);
    await expect(results.last()).toContainText('name1.example');
    await expect(page.getByRole('search').getByRole(role)).toHaveCount(30);
  }
});

test('a search that finds nothing shows what comes near, then leads to all domains', async ({ page }) => {
  for (const [path, role] of [
    ['/', 'radio'],
    ['/domains/', 'listitem'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('searchbox').fill('names like these');
    await expect(page.getByRole('search').getByRole('status')).toHaveText(
      'No domain with “names like these” in its name.',
    );
    const near = page.getByRole('search');
    await expect(near.getByText('These begin alike')).toBeVisible();
    await expect(page.getByRole(role)).toHaveCount(3);
    await page.getByRole('searchbox').fill('zzz.example');
    await expect(near.getByText('With this ending')).toBeVisible();
    await expect(page.getByRole(role)).toHaveCount(3);
    await page.getByRole('searchbox').fill('zzz');
    await expect(near.getByText('With this ending')).toBeHidden();
    await expect(page.getByRole(role)).toHaveCount(0);
    await page.getByRole('link', { name: 'Show all 30 domains' }).click();
    await expect(page).toHaveURL(/\/domains\/$/);
    await expect(page.getByRole('listitem')).toHaveCount(30);
    await expect(page.getByRole('searchbox')).toHaveValue('');
  }
});

test('prices of cards end at one edge, rows are as high as their text, and a description has one line at 1280', async ({
  page,
}) => {
  for (const path of ['/', '/domains/']) {
    await page.goto(path);
    for (const [width, columns] of [
      [390, 1],
      [1280, 3],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      const cards = await page.locator('.card').evaluateAll((all) =>
        all.map((card) => {
          const [name, price, text] = ['b', 'strong', 'span'].map((one) => card.querySelector(one));
          const edge = price && card.getBoundingClientRect().right - price.getBoundingClientRect().right;
          const lines =
            text && Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight));
          const isBeside =
            price && price.getBoundingClientRect().top < (name?.getBoundingClientRect().bottom ?? 0);
          return { edge, lines, isBeside, height: card.clientHeight };
        }),
      );
      const priced = cards.filter(({ edge }) => edge !== null);
      expect(priced.length).toBeGreaterThan(3);
      expect(new Set(priced.map(({ edge }) => edge && Math.round(edge))).size, `${path} ${width}`).toBe(1);
      expect(priced.every(({ isBeside }) => isBeside)).toBe(true);
      if (columns === 3 && path === '/') {
        expect(Math.max(...cards.map(({ lines }) => lines ?? 0))).toBe(1);
        expect(Math.max(...cards.map(({ height }) => height))).toBeLessThan(80);
      }
    }
  }
});

test('without JavaScript the pages of domains list them all, without a search', async ({ browser, shop }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${shop.origin}/domains/`);
  await expect(page.getByRole('searchbox')).toBeHidden();
  await expect(page.getByRole('listitem')).toHaveCount(30);
  await expect(page.getByRole('listitem').first()).toHaveText(
    /name0\.example\s*\$1,111\s*The name number 0\./,
  );
  await context.close();
});

test('the dashboard shows internationalised names decoded', async ({ page, shop }) => {
  await makeOffer(shop, { domain_name: MUNICH, customer_name: 'Ada Decoded' });
  await signIn(page);
  const row = rowOf(page, 'Ada Decoded');
  await expect(row.getByTitle(MUNICH)).toHaveText('münchen.example');
  await expect(row.getByRole('combobox', { name: 'for münchen.example' })).toHaveValue('pending');
});

test('a name stands from left to right in every place of the dashboard, and a buyer’s text as it begins', async ({
  page,
  shop,
  pageErrors,
}) => {
  pageErrors.expect(/status of 500/, /Failed to update offer status/);
  await makeOffer(shop, { domain_name: ARABIC, customer_name: 'עדה Arabic' });
  await makeOffer(shop, { domain_name: MUNICH, customer_name: 'Ada German' });
  const failure = { id: 7, kind: 'offer', domain: ARABIC, offers: 1, reason: '550', target_kind: 'mail' };
  const status = {
    mail: 1,
    webhooks: 0,
    queued: 0,
    failed: 1,
    sent: 0,
    paused: 0,
    last_failure: null,
    last_sent_at: null,
  };
  await page.route('**/rpc/message_status', (route) =>
    route.fulfill({ json: { ...status, failures: [failure] } }),
  );
  await signIn(page);
  const row = rowOf(page, 'Arabic');
  const name = page.locator('bdi[dir=ltr]').filter({ hasText: 'إختبار.example' });
  await expect(page.getByRole('region', { name: 'Messages' }).locator(name)).toBeVisible();
  await expect(row.locator('bdi').filter({ hasText: 'עדה' })).not.toHaveAttribute('dir');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const [label, ending] = await row.locator(name).evaluate((element) =>
      [...element.childNodes].flatMap((node) => {
        const range = document.createRange();
        range.selectNode(node);
        return node instanceof Text ? [range.getBoundingClientRect()] : [];
      }),
    );
    expect(ending?.top === label?.top ? ending?.left : Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
      label?.right ?? 0,
    );
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await row.getByRole('button', { name: /^Answer the offer/ }).click();
  await row.getByRole('button', { name: /^More for/ }).click();
  await row.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByRole('dialog').locator(name)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: /^pending/i }).click();
  await row.getByRole('combobox').selectOption('rejected');
  await expect(page.getByRole('status').locator(name)).toBeVisible();
  await expect(row).toHaveCount(0);
  await page.route('**/rest/v1/offers?*', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('alert').locator(name)).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(row).toBeVisible();
  const others = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (texts.nextNode()) {
      const { textContent: text, parentElement } = texts.currentNode;
      if (text?.includes('إختبار') && !parentElement?.closest('bdi[dir=ltr], option[dir=ltr]'))
        found.push(text);
    }
    return found;
  });
  expect(others, 'outside of its element').toEqual([]);
  await expect(
    page.getByRole('combobox', { name: 'Domain' }).getByRole('option', { name: 'إختبار.example' }),
  ).toHaveCount(1);
});

test('each host has its own sitemap and a robots.txt that names it', async ({ request }) => {
  for (const [host, locations] of [
    ['www.name3.example', ['https://name3.example/', 'https://name3.example/de/']],
    [
      'names.example',
      [
        'https://names.example/',
        'https://names.example/de/',
        'https://names.example/domains/',
        'https://names.example/de/domains/',
      ],
    ],
    ['other.example', undefined],
    ['stranger.example', undefined],
  ] as const) {
    const get = (path: string) => request.get(path, { headers: { host } });
    const robots = await (await get('/robots.txt')).text();
    expect(robots).toContain('User-agent: *\nAllow: /\n');
    const sitemap = /^Sitemap: (.*)$/m.exec(robots)?.[1];
    const response = await get('/sitemap.xml');
    if (locations === undefined) {
      expect(sitemap).toBeUndefined();
      expect(response.status()).toBe(404);
      continue;
    }
    expect(sitemap).toBe(`${new URL('/sitemap.xml', locations[0])}`);
    expect(response.headers()['content-type']).toBe('application/xml; charset=utf-8');
    const xml = await response.text();
    expect([...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address)).toEqual(locations);
    for (const address of locations) {
      // What is listed is there.
      expect((await get(new URL(address).pathname)).status()).toBe(200);
    }
  }
});

test('the pages of a large catalogue are accessible', async ({ page }) => {
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto('/');
  await checkAccessibility('the first page');
  await page.goto('/domains/');
  await checkAccessibility('the list');
  await page.getByRole('searchbox').fill('name1');
  await expect(page.getByRole('status')).toHaveText('10 domains:');
  await page.getByRole('combobox', { name: 'Ending' }).selectOption('.example');
  await checkAccessibility('found by search');
});

test('a domain’s page with a price, and the page of a sold one, are accessible', async ({ page }) => {
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto('/sites/name4.example/');
  await expect(page.getByText('Asking price: $5,111')).toBeVisible();
  await checkAccessibility('priced');
  await page.goto('/sites/sold.example/');
  await expect(page.getByText('This domain has been sold.')).toBeVisible();
  await checkAccessibility('sold');
});
