/** The buyer's side of a deal, from a yes to sold, on the running product. */
import type { DealChange, Negotiation } from '#contract/negotiation.ts';
import { callFunction, makeOffer, openSession } from '../support/calls.ts';
import { expect } from './fixtures.ts';
import { testWithShop } from './test-with-shop.ts';

const test = testWithShop({
  name: 'deals',
  catalogue: {
    settings: {
      owner: 'Ada Example',
      contact: 'ada@example.com',
      checkout: 'https://pay.ada.example/?amount={amount}&currency={currency}&reference={reference}',
      closing: { en: 'Please pay:\n\n- IBAN: DE00 0000 0000 0000 0000 00\n- Reference: {reference}' },
      payDays: 7,
    },
    domains: [{ name: 'lap.app', price: '$15,000' }],
  },
});

test('a buyer accepts, sees where to pay, then that it is paid, transferred and sold', async ({
  page,
  shop,
}) => {
  const offer_id = await makeOffer(shop);
  const { access_token } = await openSession(shop);
  const asOwner = async (body: object): Promise<Negotiation> => {
    const headers = { authorization: `Bearer ${access_token}` };
    const response = await callFunction(shop, 'negotiation', { offer_id, ...body }, headers);
    const state = await response.json();
    expect(response.status, JSON.stringify(state)).toBe(200);
    return state;
  };
  const countered = await asOwner({ move: { kind: 'counter', seen: 1, amount: '$14,000' } });
  await page.goto(`/offer/${new URL(countered.link ?? '').hash}`);
  await page.getByRole('button', { name: 'Accept $14,000' }).click();
  await page.getByRole('button', { name: 'Accept $14,000' }).click();

  const agreed = page.getByRole('region', { name: 'Agreed' });
  await expect(page.getByRole('heading', { name: 'Agreed', exact: true })).toBeFocused();
  const { deal } = await asOwner({});
  const { reference = '' } = deal ?? {};
  await expect(agreed).toContainText(/Pay by [A-Z]\w+day, [A-Z]\w+\s\d+ [67] days left/);
  const pay = agreed.getByRole('link', { name: 'Pay $14,000' });
  const url = `https://pay.ada.example/?amount=14000&currency=USD&reference=${reference}`;
  await expect(pay).toHaveAttribute('href', url);
  await expect(agreed).toContainText(
    `Opens pay.ada.example. Amount and reference ${reference} are filled in there.`,
  );
  await expect(agreed.getByText('IBAN')).toHaveCount(0);
  await expect(
    page.getByRole('region', { name: 'What happens after you paid' }).getByRole('listitem'),
  ).toHaveCount(6);

  let seen = deal?.seen ?? 0;
  const comeBack = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const change = async (next: Pick<DealChange, 'field'> & { to: unknown }) => {
    const state = await asOwner({ deal: { reference, seen, ...next } });
    seen = state.deal?.seen ?? seen;
    await comeBack();
  };
  await change({ field: 'way', to: 'closing' });
  await expect(agreed.getByRole('button', { name: 'Copy IBAN' })).toBeVisible();
  await expect(agreed.getByRole('term')).toHaveText(['Reference', 'Amount', 'IBAN']);
  await expect(pay).toHaveCount(0);
  await change({ field: 'way', to: 'template' });
  await expect(pay).toBeVisible();

  await pay.focus();
  await change({ field: 'paid', to: true });
  await expect(page.getByRole('heading', { name: 'Paid', exact: true })).toBeFocused();
  await expect(pay).toHaveCount(0);
  const steps = page.getByRole('region', { name: 'Where it stands' });
  await expect(steps.locator('[aria-current=step]')).toHaveText('Ada Example transfers lap.app');
  await change({ field: 'transferred', to: true });
  await expect(steps.getByRole('listitem').nth(2)).toHaveText(
    /^Ada Example transferred lap\.app\s*\w+\s\d+,/,
  );
  await change({ field: 'sold', to: true });
  await expect(page.getByRole('region', { name: 'lap.app is yours' })).toContainText('$14,000');
  await expect(page.locator('.button')).toHaveCount(0);

  const taken = await asOwner({});
  await asOwner({
    move: { kind: 'take_back', seen: taken.seen, deal_seen: seen, as: 'rejected', note: 'It fell through.' },
  });
  await comeBack();
  await expect(page.getByRole('heading', { name: 'The sale fell through' })).toBeVisible();
  await expect(page.getByText(reference)).toHaveCount(0);
});
