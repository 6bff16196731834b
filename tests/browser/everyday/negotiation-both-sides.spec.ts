/** From an offer to a yes: the owner in the dashboard, the buyer on the page behind the link. */
import type { Page } from '@playwright/test';
import { startSmtpServer } from '../../../supabase/functions/deliver/fake-smtp-server.ts';
import { eraseAllOffers, makeOffer } from '../../support/calls.ts';
import { expect, holdRequests, rowOf, signIn, test, waitUntilQuiet } from '../fixtures.ts';

const LINK = /https:\/\/lap\.app(\/offer\/#[0-9a-f]{32})/;

/** Opens the row of an offer that Ada made. */
async function openRow(page: Page, origin: string) {
  await signIn(page, origin);
  const row = rowOf(page, 'Ada');
  await row.getByRole('button', { name: /^(?:Answer|Open) the offer of Ada/ }).click();
  return {
    row,
    panel: row.getByRole('region', { name: /^Answer to Ada/ }),
    deal: row.getByRole('region', { name: /^Deal with Ada/ }),
    moves: row.getByRole('region', { name: 'Timeline' }),
  };
}

/** The day so many days from now, as the dashboard writes it. */
function dateIn(days: number): string {
  const options = { month: 'short', day: 'numeric', year: 'numeric' } as const;
  return new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', options);
}

/** The dashboard reads the moves again, as each 10 seconds. */
const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event('visibilitychange')));

test('a counter-offer is mailed, accepted by its link, and agreed on both sides', async ({
  page,
  context,
  startOwnProduct,
}) => {
  await using smtp = await startSmtpServer();
  const { origin, ...product } = await startOwnProduct({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.server.port}`,
      MAIL_FROM: 'offers@example.com',
      MAIL_TO: 'owner@example.com',
    },
  });
  await makeOffer({ origin, ...product });
  const { row, panel, deal, moves } = await openRow(page, origin);
  await panel.getByLabel('Your amount').fill('$14,000');
  await panel.getByLabel('Note').fill('Escrow is fine.');
  await expect(panel).toContainText('Mail to ada@example.com, in English, with the link to answer.');
  await panel.getByText('Decline', { exact: true }).click();
  await expect(panel).toContainText(
    'Mail to ada@example.com, in English, with the link to read this for 14 days.',
  );
  await panel.getByText('Counter', { exact: true }).click();
  const preview = panel.getByRole('group', { name: 'The mail' });
  await expect(preview.locator('b')).toHaveText('Counter-offer for lap.app');
  await expect(preview).toContainText('Escrow is fine.');
  // It ends with a whole line.
  const lines = await preview.evaluate(
    (box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight),
  );
  expect(Math.abs(lines - Math.round(lines))).toBeLessThan(0.1);
  const previewed = await preview.locator('span').textContent();
  await panel.getByRole('button', { name: 'Send' }).click();
  await expect(moves).toContainText(/You countered \$14,000.*valid until .*Escrow is fine\./);
  await expect(row.getByRole('combobox')).toHaveValue('negotiating');
  await expect(row.getByText('Their move, 7 d left')).toBeVisible();
  await expect(moves.getByText(/^Times are [\w ]+ Time\.$/)).toHaveCount(1);
  expect(await moves.textContent()).not.toMatch(/UTC|GMT/);
  await expect(row.getByRole('cell').nth(1)).toContainText(/\$12,000 now \$14,000/);

  const mailTo = (address: string, subject: RegExp) =>
    smtp.mails.find(({ to, parsed }) => to.includes(address) && subject.test(parsed.subject ?? ''));
  await expect.poll(() => mailTo('ada@example.com', /^Counter-offer for lap\.app$/)).toBeDefined();
  const { parsed } = mailTo('ada@example.com', /^Counter/) ?? {};
  expect(parsed?.replyTo?.text).toBe('owner@example.com');
  expect(parsed?.text).toMatch(/Amount: \$14,000\n\nValid until .*\n\nNote:\n> Escrow is fine\.\n/);
  const plain = (text = '') =>
    text
      .replace(/\d{1,2}:\d{2}/, 'time')
      .replace(/#[0-9a-f]{32}/, '#…')
      .replace(/(?:[0-9A-Z]{4}-){6}[0-9A-Z]{3}/, '…')
      .trim();
  expect(plain(parsed?.text), 'as it was shown before').toBe(plain(previewed ?? ''));
  expect(parsed?.text, 'what the buyer typed').not.toMatch(/Ada|12,000/);

  const buyer = await context.newPage();
  await buyer.goto(`${origin}${LINK.exec(parsed?.text ?? '')?.[1]}`);
  await buyer.getByRole('button', { name: 'Accept $14,000' }).click();
  await buyer.getByRole('button', { name: 'Accept $14,000' }).click();
  await expect(buyer.getByRole('region', { name: 'Agreed' })).toContainText('$14,000');
  await expect(buyer.getByText('The owner will write to you about payment and transfer.')).toBeVisible();
  const subject = /^Agreed: \$14,000 for lap\.app$/;
  await expect.poll(() => mailTo('owner@example.com', subject)).toBeDefined();

  await comeBack(page);
  await expect(deal).toContainText(
    /Agreed: \$14,000.*npm run catalogue -- reserve lap\.app && npm run build/,
  );
  await expect(row.getByRole('combobox')).toHaveValue('accepted');
  await expect(row.getByText('Agreed 1 min ago')).toBeVisible();
  await expect(row.getByRole('cell').nth(1)).toContainText(/\$12,000 agreed \$14,000/);

  const takeBack = row.getByRole('button', { name: 'Take back' });
  await takeBack.click();
  await expect(deal).toContainText('Take back your agreement with Ada Lovelace?');
  await expect(deal).toContainText('The buyer gets a mail about it.');
  await deal.getByRole('button', { name: 'Keep the deal' }).click();
  await comeBack(page);
  await expect(deal).toContainText('Agreed: $14,000');
  expect(await moves.textContent()).not.toContain('took the acceptance back');
  await takeBack.click();
  await takeBack.click();
  await expect(moves).toContainText(/You took the acceptance back.* · LAP-\w{4} ended/);
  await expect(panel.getByRole('heading', { name: 'Answer' })).toBeVisible();
});

test('without mail the link is copied, and ends when there is a new one', async ({
  page,
  context,
  pageErrors,
  product,
}) => {
  pageErrors.expect(/404/);
  const { origin } = product;
  await eraseAllOffers(product);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await makeOffer(product);
  const { row, panel, moves } = await openRow(page, origin);
  await panel.getByText('Decline', { exact: true }).click();
  await expect(panel.getByText('No mail is sent: copy the link.')).toBeVisible();
  await panel.getByText('Counter', { exact: true }).click();
  await expect(panel.getByRole('heading', { name: 'Link for the buyer' })).toHaveCount(0);
  const amount = panel.getByLabel('Your amount');
  await expect(amount).toHaveValue('$');
  await panel.getByRole('button', { name: 'Send' }).click();
  expect(await amount.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(
    'Please type an amount.',
  );
  await amount.fill('14,000');
  await panel.getByRole('button', { name: 'Send' }).click();
  await expect(panel.getByRole('alert')).toContainText('“14,000” names no currency.');
  await expect(moves.getByRole('listitem')).toHaveCount(1);
  await amount.fill('$14,000');
  await expect(panel.getByRole('alert')).toHaveCount(0);
  await expect(amount).toHaveAccessibleDescription('$2,000 above the offer, 140 % of asking');
  await panel.getByRole('radio', { name: '14 days' }).check();
  await expect(panel).toContainText(`until ${dateIn(14)}`);
  await panel.getByRole('button', { name: 'Send' }).click();
  await expect(moves).toContainText(`valid until ${dateIn(14)}`);
  await panel.getByRole('button', { name: 'Copy link' }).click();
  const pathOf = async () => LINK.exec(await page.evaluate(() => navigator.clipboard.readText()))?.[1] ?? '';
  await expect.poll(pathOf).not.toBe('');
  const path = await pathOf();
  const mail = await panel.getByRole('link', { name: 'Write mail' }).getAttribute('href');
  expect(decodeURIComponent(mail ?? '')).toContain(path);

  const buyer = await context.newPage();
  await buyer.goto(`${origin}${path}`);
  await buyer.getByRole('button', { name: 'Make another offer' }).click();
  await buyer.getByRole('textbox', { name: 'Your Offer' }).fill('$13,000');
  await buyer.keyboard.press('Enter');
  await expect(buyer.getByRole('heading', { name: 'Your offer is with the owner' })).toBeVisible();
  await comeBack(page);
  await expect(moves).toContainText('Ada Lovelace offered $13,000');

  const release = await holdRequests(page, '**/functions/v1/negotiation');
  await panel.getByRole('button', { name: 'New link' }).click();
  await expect(panel.getByRole('button', { name: 'Copy link' })).toBeDisabled();
  await expect(panel.getByText('Write mail')).not.toHaveAttribute('href');
  release();
  await panel.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(pathOf).not.toBe(path);
  await buyer.getByRole('button', { name: 'Withdraw' }).click();
  await buyer.getByRole('button', { name: 'Withdraw' }).click();
  await expect(buyer.getByRole('heading', { name: 'This link is not valid any more' })).toBeVisible();

  await row.getByRole('combobox').selectOption('rejected');
  await waitUntilQuiet(page);
  await comeBack(page);
  await expect(panel).toContainText('You set the status by hand');
  await expect(moves).toContainText('You closed the offer by its status');
});

test('the buyer’s notes reach the owner, and an offer that the buyer withdrew has its own words and filter', async ({
  page,
  context,
  product,
}) => {
  const { origin } = product;
  await eraseAllOffers(product);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await makeOffer(product);
  const { row, panel, moves } = await openRow(page, origin);
  await panel.getByLabel('Your amount').fill('$14,000');
  await panel.getByRole('button', { name: 'Send' }).click();
  await panel.getByRole('button', { name: 'Copy link' }).click();
  const pathOf = async () => LINK.exec(await page.evaluate(() => navigator.clipboard.readText()))?.[1] ?? '';
  await expect.poll(pathOf).not.toBe('');

  const buyer = await context.newPage();
  await buyer.goto(`${origin}${await pathOf()}`);
  await buyer.getByRole('button', { name: 'Make another offer' }).click();
  await buyer.getByRole('textbox', { name: 'Your Offer' }).fill('$13,000');
  await buyer.getByRole('textbox', { name: 'Note' }).fill('Our budget ends there.');
  await buyer.getByRole('button', { name: 'Send $13,000' }).click();
  await expect(buyer.getByText('Our budget ends there.')).toBeVisible();
  await comeBack(page);
  await expect(moves).toContainText(/Ada Lovelace offered \$13,000.*Our budget ends there\./);

  await buyer.getByRole('button', { name: 'Withdraw' }).click();
  await buyer.getByRole('textbox', { name: 'Note' }).fill('We found another name.');
  await buyer.getByRole('button', { name: 'Withdraw' }).click();
  const again = buyer.getByRole('link', { name: 'Make a new offer for lap.app' });
  await expect(again).toHaveAttribute('href', 'https://lap.app/');
  await comeBack(page);
  await expect(row.getByRole('combobox')).toHaveValue('rejected');
  await expect(row.getByText('Withdrawn by the buyer')).toBeVisible();
  await expect(moves).toContainText(/withdrew the offer.*We found another name\./);
  await page.getByRole('button', { name: 'withdrawn 1' }).click();
  await expect(row).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search offers' }).fill('found another');
  await waitUntilQuiet(page);
  await expect(row).toBeVisible();
});
