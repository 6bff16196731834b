import type { Page } from 'playwright';
import { signIn } from './admin-pages.ts';
import type { Stage } from './scene.ts';
import { fillIn } from './storefront.ts';

/** From the oldest to the newest, with the status that the administrator gives it. */
const OFFERS = [
  { domain: 'sample.app', offer: '$14,000', name: 'Grace Hopper', status: 'accepted' },
  {
    domain: 'site.example',
    offer: '3,500 € if it can be this week',
    name: 'Jean-Baptiste Grenouille',
    status: 'pending',
  },
  { domain: 'host.example', offer: '$9,000', name: 'Barbara Liskov', status: 'rejected' },
  { domain: 'lap.app', offer: '£8,200', name: 'Alan Turing', status: 'negotiating' },
] as const;

/** Fills the dashboard with realistic offers, made through the form. */
export async function makeOffers(page: Page, stage: Stage): Promise<void> {
  for (const { domain, offer, name } of OFFERS) {
    await page.goto(`http://${domain}.localhost:${stage.product.port}`);
    await fillIn(page, { offer, name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` });
    await page.getByRole('button', { name: 'Submit Offer' }).click();
    await page.getByText('Offer Submitted!').waitFor();
  }
  await signIn(page, stage);
  for (const [row, { status }] of OFFERS.toReversed().entries()) {
    if (status === 'pending') continue;
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('table').getByRole('combobox').nth(row).selectOption(status);
    await saved;
  }
}
