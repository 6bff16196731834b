/** The storefront, as a visitor sees it: the right page for each host, choosing a domain, making an offer. */
import { request as httpRequest } from 'node:http';
import type { Page, Request } from '@playwright/test';
import type { Offer } from '#contract/offer.ts';
import { loadCatalogue } from '../../../src/catalogue/load.ts';
import { readAllOffers } from '../../support/calls.ts';
import type { Product } from '../../support/product.ts';
import {
  expect,
  fillOfferForm,
  headline,
  holdRequests,
  type OfferInput,
  offerForm,
  signIn,
  skipRepetitions,
  submitButton,
  test,
  withoutShare,
} from '../fixtures.ts';

const { domains: DOMAINS } = loadCatalogue();
const NAMES = DOMAINS.map(({ name }) => name);
const ORDERS = '**/functions/v1/order-submit';
const SCRIPTS = '**/_astro/*.js';
const UNEXPECTED_ERROR = 'There was an error submitting your offer. Please try again.';

test.describe('the page', () => {
  // Browsers open .app names by https only, so these requests are sent as a proxy would.
  const HOSTS = [
    ['lap.app', 'lap.app'],
    ['www.lap.app', 'lap.app'],
    ['LAP.APP', 'lap.app'],
    ['Www.Lap.App', 'lap.app'],
    ['lap.app.localhost', 'lap.app'],
    ['LAP.app.LocalHost', 'lap.app'],
    ['www.site.example', 'site.example'],
    ['localhost', undefined],
    ['127.0.0.1', undefined],
    ['another.example', undefined],
    ['mail.lap.app', undefined],
    ['notlap.app', undefined],
    ['lap.app.another.example', undefined],
  ] as const;

  test('the page of each host has its domain selected without script, and of others none', async ({
    product,
  }) => {
    for (const [host, selected] of HOSTS) {
      for (const address of [host, `${host}:${product.port}`]) {
        const { status, html } = await fetchPage(product, address);
        expect(status, address).toBe(200);
        const cards = html.match(/<input[^>]*type="radio"[^>]*>/g) ?? [];
        expect(
          cards.map((card) => /value="(.*?)"/.exec(card)?.[1]),
          address,
        ).toEqual(NAMES);
        expect(
          cards.filter((card) => / checked\b/.test(card)),
          address,
        ).toEqual(selected ? [expect.stringContaining(`value="${selected}"`)] : []);
        const headline = selected ? `Own ${selected} Domain` : 'Own a Premium Domain';
        expect(textOf(/<h1\b[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''), address).toBe(headline);
        expect(/<title>(.*?)<\/title>/.exec(html)?.[1], address).toContain(selected ?? 'Premium domains');
      }
    }
  });

  test('the page of a host shows its domain as selected in every part, and of others none', async ({
    page,
    product,
  }) => {
    for (const [host, selected] of [
      ['lap.app.localhost', 'lap.app'],
      ['WWW.SITE.EXAMPLE', 'site.example'],
      ['localhost', undefined],
    ] as const) {
      await page.goto(`http://${host}:${product.port}/`);
      await expect(page.getByRole('banner'), host).toHaveText('Your Next Domain Awaits');
      await expectSelected(page, selected);
      await expect(page.getByRole('radio'), host).toHaveCount(NAMES.length);
      await expect(page.getByRole('heading', { name: 'Make an Offer' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Need Professional Assistance?' })).toBeVisible();
    }
  });

  test('an unknown path shows the 404 page with a link back', async ({ page, pageErrors }) => {
    pageErrors.expect(/status of 404/);
    const response = await page.goto('/no/such/page');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is nothing at this address');
    await expect(
      page.getByText('You are on a site where domain names are sold by their owner.'),
    ).toBeVisible();
    const domains = page.getByRole('region', { name: 'Domains for sale' }).getByRole('link');
    await expect(domains).toHaveText(NAMES);
    await expect(page.getByRole('link', { name: 'Deutsch' })).toHaveAttribute('href', '/de/');
    await expect(page.locator('script')).toHaveCount(0);
    await page.getByRole('link', { name: 'See the domains for sale' }).click();
    await expectSelected(page, undefined);
    await page.goBack();
    await domains.first().click();
    await expectSelected(page, NAMES[0]);
    await page.getByRole('banner').getByRole('link', { name: 'Your Next Domain Awaits' }).click();
    await expectSelected(page, undefined);
  });
});

test.describe('loading', () => {
  test('loading a page takes one request and no script until the first contact', async ({
    page,
    product,
  }) => {
    const requests = requestsOf(page);
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.mouse.wheel(0, 600);
    await page.waitForLoadState('networkidle');
    expect(requests.map((request) => request.url())).toEqual([`${product.origin}/`]);

    // What hydrates the form, then what it needs after that, each at once: none waits for another one, which would take one
    // more round trip.
    const [first, second] = [await scriptsOf(page, 'island'), await scriptsOf(page, 'then')];
    const releases = await Promise.all(
      [first, second].map((names) => holdRequests(page, new RegExp(names.join('|')))),
    );
    const loaded = () => {
      const scripts = requests.map((one) => /\/_astro\/(.*)\.js$/.exec(one.url())?.[1]);
      return [...new Set(scripts.filter((one) => one !== undefined))].sort();
    };
    await card(page, 'lap.app').hover();
    await expect.poll(loaded).toEqual(first.toSorted());
    releases[0]?.();
    await expect(page.locator('[data-props]')).toHaveCount(0);
    await expect.poll(loaded).toEqual([...first, ...second].sort());
    releases[1]?.();
    // A browser opens six connections over HTTP/1.1.
    expect(first.length).toBeLessThanOrEqual(6);
    await card(page, 'lap.app').check();
    await fillOfferForm(page, offerOf('loading'));
    await expect(submitButton(page)).toBeEnabled();
    const worker = loaded().filter((one) => !first.includes(one) && !second.includes(one));
    expect(worker).toEqual([expect.stringContaining('worker')]);
  });

  test('a slow script keeps what was selected and typed meanwhile', async ({ page }) => {
    await page.goto('/');
    const release = await holdRequests(page, SCRIPTS);
    await nameOnCard(page, 'host.example').click();
    await page.getByLabel('Your Offer').fill('1,000 €');
    await page.getByLabel('Name', { exact: true }).fill('Grace');
    await expect(card(page, 'host.example')).toBeChecked();
    await expect(submitButton(page)).toBeDisabled();
    release();
    await expectSelected(page, 'host.example');
    await expect(page.getByLabel('Your Offer')).toHaveValue('1,000 €');
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Grace');
    await page.getByLabel('Email', { exact: true }).fill('grace@example.com');
    await expect(submitButton(page)).toBeEnabled();
  });

  test('a reload shows the same domain in every part', async ({ page }) => {
    await page.goto('/sites/lap.app/');
    await card(page, 'host.example').check();
    await expectSelected(page, 'host.example');
    await page.reload();
    await expect(async () => {
      const checked = await page.getByRole('radio', { checked: true }).inputValue();
      expect(await headline(page).textContent()).toBe(`Own ${checked} Domain`);
    }).toPass();
  });
});

test.describe('choosing a domain', () => {
  test('what a card changes changes with the press, by no script but the page’s own', async ({ page }) => {
    for (const [path, names] of [
      ['/', ['lap.app', 'host.example']],
      ['/sites/lap.app/', ['host.example', 'sample.app']],
    ] as const) {
      const release = await holdRequests(page, SCRIPTS);
      await page.goto(path);
      for (const name of names) {
        // Read before the event's task ends, and so before the browser can paint.
        const shown = await card(page, name).evaluate((radio: HTMLInputElement) => {
          radio.click();
          const texts = ['h1', '.for', '.broker'].map((part) => document.querySelector(part)?.textContent);
          return [document.title, ...texts, document.querySelectorAll('[data-props]').length];
        });
        const broker =
          name === 'host.example'
            ? 'Our broker will contact you within 24 hours to discuss your offer.'
            : `Use Broker for ${name}`;
        expect(shown).toEqual([
          `${name} is for sale: make an offer`,
          expect.stringMatching(new RegExp(`^Own\\s+${name}\\s+Domain$`)),
          expect.stringMatching(new RegExp(`^for ${name}\\. `)),
          // Nothing that a style sheet would have to hide.
          expect.stringMatching(new RegExp(`^Need Professional Assistance\\?\\s*${broker}\\s*$`)),
          1,
        ]);
        await expectSelected(page, name);
        await expect(page).toHaveURL(new RegExp(`#${name}$`));
        const german = page.getByRole('link', { name: 'Deutsch' });
        await expect(german).toHaveAttribute('href', new RegExp(`/de${path}#${name}$`));
      }
      release();
      await expect(page.locator('[data-props]')).toHaveCount(0);
      await expectSelected(page, names[1]);
      await page.unrouteAll();
    }
  });

  test('clicking a card changes headline, form and broker panel, and lets an offer be sent', async ({
    page,
  }) => {
    await page.goto('/');
    await expectSelected(page, undefined);
    await fillOfferForm(page, offerOf('undecided'));
    // Below its title, and below the button, once that waits for nothing else.
    await expect(page.getByText('Select a domain above to make an offer.')).toHaveCount(2);
    await expect(submitButton(page)).toBeDisabled();
    for (const name of ['sample.app', 'host.example', 'lap.app']) {
      await nameOnCard(page, name).click();
      await expectSelected(page, name);
    }
    await expect(submitButton(page)).toBeEnabled();
  });

  test('the broker link of the selected domain opens in a new tab', async ({ page, context }) => {
    await context.route('https://broker.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Broker</title>' }),
    );
    await page.goto('/sites/site.example/');
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Use Broker for site.example' }).click();
    const tab = await opened;
    await expect(tab).toHaveTitle('Broker');
    expect(tab.url()).toBe('https://broker.example/domains/site.example');
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await expectSelected(page, 'site.example');
  });
});

test.describe('an offer', () => {
  test('an offer made on a domain’s own host is stored and confirmed', { tag: '@hosted' }, async ({
    page,
    product,
  }) => {
    const { amount, name, email } = offerOf('ada');
    await page.goto(`http://site.example:${product.port}/`);
    for (const label of ['Your Offer', 'Name', 'Email']) {
      await expect(offerForm(page).getByText(label, { exact: true })).toBeVisible();
      await expect(page.getByLabel(label, { exact: true })).toBeVisible();
    }
    await fillOfferForm(page, { amount, name, email });
    await submitButton(page).click();
    await expectSubmitted(page);
    await expect(page.getByRole('status')).toContainText('site.example');
    await expect(offerForm(page)).toBeHidden();
    expect(await storedOffersOf(product, email)).toMatchObject([
      { domain_name: 'site.example', offer_amount: amount, customer_name: name, status: 'pending' },
    ]);
  });

  test('an offer can be made with the keyboard alone', async ({ page, product }) => {
    const { amount, name, email } = offerOf('keyboard');
    await page.goto('/');
    await tabToCards(page);
    await page.keyboard.press('Space');
    await expectSelected(page, 'sample.app');
    await page.keyboard.press('ArrowUp');
    await expectSelected(page, 'host.example');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expectSelected(page, 'lap.app');
    for (const text of [amount, name, email]) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
    await expect(submitButton(page)).toBeEnabled();
    await page.keyboard.press('Tab');
    await expect(submitButton(page)).toBeFocused();
    await page.keyboard.press('Enter');
    await expectSubmitted(page);
    await expect(page.getByRole('status')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Make another offer' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Use Broker for lap.app' })).toBeFocused();
    expect(await storedOffersOf(product, email)).toMatchObject([{ domain_name: 'lap.app' }]);
  });

  test('selecting a card after an offer shows the form again with name and email', async ({
    page,
    product,
  }) => {
    const { email, name } = offerOf('again');
    await page.goto('/sites/lap.app/');
    for (const next of ['sample.app', 'sample.app']) {
      await fillOfferForm(page, offerOf('again'));
      await submitButton(page).click();
      await expectSubmitted(page);
      await nameOnCard(page, next).click();
      await expect(page.getByText('Offer Submitted!')).toHaveCount(0);
      await expect(offerForm(page)).toBeVisible();
      await expectSelected(page, next);
      await expect(page.getByLabel('Your Offer')).toHaveValue('');
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name);
      await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email);
    }
    expect(await storedOffersOf(product, email)).toHaveLength(2);
  });

  test('an offer reaches the dashboard as entered, without direction marks', { tag: '@hosted' }, async ({
    page,
  }) => {
    const { email } = offerOf('exact');
    await page.goto('/sites/lap.app/');
    const offers = [
      { amount: TEXTS.join(' / '), name: TEXTS.slice(0, 4).join(' / ') },
      { amount: '  two  spaces  ', name: TEXTS.slice(4).join(' / ') },
    ];
    for (const offer of offers) {
      await fillOfferForm(page, { ...offer, email });
      await submitButton(page).click();
      await expectSubmitted(page);
      // For another name: open offers of one customer for one name are one row.
      await card(page, 'site.example').click();
    }
    await signIn(page);
    const rows = page.getByRole('row').filter({ hasText: email });
    await expect(rows).toHaveCount(offers.length);
    const cells = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].slice(1, 3).map((cell) => cell.textContent)),
    );
    const shown = cells.map((row) => row.map(withoutShare));
    const withoutMarks = (text: string) => text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
    expect(shown).toEqual(offers.toReversed().map(({ amount, name }) => [amount, name].map(withoutMarks)));
  });

  test('the browser rejects empty fields and what is no email', async ({ page }) => {
    const requests = requestsOf(page);
    await page.goto('/sites/lap.app/');
    for (const [label, value, problem] of [
      ['Your Offer', '', 'valueMissing'],
      ['Name', '', 'valueMissing'],
      ['Email', '', 'valueMissing'],
      ['Email', 'grace.example.com', 'typeMismatch'],
    ] as const) {
      await fillOfferForm(page, offerOf('careless'));
      const field = page.getByLabel(label, { exact: true });
      await field.fill(value);
      await submitButton(page).click();
      await expect(field).toBeFocused();
      expect(await field.evaluate((input: HTMLInputElement, key) => input.validity[key], problem)).toBe(true);
      expect(requests.filter((one) => one.url().includes('order-submit'))).toEqual([]);
      await expect(page.getByRole('alert')).toHaveCount(0);
    }
  });

  test('an offer is sent once when the button is pressed twice, and the button shows Submitting...', async ({
    page,
    product,
  }) => {
    const requests = requestsOf(page);
    await page.goto('/sites/lap.app/');
    const release = await holdRequests(page, ORDERS);
    await fillOfferForm(page, offerOf('hasty'));
    await submitButton(page).dblclick();
    await expect(submitButton(page)).toHaveText('Submitting...');
    await expect(submitButton(page)).toBeDisabled();
    await page.keyboard.press('Enter');
    await offerForm(page).evaluate((form: HTMLFormElement) => form.requestSubmit());
    release();
    await expectSubmitted(page);
    const sent = requests.filter((one) => one.url().includes('order-submit'));
    expect(sent).toHaveLength(1);
    expect(sent[0]?.postDataJSON(), 'the first language of the site').not.toHaveProperty('locale');
    expect(await storedOffersOf(product, offerOf('hasty').email)).toHaveLength(1);
  });

  /** No two in a row have the same message, so that each is seen to replace the last. */
  const FAILURES = [
    ['rejected with a message', { status: 429, json: { error: 'Not today, sorry.' } }, 'Not today, sorry.'],
    ['rejected without JSON', { status: 500, body: '<h1>Sorry</h1>' }, UNEXPECTED_ERROR],
    ['rejected without a message', { status: 500, json: { code: 'internal' } }, 'Unknown error'],
    ['sent without a network', 'no network', UNEXPECTED_ERROR],
  ] as const;

  test('an offer that fails in any way stays in the form and can be sent again', { tag: '@hosted' }, async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/status of 429/, /status of 500/, /status of 400/, /ERR_INTERNET_DISCONNECTED/);
    const who = offerOf('rejected');
    await page.clock.install();
    await page.goto('/sites/lap.app/');
    await fillOfferForm(page, who);
    for (const [condition, response, message] of FAILURES) {
      await page.route(ORDERS, (route) =>
        response === 'no network' ? route.abort('internetdisconnected') : route.fulfill(response),
      );
      await submitButton(page).click();
      if (response === 'no network') await skipRepetitions(page);
      await expect(page.getByRole('alert'), condition).toHaveText(message);
      await expect(page.getByLabel('Your Offer'), condition).toHaveValue(who.amount);
      await expect(page.getByLabel('Name', { exact: true }), condition).toHaveValue(who.name);
      await expect(page.getByLabel('Email', { exact: true }), condition).toHaveValue(who.email);
      await page.unroute(ORDERS);
    }
    await page.getByLabel('Your Offer').fill('9'.repeat(501));
    await submitButton(page).click();
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText(/^Please shorten .*500 characters\.$/);
    // The next bot check has started: its status element may be replaced while it is measured.
    await expect(async () => {
      const status = await page.getByText(/bot check|bot…/i).boundingBox();
      const error = await alert.boundingBox();
      expect(error?.y).toBeGreaterThan(status?.y ?? Number.POSITIVE_INFINITY);
    }).toPass();

    await page.getByLabel('Your Offer').fill(who.amount);
    await submitButton(page).click();
    await expectSubmitted(page);
    await expect(alert).toHaveCount(0);
    expect(await storedOffersOf(product, who.email)).toHaveLength(1);
  });

  test('an offer whose responses are all lost is sent again unchanged, and by hand, and is stored once', async ({
    page,
    product,
    pageErrors,
  }) => {
    pageErrors.expect(/ERR_CONNECTION_RESET/);
    const who = offerOf('persistent');
    const stored: number[] = [];
    const sent = new Set<string | null>();
    await page.route(ORDERS, async (route) => {
      sent.add(route.request().postData());
      stored.push((await route.fetch()).status());
      await route.abort('connectionreset');
    });
    await page.clock.install();
    await page.goto('/sites/lap.app/');
    await fillOfferForm(page, who);
    await submitButton(page).click();
    await skipRepetitions(page);
    await expect(page.getByRole('alert')).toHaveText(UNEXPECTED_ERROR);
    expect(stored).toEqual([201, 200, 200, 200]);
    expect(sent.size).toBe(1);

    await page.unroute(ORDERS);
    await submitButton(page).click();
    await expectSubmitted(page);
    expect(await storedOffersOf(product, who.email)).toHaveLength(1);
  });
});

/** Texts that something on the way might have changed, had it touched them. */
const TEXTS = [
  '1,000 €',
  `"Double", 'single' & \\back\\`,
  '<script>alert("mine")</script><img src=x onerror=alert(1)>',
  '👩‍👩‍👧 🏳️‍🌈 🤝🏽',
  'Cafe\u0301 ≠ Caf\u00e9',
  '\u202Egnp.exe\u202C \u2066abc\u2069 שלום',
  '  two  spaces  ',
  '%00 {{7*7}} <%= 7*7 %> &amp; -- ; drop table offers',
];

function offerOf(who: string): OfferInput {
  return { amount: '$12,000', name: `Visitor ${who}`, email: `${who}@storefront.example.com` };
}

function card(page: Page, name: string) {
  return page.getByRole('radio', { name });
}

/** From the top of the page: the header and the languages come first, as they do for the eye. */
async function tabToCards(page: Page): Promise<void> {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('banner').getByRole('link')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Deutsch' })).toBeFocused();
  await page.keyboard.press('Tab');
}

/** What a mouse clicks on. */
function nameOnCard(page: Page, name: string) {
  return page.getByRole('group', { name: 'Choose your domain' }).getByText(name, { exact: true });
}

/** Headline, cards, form and broker panel all speak of this domain. */
async function expectSelected(page: Page, name: string | undefined): Promise<void> {
  await expect(headline(page)).toHaveText(name ? `Own ${name} Domain` : 'Own a Premium Domain');
  const panel = page.getByRole('complementary', { name: 'Need Professional Assistance?' });
  if (name === undefined) {
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(0);
    await expect(submitButton(page)).toBeDisabled();
    await expect(
      panel.getByText('Select a domain above to access broker services', { exact: true }),
    ).toBeVisible();
    await expect(panel.getByRole('link')).toHaveCount(0);
    return;
  }
  await expect(page.getByRole('radio', { checked: true })).toHaveValue(name);
  await expect(offerForm(page).getByText(name)).toBeVisible();
  if (DOMAINS.find((domain) => domain.name === name)?.hasBroker) {
    const link = panel.getByRole('link', { name: `Use Broker for ${name}`, exact: true });
    await expect(link).toHaveAttribute('href', `https://broker.example/domains/${name}`);
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', /noopener/);
  } else {
    await expect(
      panel.getByText('Our broker will contact you within 24 hours to discuss your offer.', { exact: true }),
    ).toBeVisible();
    await expect(panel.getByRole('link')).toHaveCount(0);
  }
}

async function expectSubmitted(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Offer Submitted!', exact: true })).toBeVisible();
  await expect(page.getByText("We'll get back to you within 24 hours.", { exact: true })).toBeVisible();
}

async function storedOffersOf(product: Product, email: string): Promise<Offer[]> {
  return (await readAllOffers(product)).filter((offer) => offer.customer_email === email);
}

/** Names of the scripts in one of the form's lists (components/Island.astro). */
async function scriptsOf(page: Page, list: 'island' | 'then'): Promise<string[]> {
  return (await page.locator('#island-OfferForm').getAttribute(`data-${list}`))?.split(' ') ?? [];
}

function requestsOf(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  return requests;
}

/** One request with exactly this Host header. */
function fetchPage(
  { port }: Product,
  host: string,
  path = '/',
): Promise<{ status: number | undefined; html: string }> {
  return new Promise((done, fail) => {
    httpRequest({ host: '127.0.0.1', port, path, headers: { host } }, async (response) => {
      let html = '';
      for await (const chunk of response.setEncoding('utf8')) html += chunk;
      done({ status: response.statusCode, html });
    })
      .on('error', fail)
      .end();
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
