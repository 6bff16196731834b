/** Six screens that show the product, each with the state that people come for. */
import type { Browser, Page } from 'playwright';
import { callFunction, makeOffer, openSession } from '../support/calls.ts';
import { HTML_OF_MAILS } from '../support/html-of-mails.ts';
import { ADMIN, type Product } from '../support/product.ts';

const COUNTER = {
  kind: 'counter',
  seen: 1,
  amount: '$9,500',
  note: 'Payment through an escrow service is fine.',
};

/** An offer that the owner countered: its id, and the token of the buyer's link. */
interface Countered {
  readonly offer: string;
  readonly token: string;
}

/** Brings a page into one state. Ends when the state is visible. */
type Screen = (page: Page, product: Product, countered: Countered) => Promise<unknown>;

export const SCREENS: Readonly<Record<string, Screen>> = {
  home: (page, { origin }) => page.goto(origin),
  domain: (page, { port }) => page.goto(`http://lap.app.localhost:${port}`),
  dashboard: async (page, product) => {
    await signIn(page, product.origin);
    await page.getByRole('row').nth(1).waitFor();
  },
  answer: async (page, { origin }, { offer }) => {
    await signIn(page, origin);
    await page.getByRole('table').waitFor();
    await page.goto(`${origin}/admin/dashboard#offer=${offer}`);
    await page.getByRole('region', { name: /^Answer to/ }).waitFor();
  },
  offer: async (page, { origin }, { token }) => {
    await page.goto(`${origin}/offer/#${token}`);
    await page.getByRole('button', { name: `Accept ${COUNTER.amount}` }).waitFor();
  },
  mail: (page) => page.setContent(HTML_OF_MAILS.mail ?? ''),
};

export const VARIANTS = [
  { name: 'wide-light', width: 1280, colorScheme: 'light' },
  { name: 'wide-dark', width: 1280, colorScheme: 'dark' },
  { name: 'narrow-light', width: 390, colorScheme: 'light' },
  { name: 'narrow-dark', width: 390, colorScheme: 'dark' },
] as const;

/** Takes each screen in each variant. `save` gets a name such as `home-wide-light.png` and the picture. */
export async function takeScreens(
  browser: Browser,
  product: Product,
  save: (name: string, picture: Buffer) => void,
  variants: readonly (typeof VARIANTS)[number][] = VARIANTS,
): Promise<void> {
  const countered = await counterOffer(product);
  await makeOffer(product, {
    customer_name: 'Grace Hopper',
    offer_amount: '$8,000',
    message: 'For a bakery.',
  });
  for (const { name: variant, width, colorScheme } of variants) {
    await using context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    for (const [name, open] of Object.entries(SCREENS)) {
      await using page = await context.newPage();
      await open(page, product, countered);
      save(`${name}-${variant}.png`, await page.screenshot({ fullPage: true }));
      await context.clearCookies();
    }
  }
}

/** Signs in, unless the context has a session. */
async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/admin/login`);
  const email = page.getByLabel('Email', { exact: true });
  await email.or(page.getByRole('table')).first().waitFor();
  if (!(await email.isVisible())) return;
  await email.fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

async function counterOffer(product: Product): Promise<Countered> {
  const offer = await makeOffer(product);
  const { access_token } = await openSession(product);
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await callFunction(product, 'negotiation', { offer_id: offer, move: COUNTER }, headers);
  const { link } = (await response.json()) as { link: string };
  return { offer, token: new URL(link).hash.slice(1) };
}
