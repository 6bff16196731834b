import type { Page } from 'playwright';
import { at, holdResponses, type Scene, type Stage, withoutScript } from './scene.ts';

const FORM = { offer: '€12,500', name: 'Ada Lovelace', email: 'ada@example.com' };
const ORDERS = '**/functions/v1/order-submit';
const BOT_CHECKS = '**/functions/v1/bot-check?*';

/** Every page and state that a visitor may see. */
export const STOREFRONT: Record<string, Scene> = {
  home: at('/'),
  domain: openDomain,
  'priced-home': async (page, { priced }) => void (await page.goto(priced.origin)),
  priced: async (page, { priced }) => void (await page.goto(`${priced.origin}/sites/lap.app/`)),
  'buy-now': async (page, { priced }) => void (await page.goto(`${priced.origin}/sites/host.example/`)),
  sold: async (page, { priced }) => void (await page.goto(`${priced.origin}/sites/sold.example/`)),
  reserved: async (page, { priced }) => void (await page.goto(`${priced.origin}/sites/reserved.example/`)),
  'not-found': at('/nothing-here'),
  'not-found-german': at('/de/nothing-here'),
  'no-script': async (page, stage) => {
    await withoutScript(page);
    await openDomain(page, stage);
  },
  'card-selected': async (page, stage) => {
    await at('/')(page, stage);
    await page.getByText('host.example').first().click();
    await page.getByRole('heading', { level: 1, name: 'Own host.example Domain' }).waitFor();
  },
  'form-focused': async (page, stage) => {
    await openDomain(page, stage);
    await page.getByLabel('Your Offer').focus();
    await page.getByText('Bot check passed.').waitFor();
  },
  'bot-check-working': async (page, stage) => {
    await holdResponses(page, BOT_CHECKS);
    await openDomain(page, stage);
    await page.getByLabel('Your Offer').fill(FORM.offer);
    await page.getByText('Checking that you are not a bot…').waitFor();
  },
  'bot-check-failed': async (page, stage) => {
    await page.route(BOT_CHECKS, (route) => route.abort());
    await openDomain(page, stage);
    await page.getByLabel('Your Offer').fill(FORM.offer);
    await page.getByText('CAPTCHA failed to load').waitFor();
  },
  'offer-ready': async (page, stage) => {
    await openDomain(page, stage);
    await fillIn(page);
  },
  'offer-pressed': async (page, stage) => {
    await holdResponses(page, BOT_CHECKS);
    await openDomain(page, stage);
    await enter(page);
    await page.getByText('Checking that you are not a bot…').waitFor();
    await page.getByRole('button', { name: 'Submit Offer' }).click({ force: true });
    await page.locator('button[aria-busy=true]').waitFor();
  },
  'offer-problems': async (page, stage) => {
    await openDomain(page, stage);
    await fillIn(page, { offer: '', name: '', email: 'ada' });
    await page.getByRole('button', { name: 'Submit Offer' }).click();
    await page.locator(':invalid:focus').waitFor();
  },
  'offer-suggestion': async (page, stage) => {
    await openDomain(page, stage);
    await fillIn(page, { ...FORM, email: 'ada@gmial.com' });
    await page.getByLabel('Name').focus();
    await page.getByRole('button', { name: 'Did you mean gmail.com?' }).waitFor();
  },
  'offer-press-ended': async (page, stage) => {
    await STOREFRONT['offer-pressed']?.(page, stage);
    await page.getByLabel('Your Offer').fill('€13,000');
    await page.getByRole('alert').waitFor();
  },
  'offer-submitting': async (page, stage) => {
    await holdResponses(page, ORDERS);
    await submit(page, stage);
    await page.getByRole('button', { name: 'Submitting...' }).waitFor();
  },
  'offer-rejected': async (page, stage) => {
    await page.route(ORDERS, (route) =>
      route.fulfill({
        status: 429,
        json: { error: 'Too many offers at once. Please try again in 4 minutes.' },
      }),
    );
    await submit(page, stage);
    await page.getByRole('alert').waitFor();
  },
  'offer-offline': async (page, stage) => {
    await page.route(ORDERS, (route) => route.abort('internetdisconnected'));
    await submit(page, stage);
    await page.getByRole('alert').waitFor();
  },
  'offer-low': async (page, { priced }) => {
    await page.goto(`${priced.origin}/sites/sample.app/`);
    await fillIn(page, { ...FORM, offer: '$100' });
    await page.getByRole('button', { name: 'Submit Offer' }).click();
    await page.getByText('The owner expects more for this name.').waitFor();
  },
  'offer-submitted': async (page, stage) => {
    await submit(page, stage);
    await page.getByText('Offer Submitted!').waitFor();
  },
};

/** Fills the form in and waits for the bot check. */
export async function fillIn(page: Page, form = FORM): Promise<void> {
  await enter(page, form);
  await page.getByRole('button', { name: 'Submit Offer', disabled: false }).waitFor();
}

async function enter(page: Page, { offer, name, email } = FORM): Promise<void> {
  await page.getByLabel('Your Offer').fill(offer);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
}

async function openDomain(page: Page, { product }: Stage): Promise<void> {
  await page.goto(`http://lap.app.localhost:${product.port}`);
}

async function submit(page: Page, stage: Stage): Promise<void> {
  await openDomain(page, stage);
  await fillIn(page);
  await page.getByRole('button', { name: 'Submit Offer' }).click();
}
