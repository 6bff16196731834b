/** The buyer's page once both agree: how to pay, and what has happened since. */
import type { Page } from '@playwright/test';
import type { Deal, Negotiation } from '#contract/negotiation.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, scrollsHorizontally } from './fixtures.ts';
import { TOKEN } from './link.ts';
import { OWNER, test } from './shops/seller.ts';
import { translate } from './translator.ts';

const AMOUNT = { amount: '4100 usd', value: 4100, currency: 'USD' };
const AGREED: Deal = { reference: 'LAP-7F3K', agreed_at: '2026-11-27T10:05:00Z', pay_by: '2026-12-04' };
const PAY = {
  url: 'https://pay.ada.example/?amount=4100&currency=USD&reference=LAP-7F3K',
  host: 'pay.ada.example',
};
const PAID = { ...AGREED, paid_at: '2026-11-30T09:00:00Z' };
const TRANSFERRED = { ...PAID, transferred_at: '2026-12-01T09:00:00Z' };
const SOLD = { ...TRANSFERRED, sold_at: '2026-12-02T09:00:00Z' };
const ACCEPTED: Negotiation = {
  domain: 'lap.app',
  status: 'accepted',
  seen: 2,
  moves: [
    { number: 1, side: 'buyer', kind: 'offer', at: '2026-11-22T08:14:00Z', ...AMOUNT },
    { number: 2, side: 'owner', kind: 'accept', at: AGREED.agreed_at, ...AMOUNT, note: 'Thank you.' },
  ],
  can: [],
  deal: { ...AGREED, pay: PAY },
  after_payment: '<ol><li>The owner sees your payment.</li><li>You get a code.</li></ol>',
  language: 'en',
};
const CLOSING = `<p>My account:</p>
<ul>
<li>IBAN: DE00 0000 0000 0000 0000 00</li>
<li>Account holder: Ada Example</li>
<li>Amount: $4,100</li>
</ul>
<p>Bank: Example Bank
City: Berlin</p>
<p>Note: one line alone is a sentence.</p>
<p>Site: <a href="https://bank.example/">bank.example</a>
Branch: Mitte</p>`;
const BY_BANK: Negotiation = { ...ACCEPTED, deal: AGREED, closing: CLOSING };
const FELL_THROUGH: Negotiation = {
  ...ACCEPTED,
  status: 'declined',
  seen: 3,
  moves: [
    ...ACCEPTED.moves,
    { number: 3, side: 'owner', kind: 'take_back', as: 'rejected', at: '2026-12-03T09:00:00Z' },
  ],
  deal: null,
  after_payment: null,
};

test.beforeEach(async ({ page }) => {
  await page.clock.install({ time: '2026-11-29T12:00:00Z' });
});

/** Opens the page with a state; the returned function changes it, and the buyer comes back to the page. */
async function open(page: Page, first: Negotiation, path = `/offer/#${TOKEN}`) {
  let state = first;
  await page.route('**/functions/v1/negotiation', (route) => route.fulfill({ json: state }));
  await page.goto(path);
  await expect(page.locator('.deal')).toBeVisible();
  return async (next: Negotiation) => {
    state = next;
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  };
}

test('the amount is the largest type, and the date and the button are in the first view of a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const change = await open(page, ACCEPTED);
  const now = page.getByRole('region', { name: 'Agreed' });
  const amount = now.getByText('$4,100', { exact: true }).first();
  await expect(amount).toHaveAttribute('translate', 'no');
  await expect(now).toContainText('Pay by Friday, December 4 5 days left');
  const pay = now.getByRole('link', { name: 'Pay $4,100' });
  await expect(pay).toHaveAttribute('href', PAY.url);
  await expect(now).toContainText(
    'Opens pay.ada.example. Amount and reference LAP-7F3K are filled in there.',
  );
  await expect(now).toContainText('Thank you.');
  await expect(page.getByRole('heading', { name: 'So far' }), 'no other notes').toHaveCount(0);
  await expect(page.locator('.button'), 'one solid button').toHaveCount(1);
  const bottom = await pay.evaluate((link) => link.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThan(400);
  const largest = () =>
    page.evaluate(() => {
      const sizes = [...document.querySelectorAll('body *')].map((one) =>
        Number.parseFloat(getComputedStyle(one).fontSize),
      );
      return Math.max(...sizes);
    });
  await expect(amount).toHaveCSS('font-size', '64px');
  expect(await largest()).toBe(64);
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect(amount).toHaveCSS('font-size', '112px');
  expect(await largest()).toBe(112);

  const million = { amount: '$1,250,000', value: 1_250_000, currency: 'USD' };
  const name = `${'a-long-name-'.repeat(4)}of-a-domain.example`;
  const moves = ACCEPTED.moves.map((move) => ({ ...move, ...million }));
  await change({ ...ACCEPTED, domain: name, moves });
  await expect(page.getByRole('link', { name: 'Pay $1,250,000' })).toBeVisible();
  const seller = page.getByRole('region', { name: 'Your seller' });
  await expect(seller).toContainText(OWNER);
  await expect(seller.getByRole('link')).toHaveText(['ada@example.com', '+1 555 0100']);
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await scrollsHorizontally(page), `${width} pixels`).toBe(false);
  }
});

test('bank details are lines that are copied by keyboard, without a solid button', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const checkAccessibility = await accessibilityChecker(page);
  await open(page, BY_BANK);
  const now = page.getByRole('region', { name: 'Agreed' });
  await expect(now.getByRole('term')).toHaveText([
    'Reference',
    'Amount',
    'IBAN',
    'Account holder',
    'Bank',
    'City',
  ]);
  await expect(now).toContainText('My account:');
  await expect(now).toContainText('Note: one line alone is a sentence.');
  await expect(now.getByRole('link', { name: 'bank.example' })).toBeVisible();
  await expect(page.locator('.button:not(.quiet)')).toHaveCount(0);
  await page.clock.pauseAt('2026-11-29T13:00:00Z');
  for (const [label, copied] of [
    ['Reference', 'LAP-7F3K'],
    ['Amount', '4100.00'],
    ['IBAN', 'DE00 0000 0000 0000 0000 00'],
  ] as const) {
    const copy = now.getByRole('button', { name: `Copy ${label}` });
    await copy.press('Enter');
    const done = now.getByRole('button', { name: `Copied ${label}` });
    await expect(done).toBeFocused();
    await expect(now.getByRole('status').filter({ hasText: 'Copied' })).toHaveText(`Copied: ${label}`);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied);
    await page.clock.runFor(1_900);
    await expect(done).toBeFocused();
    await page.clock.runFor(100);
    await expect(copy).toBeFocused();
    await expect(now.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(0);
  }
  await page.clock.resume();
  await checkAccessibility('a deal with bank details');
});

test('without a clipboard the text is selected', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await open(page, BY_BANK);
  await page.getByRole('button', { name: 'Copy IBAN' }).click();
  await expect(page.getByRole('button', { name: 'Selected IBAN' })).toBeVisible();
  expect(await page.evaluate(() => String(getSelection()))).toBe('DE00 0000 0000 0000 0000 00');
});

test('what the owner ticks is shown when the buyer comes back, also translated, and no focus is lost', async ({
  page,
}) => {
  const change = await open(page, ACCEPTED);
  await translate(page);
  await page.getByRole('link', { name: 'Pay' }).focus();
  await change({ ...ACCEPTED, deal: PAID });
  await expect(page.getByRole('heading', { name: 'Paid', exact: true })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Pay' })).toHaveCount(0);
  const steps = page.getByRole('region', { name: 'Where it stands' });
  await expect(steps.getByRole('status')).toHaveText('Paid');
  await expect(steps.getByRole('listitem')).toHaveText([
    /^Agreed\s*Nov\s27,\s/,
    /^You paid\s*Nov\s30,\s/,
    `${OWNER} transfers lap.app`,
    /^lap\.app is yours/,
  ]);
  await expect(steps.locator('[aria-current=step]')).toHaveText(`${OWNER} transfers lap.app`);
  const contact = page.getByRole('region', { name: 'Your seller' }).getByRole('link').first();
  await contact.focus();
  await change({ ...ACCEPTED, deal: TRANSFERRED });
  await expect(steps.getByRole('status')).toHaveText('Transferred');
  await expect(contact).toBeFocused();
  await change({ ...ACCEPTED, deal: SOLD });
  await expect(steps.getByRole('status')).toHaveText('lap.app is yours');
  await expect(page.getByRole('region', { name: 'What happens after you paid' })).toHaveCount(0);
  await change(BY_BANK);
  await expect(page.getByRole('button', { name: 'Copy IBAN' })).toBeVisible();
  await change({ ...BY_BANK, deal: PAID });
  await expect(page.getByText('DE00')).toHaveCount(0);
});

test('after a deal fell through there is neither button nor bank data, also on a page that stays open', async ({
  page,
}) => {
  const checkAccessibility = await accessibilityChecker(page);
  let state = ACCEPTED;
  await page.route('**/functions/v1/negotiation', (route) => route.fulfill({ json: state }));
  for (const [agreed, leadOn] of [
    [ACCEPTED, () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))],
    [BY_BANK, () => page.clock.runFor(30_000)],
  ] as const) {
    state = agreed;
    await page.goto('about:blank');
    await page.goto(`/offer/#${TOKEN}`);
    await expect(page.getByText('LAP-7F3K').first()).toBeVisible();
    state = FELL_THROUGH;
    await leadOn();
    await expect(page.getByRole('heading', { name: 'The sale fell through' })).toBeFocused();
    await expect(page.getByText(/please pay nothing/)).toBeVisible();
    await expect(page.locator('main .button')).toHaveCount(0);
    await expect(page.getByText(/LAP-7F3K|IBAN/)).toHaveCount(0);
  }
  await checkAccessibility('fell through');
});

test('the page in German has date and amount in its format, and the owner’s text in its own language', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const checkAccessibility = await accessibilityChecker(page);
  const change = await open(page, ACCEPTED, `/de/offer/#${TOKEN}`);
  const now = page.getByRole('region', { name: 'Vereinbart' });
  await expect(now).toContainText('Zahlbar bis Freitag, 4. Dezember noch 5 Tage');
  const pay = now.getByRole('link', { name: '4.100 $ bezahlen' });
  expect(await pay.evaluate((link) => link.getBoundingClientRect().bottom)).toBeLessThan(400);
  const after = page.getByRole('region', { name: 'Was nach Ihrer Zahlung geschieht' });
  await expect(after.locator('[lang=en]')).toHaveText(/^The owner sees/);
  await checkAccessibility('a deal in German');
  await change({ ...BY_BANK, deal: { ...AGREED, pay_by: '2026-11-28' } });
  await expect(now).toContainText('4.100,00 $');
  await expect(now).toContainText('Zahlbar bis Samstag, 28. November dieser Tag ist vorbei');
});
