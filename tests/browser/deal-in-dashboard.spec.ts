/** From a yes to sold: the owner's row, and the buyer's page that follows it. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { callFunction, eraseAllOffers, makeOffer, openSession } from '../support/calls.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, rowOf, scrollsHorizontally, signIn, waitUntilQuiet } from './fixtures.ts';
import { PAY_HOST, test } from './shops/deals.ts';
import { translate } from './translator.ts';

const NEGOTIATION = '**/functions/v1/negotiation';

const WIDTHS = [320, 390, 768, 1024, 1280];
/** As cards, and as a table. */
const CHECKED_WIDTHS = [390, 1280];
/** Smallest side of what is pressed, in pixels. */
const TARGET_PX = 44;

/** On the dots of a timeline axe measures no contrast. */
const NOT_MEASURED = ['color-contrast'];

/** The page reads the deal again. */
const comeBack = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));

const bearer = ({ access_token }: Awaited<ReturnType<typeof openSession>>) => ({
  authorization: `Bearer ${access_token}`,
});

/** Opens the row of an offer, which has no other row with that name. */
async function openRow(page: Page, customer: string) {
  const row = rowOf(page, customer);
  await row.getByRole('button', { name: /^(?:Answer|Open) the offer/ }).click();
  return {
    row,
    panel: row.getByRole('region', { name: /^Answer to/ }),
    deal: row.getByRole('region', { name: /^Deal with/ }),
    payment: row.getByRole('region', { name: 'Payment' }),
    moves: row.getByRole('region', { name: 'Timeline' }),
    step: (name: string) => row.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`) }),
    press: (name: string) => row.getByRole('button', { name, exact: true }).click(),
  };
}

test.beforeEach(({ shop }) => eraseAllOffers(shop));

test('an owner ticks paid, transferred and sold, and the buyer’s page follows', async ({
  page,
  context,
  shop,
  pageErrors,
}) => {
  test.slow();
  pageErrors.expect(/status of 400/, /checkoutHosts/);
  await makeOffer(shop, { customer_name: 'Bea Baker', offer_amount: '$4,100', domain_name: 'moon.example' });
  await signIn(page, shop.origin);
  const { row, panel, deal, payment, moves, step, press } = await openRow(page, 'Bea');
  await panel.getByRole('radio', { name: 'Accept' }).check();
  await expect(panel).toContainText(
    /Where to pay.*The buyer sees a button that opens pay\.example\..*Pay by/,
  );
  await press('Send');
  await expect(deal).toContainText(/Agreed: \$4,100.*Reference MOON-\w{4}/);
  await expect(step('Paid')).toHaveAttribute('aria-current', 'step');
  await expect(step('Paid')).toContainText(/by \w{3}, \w{3} \d+ · 7 days left/);
  await expect(row.getByText(/^Pay by \w{3} \d+, 7 d left$/)).toBeVisible();
  const reference = /MOON-\w{4}/.exec((await deal.textContent()) ?? '')?.[0] ?? '';
  await expect(payment.getByRole('radio', { name: /^Link from your template/ })).toBeChecked();
  await expect(payment).toContainText(`pay.example/moon?amount=4100&ref=${reference}`);
  await page.getByRole('searchbox').fill(reference);
  await expect(page.getByText('1 offer found.')).toBeVisible();

  const buyer = await context.newPage();
  const link = await payment.getByRole('link', { name: 'Open the buyer’s page' }).getAttribute('href');
  await buyer.goto(`${shop.origin}${new URL(link ?? '').pathname}${new URL(link ?? '').hash}`);
  const pay = buyer.getByRole('link', { name: 'Pay $4,100' });
  const seller = buyer.getByRole('region', { name: 'Your seller' });
  await expect(seller.getByRole('link')).toHaveText(['offers@example.com', '+1 555 0100']);
  await expect(pay).toHaveAttribute('href', `https://pay.example/moon?amount=4100&ref=${reference}`);

  await payment.getByRole('radio', { name: /^Link for this deal/ }).check();
  const field = payment.getByRole('textbox', { name: /^Link/ });
  await expect(payment).toContainText('No mail is sent about a change of it');
  await field.fill('https://elsewhere.example/a');
  await press('Show this to the buyer');
  await expect(payment.getByRole('alert')).toContainText('A link to elsewhere.example is not allowed.');
  await expect(field).toHaveAccessibleDescription(/elsewhere\.example is not allowed/);
  await field.fill(`https://${PAY_HOST}/a`);
  await press('Show this to the buyer');
  await expect(moves).toContainText(`You set the link for this deal to https://${PAY_HOST}/a`);
  await comeBack(buyer);
  await expect(pay).toHaveAttribute('href', `https://${PAY_HOST}/a`);
  await payment.getByRole('radio', { name: /^Closing text/ }).check();
  await expect(payment).toContainText(`Name the reference ${reference}.`);
  await press('Show this to the buyer');
  await expect(moves).toContainText('You chose the closing text as the way to pay');
  await payment.getByLabel('Pay by').fill('');
  await press('Remove date');
  await expect(moves).toContainText('You removed Pay by');
  await comeBack(buyer);
  await expect(buyer.getByText('12-34')).toBeVisible();
  await expect(pay).toHaveCount(0);

  await press('Mark as paid');
  await expect(step('Paid')).toContainText(/ by owner@example\.com/);
  await expect(row.getByRole('button', { name: 'Undo: Mark as paid' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(moves).toContainText('You undid paid');
  await expect(row.getByRole('button', { name: 'Mark as paid' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(row.getByText(/^Paid \w{3} \d+$/)).toBeVisible();
  await comeBack(buyer);
  await expect(buyer.getByRole('heading', { name: 'Paid', exact: true })).toBeVisible();
  await press('Mark as transferred');
  const response = Promise.withResolvers<void>();
  await page.route(NEGOTIATION, async (route) => {
    await response.promise;
    await route.continue();
  });
  await press('Mark as sold');
  // The row is closed before the response.
  const open = row.getByRole('button', { name: /^Open the offer/ });
  await open.click();
  response.resolve();
  await expect(row.getByText(/^Sold \w{3} \d+$/)).toBeVisible();
  await open.click();
  await expect(step('Agreed')).toContainText('sold on your pages');
  expect(readFileSync(shop.catalogue, 'utf8'), 'in the same click').toMatch(/sold/);
  await comeBack(buyer);
  await expect(buyer.getByRole('heading', { name: 'moon.example is yours' })).toBeVisible();

  await press('Fell through');
  await row.getByLabel('Note').fill('The payment did not arrive.');
  await press('It fell through');
  await expect(panel).toContainText('The deal fell through.');
  await expect(moves).toContainText(/it fell through.*The payment did not arrive\./);
  await expect(moves).toContainText(`${reference} ended`);
  await expect(row.getByRole('combobox')).toHaveValue('rejected');
  await comeBack(buyer);
  await expect(buyer.getByText('The payment did not arrive.')).toBeVisible();
});

test('a deal that another administrator changed is shown as it is, and nothing is lost', async ({
  page,
  shop,
  pageErrors,
}) => {
  pageErrors.expect(/status of 409/, /other side was first/);
  const id = await makeOffer(shop, { customer_name: 'Tom Reyes', domain_name: 'host.example' });
  const session = await openSession(shop);
  await callFunction(
    shop,
    'negotiation',
    { offer_id: id, move: { kind: 'accept', seen: 1 } },
    bearer(session),
  );
  await signIn(page, shop.origin);
  const { row, panel, deal, payment, step, press } = await openRow(page, 'Tom');
  await expect(deal).toBeVisible();
  await press('Reserve host.example');
  await expect(step('Agreed').locator('.name-state'), 'in place of its button').toBeFocused();
  await expect(step('Agreed')).toContainText(/Saved|Live/);
  await waitUntilQuiet(page);
  const reference = /HOST-\w{4}/.exec((await deal.textContent()) ?? '')?.[0];
  const other = { reference, seen: 0, field: 'paid', to: true };
  const ticked = await callFunction(shop, 'negotiation', { offer_id: id, deal: other }, bearer(session));
  expect(ticked.status).toBe(200);
  await payment.getByLabel('Pay by').fill('');
  await press('Remove date');
  await expect(row.getByRole('alert')).toContainText('The deal was changed in the meantime');
  await expect(step('Paid').getByRole('img', { name: 'Done' })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Mark as transferred' })).toBeVisible();
  for (const _ of ['asked', 'taken back']) await press('Take back');
  await expect(panel).toContainText(
    'The name is still reserved, and neither side can make a move. To put it up for sale again:',
  );
  await press('Put host.example up for sale');
  await expect(panel).not.toContainText('still reserved');
  await waitUntilQuiet(page);
});

test('a translated row shows each way to pay that is chosen', async ({ page, shop }) => {
  await makeOffer(shop, { customer_name: 'Omar Haddad', offer_amount: '$4,100', domain_name: 'lap.app' });
  await signIn(page, shop.origin);
  const { panel, payment, press } = await openRow(page, 'Omar');
  await translate(page);
  await panel.getByRole('radio', { name: 'Accept' }).check();
  await press('Send');
  const seen = payment.locator('.seen');
  await expect(seen).toContainText('The buyer sees a button that opens pay.example.');
  await payment.getByRole('radio', { name: /^Closing text/ }).check();
  await expect(seen).toHaveText('The buyer sees:');
  await expect(payment.getByRole('group', { name: 'Closing text' })).toContainText('$4,100');
  await payment.getByRole('radio', { name: /^Link from your template/ }).check();
  await expect(seen).toContainText('The buyer sees a button that opens pay.example.');
});

test('the other open offers of a deal lead to their rows, with their share of the price', async ({
  page,
  shop,
}) => {
  for (const [customer_name, offer_amount] of [
    ['Tom Reyes', '$3,200'],
    ['Ingrid Holm', '$2,900'],
    ['Bea Baker', '$4,100'],
  ] as const)
    await makeOffer(shop, { customer_name, offer_amount, domain_name: 'lap.app' });
  await signIn(page, shop.origin);
  const { panel, payment, press } = await openRow(page, 'Bea');
  await panel.getByRole('radio', { name: 'Accept' }).check();
  await press('Send');
  const others = payment.getByRole('region', { name: 'Other offers' });
  await expect(others.getByRole('heading', { name: '2 other offers are open' })).toBeVisible();
  await expect(others.getByRole('listitem')).toHaveText([
    /^Ingrid Holm\s*64 % of \$4,500\s*\$2,900$/,
    /^Tom Reyes\s*71 % of \$4,500\s*\$3,200$/,
  ]);
  await others.getByRole('link', { name: 'Tom Reyes' }).click();
  await expect(rowOf(page, 'Tom').getByRole('region', { name: /^Answer to Tom Reyes/ })).toBeVisible();
});

test('a second deal for a name says which one goes first, in place of ways to pay', async ({
  page,
  shop,
}) => {
  for (const customer_name of ['Tom Reyes', 'Bea Baker'])
    await makeOffer(shop, { customer_name, offer_amount: '4100 usd', domain_name: 'lap.app' });
  await signIn(page, shop.origin);
  for (const name of ['Tom', 'Bea']) {
    await rowOf(page, name).getByRole('combobox').selectOption('accepted');
    await expect(rowOf(page, name).locator('.badge')).toHaveText('accepted');
  }
  const { deal, payment } = await openRow(page, 'Bea');
  await expect(deal).toContainText('Agreed: $4,100');
  await expect(payment).toContainText(
    'The buyer sees no way to pay: the offer of Tom Reyes for this name is accepted, too. Take one of the two back.',
  );
  await expect(payment.getByRole('radio')).toHaveCount(0);
});

test('a deal fits every width, and is accessible', async ({ page, shop }) => {
  test.slow();
  const id = await makeOffer(shop, { customer_name: 'Ingrid Holm', domain_name: 'lap.app' });
  const session = await openSession(shop);
  await callFunction(
    shop,
    'negotiation',
    { offer_id: id, move: { kind: 'accept', seen: 1 } },
    bearer(session),
  );
  const checkAccessibility = await accessibilityChecker(page);
  await signIn(page, shop.origin);
  const { row, deal, payment, moves, press } = await openRow(page, 'Ingrid');
  await expect(deal).toBeVisible();
  await payment.getByRole('radio', { name: /^Link for this deal/ }).check();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await scrollsHorizontally(page), `${width} px`).toBe(false);
    if (width <= 390)
      for (const target of await row.getByRole('button').all()) {
        const { height = 0 } = (await target.boundingBox()) ?? {};
        expect(height, (await target.textContent()) ?? '').toBeGreaterThanOrEqual(TARGET_PX);
      }
    if (CHECKED_WIDTHS.includes(width)) await checkAccessibility(`a deal at ${width} px`, NOT_MEASURED);
  }
  const [steps, box, timeline] = await Promise.all([deal, payment, moves].map((each) => each.boundingBox()));
  expect(steps?.y, 'steps above the rest').toBeLessThan(box?.y ?? 0);
  expect(Math.abs((timeline?.y ?? 0) - (box?.y ?? 0)), 'timeline beside the box').toBeLessThan(40);
  await expect(row.getByRole('combobox')).toHaveCount(1);
  await expect(row.locator('.button:not(.quiet)')).toHaveCount(1);
  await press('Fell through');
  await expect(row.getByLabel('Note')).toBeFocused();
  await checkAccessibility('the question whether it fell through', NOT_MEASURED);
  await press('Keep the deal');
  await expect(row.getByRole('button', { name: 'Mark as paid' })).toBeFocused();
});
