import type { Page, Route } from '@playwright/test';
import { codeOf } from '#contract/link-code.ts';
import type { Negotiation } from '#contract/negotiation.ts';
import { accessibilityChecker } from './accessibility/accessibility-checker.ts';
import { expect, holdRequests, scrollsHorizontally } from './fixtures.ts';
import { TOKEN } from './link.ts';
import { OWNER, test } from './shops/seller.ts';
import { transferSizeOf } from './transfer-size.ts';
import { translate } from './translator.ts';

const OFFER = {
  number: 1,
  side: 'buyer',
  kind: 'offer',
  amount: '$3,900',
  at: '2026-11-22T08:14:00Z',
} as const;
const COUNTER = {
  number: 2,
  side: 'owner',
  kind: 'counter',
  amount: '$4,300',
  note: 'Escrow is fine.',
  valid_until: '2100-01-01T12:00:00Z',
  at: '2026-11-22T10:30:00Z',
} as const;
const OPEN: Negotiation = {
  domain: 'lap.app',
  status: 'open',
  seen: 2,
  moves: [OFFER, COUNTER],
  can: ['accept', 'offer', 'withdraw'],
};
const ACCEPT = { number: 3, side: 'buyer', kind: 'accept', at: '2026-11-23T10:30:00Z' } as const;
const ACCEPTED: Negotiation = {
  ...OPEN,
  status: 'accepted',
  seen: 3,
  moves: [...OPEN.moves, ACCEPT],
  can: [],
  closing: '<p>Please transfer <b>$4,300</b>.</p>',
  deal: { reference: 'LAP-7F3K', agreed_at: ACCEPT.at },
};

/** Responds to the page's calls with the last state in `states`. Returns the moves that were sent. */
async function serve(page: Page, states: { now: Negotiation | 'invalid'; after?: Negotiation }) {
  const moves: unknown[] = [];
  await page.route('**/functions/v1/negotiation', async (route) => {
    const { move } = route.request().postDataJSON();
    if (move) {
      moves.push(move);
      states.now = states.after ?? states.now;
    }
    if (states.now !== 'invalid') return route.fulfill({ json: states.now });
    await route.fulfill({ status: 404, json: { error: 'Not valid.', code: 'link_invalid' } });
  });
  return moves;
}

test('a buyer accepts by keyboard after a question, and reads the closing text', async ({ page }) => {
  const moves = await serve(page, { now: OPEN, after: ACCEPTED });
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto(`/offer/#${TOKEN}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your offer for lap.app');
  const now = page.getByRole('region', { name: `${OWNER} asks for`, exact: true });
  await expect(now).toContainText('Escrow is fine.');
  await expect(page.locator('.moves').getByRole('listitem')).toHaveText([
    /^You offered \$3,900/,
    new RegExp(`^${RegExp.escape(OWNER)} countered \\$4,300`),
  ]);
  await checkAccessibility('a counter-offer');
  const accept = page.getByRole('button', { name: 'Accept $4,300' });
  await accept.press('Enter');
  await expect(page.getByText('Accept $4,300 for lap.app?')).toBeVisible();
  await checkAccessibility('the question');
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(accept).toBeFocused();
  // Held: only another press of it answers.
  for (let repeat = 0; repeat < 3; repeat += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(accept).toBeFocused();
  expect(moves).toEqual([]);
  const release = await holdRequests(page, '**/functions/v1/negotiation');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sending...')).toBeVisible();
  // It cannot be called back.
  await page.getByRole('button', { name: 'Back' }).click({ force: true });
  await expect(page.getByText('Sending...')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Agreed', exact: true })).toBeFocused();
  await expect(page.getByText('Please transfer $4,300.')).toBeVisible();
  expect(moves).toEqual([{ kind: 'accept', seen: 2 }]);
  await checkAccessibility('agreed');
});

test.describe('in another time zone', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('times name their zone once, in words, and break nowhere', async ({ page }) => {
    await page.clock.install({ time: '2026-11-24T08:00:00Z' });
    const counter = { ...COUNTER, at: '2026-11-24T07:59:59Z', valid_until: '2026-12-01T07:59:59Z' };
    await serve(page, { now: { ...OPEN, moves: [OFFER, counter] } });
    await page.goto(`/offer/#${TOKEN}`);
    const now = page.locator('.now');
    await expect(now).toContainText('Valid until Tuesday, December 1 at 8:59 AM');
    await expect(now).toContainText('7 days left');
    await expect(page.getByRole('list').locator('time').first()).toHaveText('Nov 22, 9:14 AM');
    for (const time of await page.locator('time').all())
      expect(await time.evaluate((one) => one.getClientRects().length)).toBe(1);
    await expect(page.getByText('Times are Central European Time.')).toHaveCount(1);
    expect(await page.locator('main').textContent()).not.toMatch(/GMT|UTC|CET/);
    await page.goto(`/de/offer/#${TOKEN}`);
    await expect(now).toContainText(/Gültig bis Dienstag, 1\.\sDezember\sum\s0?8:59/);
    await expect(page.getByText('Uhrzeiten: Mitteleuropäische Zeit.')).toBeVisible();
  });
});

test('while the offer is with the owner no button is solid, and the page says who answers by when', async ({
  page,
}) => {
  const WAITING: Negotiation = { ...OPEN, seen: 1, moves: [OFFER], can: ['offer', 'withdraw'] };
  const after = { ...WAITING, seen: 2, moves: [OFFER, { ...OFFER, number: 2, amount: '$4,000' }] };
  const states = { now: { ...WAITING, mails: true, answer_by: '2026-11-24T08:14:00Z' }, after };
  await page.clock.install({ time: '2026-11-22T12:00:00Z' });
  const moves = await serve(page, states);
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto(`/offer/#${TOKEN}`);
  const now = page.getByRole('region', { name: `Your offer is with ${OWNER}` });
  await expect(now).toContainText(`${OWNER} answers by Tuesday, November 24`);
  await expect(now).toContainText('You get an email when the owner answers');
  await expect(page.locator('.button')).toHaveCount(0);
  await checkAccessibility('an offer that waits');
  const another = now.getByRole('button', { name: 'Offer another amount' });
  await another.press('Enter');
  const amount = now.getByRole('textbox', { name: 'Your Offer' });
  await expect(amount).toBeFocused();
  await expect(now.getByText(/replaces/)).toHaveCount(0);
  await now.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(another).toBeFocused();
  await page.keyboard.press('Enter');
  await amount.fill('$4,000');
  await expect(page.locator('.button:not(.second)')).toHaveCount(0);
  await checkAccessibility('another amount');
  await now.getByRole('button', { name: 'Send $4,000' }).click();
  await expect(amount).toHaveCount(0);
  await expect(now, 'without a promise').not.toContainText('answers by');
  await expect(now, 'without mail').toContainText('keep its link');
  expect(moves).toEqual([{ kind: 'offer', seen: 1, amount: '$4,000' }]);
});

test('beside the field of another offer stands that it replaces the owner’s, and a press of every button once changes nothing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const moves = await serve(page, { now: OPEN });
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto(`/offer/#${TOKEN}`);
  await page.getByRole('button', { name: 'Make another offer' }).click();
  const amount = page.getByRole('textbox', { name: 'Your Offer' });
  await expect(amount).toHaveAccessibleDescription('Any amount Your offer replaces the owner’s $4,300.');
  await expect(page.getByText('Your offer replaces the owner’s $4,300.')).toBeVisible();
  await amount.fill('$4,000');
  // Both ways on stay in sight, and one of them is solid.
  await expect(page.locator('.button')).toHaveText(['Accept $4,300', 'Send $4,000']);
  await expect(page.locator('.button:not(.second)')).toHaveText('Accept $4,300');
  await amount.fill('four thousand dollars, if the logo is part of it');
  await expect(page.getByRole('button', { name: 'Send offer' })).toBeVisible();
  expect(await scrollsHorizontally(page)).toBe(false);
  await checkAccessibility('another offer beside a counter-offer');
  // As a scanner does that opens the link and runs its scripts.
  for (const name of ['Withdraw', 'Back', 'Accept $4,300']) await page.getByRole('button', { name }).click();
  await expect(page.getByText('Accept $4,300 for lap.app?')).toBeVisible();
  expect(moves).toEqual([]);
});

test('a note goes with each move and stays with it, also after one of the owner’s that was first, one that is too long is named at its field, and a withdrawn offer leads to a new one', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/400/, /409/);
  const note = 'Our budget ends there.\n<b>Thank you.</b>';
  const newer = { ...OPEN, seen: 3, moves: [...OPEN.moves, { ...COUNTER, number: 3, amount: '$4,200' }] };
  const NEXT = { ...OFFER, number: 4, amount: '$4,000', note };
  const WITHDRAW = { number: 5, side: 'buyer', kind: 'withdraw', at: '2026-11-23T10:30:00Z' } as const;
  const next: Negotiation = { ...newer, seen: 4, moves: [...newer.moves, NEXT], can: ['offer', 'withdraw'] };
  const withdrawn: Negotiation = {
    ...next,
    status: 'withdrawn',
    seen: 5,
    moves: [...next.moves, WITHDRAW],
    can: [],
  };
  const states: Parameters<typeof serve>[1] = { now: OPEN, after: next };
  const moves = await serve(page, states);
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto(`/offer/#${TOKEN}`);
  const history = page.locator('.moves').getByRole('listitem');
  const counter = page.locator('.now').getByText('Escrow is fine.');
  await expect(counter).toBeVisible();
  await expect(history.last(), 'once').not.toContainText('Escrow is fine.');
  await page.getByRole('button', { name: 'Make another offer' }).click();
  await page.getByRole('textbox', { name: 'Your Offer' }).fill('$4,000');
  const field = page.getByRole('textbox', { name: 'Note' });
  await field.fill('a'.repeat(1_001));
  const reject = async (status: number, json: object) => {
    const respond = (route: Route) => route.fulfill({ status, json: { error: 'No.', ...json } });
    await page.route('**/functions/v1/negotiation', respond, { times: 1 });
    await page.getByRole('button', { name: 'Send $4,000' }).click();
  };
  await reject(400, { code: 'too_long', field: 'note' });
  await expect(page.getByRole('alert')).toHaveText('Please shorten the note to 1,000 characters.');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveValue('a'.repeat(1_001));
  await field.fill(note);
  states.now = newer;
  await reject(409, { code: 'moved' });
  await expect(page.getByRole('alert')).toContainText('The owner was first');
  await page.getByRole('button', { name: 'Make another offer' }).click();
  await page.getByRole('button', { name: 'Send $4,000' }).click();
  await expect(history.nth(1)).toContainText('Escrow is fine.');
  await expect(history.nth(3)).toContainText('Our budget ends there. <b>Thank you.</b>');
  states.after = withdrawn;
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Too slow.');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const now = page.getByRole('region', { name: 'You withdrew your offer' });
  await expect(now.getByRole('link', { name: 'Make a new offer for lap.app' })).toHaveAttribute(
    'href',
    'https://lap.app/',
  );
  expect(moves).toEqual([
    { kind: 'offer', seen: 3, amount: '$4,000', note },
    { kind: 'withdraw', seen: 4, note: 'Too slow.' },
  ]);
  await checkAccessibility('a withdrawn offer');
});

test('a translated page shows each state, and a link that dies while it is open', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/404/);
  const states: Parameters<typeof serve>[1] = { now: { ...OPEN, can: ['accept', 'withdraw'] } };
  await page.clock.install({ time: '2099-12-30T11:00:00Z' });
  await serve(page, states);
  await page.goto(`/offer/#${TOKEN}`);
  const headline = page.getByRole('heading', { level: 1 });
  await expect(page.getByText('2 days left')).toBeVisible();
  await translate(page);
  for (const name of ['Accept $4,300', 'Back', 'Withdraw', 'Back', 'Accept $4,300'])
    await page.getByRole('button', { name }).click();
  await page.clock.setFixedTime('2099-12-31T11:00:00Z');
  states.after = { ...OPEN, seen: 3, moves: [...OPEN.moves, { ...COUNTER, number: 3, amount: '$4,200' }] };
  await page.getByRole('button', { name: 'Accept $4,300' }).click();
  await expect(page.getByText('1 day left')).toBeVisible();
  // The days alone change by the clock, before the response.
  await expect(page.getByRole('button', { name: 'Accept $4,200' })).toBeVisible();
  states.after = { ...ACCEPTED, seen: 4 };
  await page.getByRole('button', { name: 'Accept $4,200' }).click();
  await page.getByRole('button', { name: 'Accept $4,200' }).click();
  await expect(headline).toHaveText('Your deal for lap.app');
  await page.evaluate(() => {
    location.hash = 'a'.repeat(32);
  });
  states.now = OPEN;
  await page.evaluate(() => {
    location.hash = 'b'.repeat(32);
  });
  await expect(headline).toHaveText('Your offer for lap.app');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  delete states.after;
  states.now = 'invalid';
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(headline).toHaveText('This link is not valid any more');
});

test('the page in German makes another offer, at 390 pixels, with the owner’s amount in its format and the buyer’s as typed', async ({
  page,
}) => {
  const typed = { ...OFFER, amount: '4100 usd', value: 4100, currency: 'USD' };
  const counter = { ...COUNTER, amount: 'USD 4300', value: 4300, currency: 'USD' };
  const NEXT = { ...OFFER, number: 3, amount: '4.000 €' };
  const now: Negotiation = { ...OPEN, moves: [typed, counter] };
  const after: Negotiation = { ...now, seen: 3, moves: [...now.moves, NEXT], can: ['offer', 'withdraw'] };
  const moves = await serve(page, { now, after });
  const checkAccessibility = await accessibilityChecker(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/de/offer/#${TOKEN}`);
  await expect(page.locator('.moves').getByRole('listitem')).toContainText([
    'Sie haben 4100 usd geboten',
    `Gegenangebot von ${OWNER}: 4.300 $`,
  ]);
  const shown = page.locator('.now').getByText('4.300 $', { exact: true });
  await expect(shown).toHaveText(['4.300 $', '4.300 $']);
  for (const one of await shown.all()) await expect(one).toHaveAttribute('translate', 'no');
  const accept = page.getByRole('button', { name: '4.300 $ annehmen' });
  // A button's layout leaves out spaces beside an element.
  await expect(accept).toHaveText('4.300 $ annehmen', { useInnerText: true });
  await accept.click();
  await expect(page.getByText('4.300 $ für lap.app annehmen?')).toBeVisible();
  await page.getByRole('button', { name: 'Zurück', exact: true }).click();
  await page.getByRole('button', { name: 'Weiteres Angebot machen' }).click();
  const amount = page.getByRole('textbox', { name: 'Ihr Angebot' });
  await expect(amount).toBeFocused();
  await amount.fill('4.000 €');
  await checkAccessibility('another offer');
  await amount.press('Enter');
  await expect(page.getByRole('heading', { name: `Ihr Angebot liegt bei ${OWNER}` })).toBeFocused();
  expect(moves).toEqual([{ kind: 'offer', seen: 2, amount: '4.000 €' }]);
  expect(await scrollsHorizontally(page)).toBe(false);
  await expect(page.getByRole('link', { name: 'English' })).toHaveAttribute(
    'href',
    new RegExp(`/offer/#${TOKEN}$`),
  );
});

test('a link opens with a query of its own and a bracket, and with the token in the query', async ({
  page,
}) => {
  await serve(page, { now: OPEN });
  for (const path of [`/offer/?utm_source=x#%3C${TOKEN.toUpperCase()}%3E`, `/offer/?%23${TOKEN}`]) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Accept $4,300' })).toBeVisible();
    expect(new URL(page.url()).hash, 'as it was sent').toBe(`#${TOKEN}`);
    await expect(page.getByRole('link', { name: 'Deutsch' })).toHaveAttribute(
      'href',
      new RegExp(`/de/offer/#${TOKEN}$`),
    );
  }
});

test('the page of a cut link takes the code of the email', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const calls: unknown[] = [];
  await page.route('**/functions/v1/negotiation', async (route) => {
    calls.push(route.request().postDataJSON());
    await route.fulfill({ json: OPEN });
  });
  const title = page.getByRole('heading', { level: 1 });
  await page.goto('/offer/');
  await expect(title).toHaveText('Your link lost its end');
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto('about:blank');
  await page.goto(`/offer/#${TOKEN.slice(0, 20)}`);
  await expect(title).toHaveText('Your link lost its end');
  await checkAccessibility('a cut link');
  const code = page.getByRole('textbox', { name: 'Code' });
  const typed = codeOf(TOKEN).toLowerCase();
  await code.fill(typed.replace('014d', '015d'));
  await code.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This code has a typing mistake');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('aria-invalid', 'true');
  await checkAccessibility('a mistyped code');
  expect(calls).toEqual([]);
  expect(await scrollsHorizontally(page)).toBe(false);
  await translate(page);
  await code.fill(typed);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { name: `${OWNER} asks for` })).toBeFocused();
  expect(calls).toEqual([{ token: TOKEN }]);
});

test('a dead link names the seller’s contact', async ({ page, pageErrors }) => {
  pageErrors.expect(/404/);
  await serve(page, { now: 'invalid' });
  const checkAccessibility = await accessibilityChecker(page);
  await page.goto(`/offer/#${TOKEN}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is not valid any more');
  await expect(page.getByRole('alert').getByRole('link')).toHaveText('offers@example.com');
  await expect(page.getByRole('link', { name: 'offers@example.com' }), 'once').toHaveCount(1);
  await checkAccessibility('a dead link');
});

test('the link is read once, while the page’s scripts are still loaded', async ({ page }) => {
  const reads: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/negotiation')) reads.push(request.postDataJSON());
  });
  await serve(page, { now: OPEN });
  const release = await holdRequests(page, '**/_astro/*.js');
  const response = page.waitForResponse('**/functions/v1/negotiation');
  await page.goto(`/offer/#${TOKEN}`, { waitUntil: 'commit' });
  await response;
  await expect(page.getByRole('status')).toHaveText('Loading your offer…');
  release();
  await expect(page.getByRole('button', { name: 'Accept $4,300' })).toBeVisible();
  expect(reads).toEqual([{ token: TOKEN }]);
});

test('a script that cannot be loaded leaves a message, and a press loads the page again', async ({
  page,
  pageErrors,
}) => {
  pageErrors.expect(/Failed to load resource/);
  await serve(page, { now: OPEN });
  await page.route('**/_astro/react.*.js', (route) => route.abort('connectionfailed'));
  await page.goto(`/offer/#${TOKEN}`);
  await expect(page.getByRole('alert')).toContainText('could not be loaded. Please check your connection');
  await page.unroute('**/_astro/react.*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Accept $4,300' })).toBeVisible();
});

test('the buyer’s page has at most 9 KB, and no more script than the form', async ({ page, shop }) => {
  await serve(page, { now: OPEN });
  const scriptsOf = async (path: string, act: () => Promise<unknown>) => {
    const urls = new Set<string>();
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js')) urls.add(pathname);
    });
    await page.goto(path);
    await act();
    page.removeAllListeners('request');
    const sizes = await Promise.all([...urls].map((url) => transferSizeOf(shop, url)));
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  const buyers = await scriptsOf(`/offer/#${TOKEN}`, () =>
    expect(page.getByRole('button', { name: 'Accept' })).toBeVisible(),
  );
  const form = await scriptsOf('/sites/lap.app/', async () => {
    await page.getByLabel('Your Offer').fill('1');
    await expect(page.locator('button[type=submit]')).toBeEnabled();
  });
  const html = await transferSizeOf(shop, '/offer/');
  const figures = `page ${html} bytes, script ${buyers} (form ${form})`;
  console.log(figures);
  expect(html, figures).toBeLessThanOrEqual(9_000);
  expect(buyers, figures).toBeLessThanOrEqual(form);
});
