/** Every page in a real browser, used as people use it, with hostile texts in the list: no violation, no error. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright';
import { BROWSER_SWITCHES } from '../support/browser-switches.ts';
import { findBrowser } from '../support/find-browser.ts';
import { ADMIN } from '../support/product.ts';
import type { AbusedProduct } from './abused-product.ts';
import { dataKeys } from './data-keys.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { encodeProof, proofMaker } from './proofs.ts';
import { count } from './report.ts';
import { sharedProduct } from './shared-product.ts';
import { SHORT } from './short-form.ts';

const DOMAINS = ['sample.app', 'lap.app', 'site.example', 'host.example'];

describe('pages in a browser', { skip: findBrowser() === undefined && 'no browser is installed' }, () => {
  let product: AbusedProduct;
  let browser: Browser;
  before(async () => {
    product = await sharedProduct();
    await receiveHostileOffers(product);
    browser = await chromium.launch({
      executablePath: findBrowser() ?? '',
      args: [...BROWSER_SWITCHES],
    });
  });
  after(async () => {
    await browser?.close();
  });

  /** Uses a page and returns its CSP violations and errors. */
  const problemsOf = async (host: string, path: string, use: (page: Page) => Promise<void>) => {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || /Content.Security.Policy/i.test(message.text()))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('dialog', (dialog) => {
      problems.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (new URL(request.url()).port !== String(product.port))
        problems.push(`a request elsewhere: ${request.url()}`);
    });
    await page.exposeFunction('reportViolation', (what: string) => problems.push(what));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
        const { reportViolation } = globalThis as unknown as { reportViolation(what: string): void };
        reportViolation(`violates ${violatedDirective}: ${blockedURI} ${sample}`);
      });
    });
    await page.goto(`http://${host}:${product.port}${path}`);
    await use(page);
    await page.close();
    count('pages');
    return problems;
  };
  const clean = async (host: string, path: string, use: (page: Page) => Promise<void>, but?: RegExp) => {
    const problems = (await problemsOf(host, path, use)).filter((one) => !but?.test(one));
    count('violations', problems.length);
    assert.deepEqual(problems, [], `${host}${path}`);
  };

  const fillForm = async (page: Page) => {
    await page.getByLabel('Your Offer').fill('<script>alert(1)</script>');
    await page.getByLabel('Name').fill('"><img src=x onerror=alert(1)>');
    await page.getByLabel('Email').fill('visitor@example.com');
  };

  test('the page with nothing selected has no CSP violation while a card is selected and the form filled in', async () => {
    await clean('localhost', '/', async (page) => {
      await page.getByText('lap.app').first().click();
      await page.getByRole('heading', { name: 'Own lap.app Domain' }).waitFor();
      await fillForm(page);
    });
  });

  for (const domain of SHORT ? DOMAINS.slice(0, 1) : DOMAINS) {
    test(`the page of ${domain} has no CSP violation during a whole offer`, async () => {
      await clean(`${domain}.localhost`, '/', async (page) => {
        await fillForm(page);
        await page.getByRole('button', { name: 'Submit Offer' }).click({ timeout: 30_000 });
        await page.getByText('Offer Submitted!').waitFor();
        count('acknowledged');
      });
    });
  }

  test('the 404 page has no CSP violation', async () => {
    const itself = /status of 404/;
    await clean('localhost', '/nothing', async () => {}, itself);
  });

  test('the admin pages have no CSP violation from sign-in to Logout, with hostile offers', async () => {
    const rejection = /status of 401/;
    await clean(
      'localhost',
      '/admin',
      async (page) => {
        await page.getByPlaceholder('Enter admin email').fill(ADMIN.email);
        await page.getByPlaceholder('Enter admin password').fill('wrong password');
        await page.getByRole('button', { name: 'Sign In' }).click();
        await page.getByText('Invalid email or password.').waitFor();
        await page.getByPlaceholder('Enter admin password').fill(ADMIN.password);
        await page.getByRole('button', { name: 'Sign In' }).click();
        await page.getByText('Domain Sales Admin').waitFor();
        await page.getByText('<script>alert(document.domain)</script>').first().waitFor();
        await page.locator('tbody').getByRole('combobox').first().selectOption('accepted');
        await page.getByRole('button', { name: 'Refresh' }).click();
        await page.getByRole('button', { name: 'Logout' }).click();
        await page.getByText('Admin Access').waitFor();
      },
      rejection,
    );
  });

  test('the paths of the admin pages have no CSP violation when opened directly', async () => {
    for (const path of ['/admin/login', '/admin/dashboard', '/admin/']) {
      await clean('localhost', path, (page) => page.getByText('Admin Access').waitFor());
    }
  });
});

/** Offers whose every text would do harm on a page that trusted it. */
async function receiveHostileOffers(product: AbusedProduct): Promise<void> {
  const makeProof = proofMaker(dataKeys(product.dataDir).secretKey);
  for (const text of HOSTILE_TEXTS) {
    const { status } = await product.call('order-submit', {
      domain_name: 'lap.app',
      offer_amount: text,
      customer_name: text,
      customer_email: "o'hara&co=1%3f@example.com",
      turnstile_token: encodeProof(await makeProof()),
    });
    assert.equal(status, 201);
    count('acknowledged');
  }
}
