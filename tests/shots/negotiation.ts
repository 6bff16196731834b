import type { Page } from 'playwright';
import { callFunction, makeOffer, openSession } from '../support/calls.ts';
import { signIn } from './admin-pages.ts';
import type { Scene, Stage } from './scene.ts';

const COUNTER = {
  kind: 'counter',
  seen: 1,
  amount: '$14,000',
  note: 'Payment through an escrow service is fine.',
};

/** An offer on the way to a yes: the owner's panel, and the page behind the buyer's link. */
export const NEGOTIATION: Record<string, Scene> = {
  'dashboard-answer': async (page, stage) => {
    await openPanel(page, stage, (await prepared(stage)).received);
    await page.getByLabel('Your amount').fill('$14,000');
  },
  'dashboard-answer-mail': async (page, stage) => {
    await showMail(page);
    await openPanel(page, stage, (await prepared(stage)).received);
    await page.getByLabel('Your amount').fill('14,000');
    await page.getByRole('group', { name: 'The mail' }).getByText('Amount').waitFor();
  },
  'dashboard-agreed': async (page, stage) => {
    await openPanel(page, stage, (await prepared(stage)).accepted.offer);
    await page.getByText('Agreed: $14,000').waitFor();
  },
  'buyer-countered': openCountered,
  'buyer-asks': async (page, stage) => {
    await openCountered(page, stage);
    await page.getByRole('button', { name: 'Accept $14,000' }).click();
  },
  'buyer-offers': async (page, stage) => {
    await openCountered(page, stage);
    await page.getByRole('button', { name: 'Make another offer' }).click();
    await page.getByRole('textbox', { name: 'Your new offer' }).fill('$13,500');
  },
  'buyer-accepted': async (page, stage) => {
    await openLink(page, stage, (await prepared(stage)).accepted.token);
    await page.getByRole('heading', { name: 'Accepted: $14,000' }).waitFor();
  },
  'buyer-link-not-valid': async (page, stage) => {
    await openLink(page, stage, '0'.repeat(32));
    await page.getByRole('heading', { name: 'This link is not valid any more' }).waitFor();
  },
};

/** As if the product sent mails: the pictures' product has no mail server. */
async function showMail(page: Page): Promise<void> {
  await page.route('**/functions/v1/negotiation', async (route) => {
    const { preview, ...body } = route.request().postDataJSON();
    const response = await route.fetch({ postData: body });
    const text = `Counter-offer for lap.app.\n\nAmount: ${preview?.amount}\n\nhttps://lap.app/offer/#…\n`;
    const mail = { subject: 'Counter-offer for lap.app', text: text.repeat(3) };
    await route.fulfill({
      response,
      json: { ...(await response.json()), mails: true, ...(preview && { mail }) },
    });
  });
}

async function openPanel(page: Page, stage: Stage, offer: string): Promise<void> {
  await signIn(page, { ...stage, product: stage.priced });
  await page.getByRole('table').waitFor();
  await page.goto(`${stage.priced.origin}/admin/dashboard#offer=${offer}`);
  await page.getByRole('region', { name: /^Answer to/ }).waitFor();
}

async function openLink(page: Page, { priced }: Stage, token: string): Promise<void> {
  await page.goto(`${priced.origin}/offer/#${token}`);
}

async function openCountered(page: Page, stage: Stage): Promise<void> {
  await openLink(page, stage, (await prepared(stage)).countered.token);
  await page.getByRole('button', { name: 'Accept $14,000' }).waitFor();
}

const offersOf = new WeakMap<Stage, ReturnType<typeof prepare>>();

/** One offer for each state: every picture shows the same, and the sender's limits are not reached. */
function prepared(stage: Stage) {
  const offers = offersOf.get(stage) ?? prepare(stage);
  offersOf.set(stage, offers);
  return offers;
}

async function prepare(stage: Stage) {
  const received = await makeOffer(stage.priced);
  const countered = await counterOffer(stage);
  const accepted = await counterOffer(stage);
  await negotiate(stage, { token: accepted.token, move: { kind: 'accept', seen: 2 } });
  return { received, countered, accepted };
}

/** A new offer, countered by the owner. */
async function counterOffer(stage: Stage) {
  const offer = await makeOffer(stage.priced);
  const { access_token } = await openSession(stage.priced);
  const { link } = await negotiate(
    stage,
    { offer_id: offer, move: COUNTER },
    { authorization: `Bearer ${access_token}` },
  );
  return { offer, token: new URL(link).hash.slice(1) };
}

async function negotiate({ priced }: Stage, body: object, headers = {}) {
  const response = await callFunction(priced, 'negotiation', body, headers);
  const negotiation = await response.json();
  if (!response.ok) throw new Error(`The move was rejected: ${JSON.stringify(negotiation)}`);
  return negotiation;
}
