/**
 * The README's pictures, made from the demo's names and offers: a film of one sale from the offer to the transfer, on real
 * screens and with the mails that the product sent, and a still of a page and of the dashboard.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ParsedMail } from 'mailparser';
import type { Browser, Locator, Page } from 'playwright';
import sharp from 'sharp';
import { addDemoOffers, DEMO_CATALOGUE } from '../../commands/demo/demo-offers.ts';
import { withProject } from '../../server/embedded/with-project.ts';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { newDataFolder } from '../support/booted-data-folder.ts';
import { ADMIN, copyOfBuiltProject, startProductProcess } from '../support/product.ts';
import { waitUntil } from '../support/terminal.ts';

const WIDTH = 1120;
const HEIGHT = 700;
const CAPTION_HEIGHT = 56;
const WIDE = { width: WIDTH, height: HEIGHT - CAPTION_HEIGHT };
const STILL = { width: 1280, height: 760 };
/** As high as its screens in the film, so that no line is cut. */
const PHONE = { width: 390, height: 780 };
/** Of a phone in a frame. */
const PHONE_SHOWN = 290;
/** Of the table's head, which stays above the rows. */
const HEAD_HEIGHT = 52;
/** READMEs show it at some 800 pixels: more of them for displays with small ones. */
const SCALE = 1.25;
/** 15 s together. */
const FRAME_MS = 2_000;
const LAST_FRAME_MS = 3_000;

const NAME = 'tidepool.app';
const BUYER = { offer: '$4,000', name: 'Maya Torres', email: 'maya@torres-diving.example' };
const COUNTER = '$4,500';
const LINK = /\/offer\/#[0-9a-f]{32}/;

/**
 * Plays the story once and writes the pictures.
 * @param pictures folder of `offer.webp`, `page.webp` and `dashboard.webp`
 * @param folder where each frame is written, too, to be looked at
 * @param effort of the compression, at most 6: without it, the pictures are larger
 */
export async function makeFilm(
  browser: Browser,
  pictures: string,
  folder: string,
  effort = 6,
): Promise<{ frames: number; bytes: number }> {
  await using smtp = await startSmtpServer();
  const { folder: project, remove } = copyOfBuiltProject();
  mkdirSync(join(project, 'own'));
  copyFileSync(DEMO_CATALOGUE, join(project, 'own/catalogue.yaml'));
  const dataDir = newDataFolder();
  // Before the start, which reads the amounts of offers.
  await withProject({ dataDir, supabase: undefined }, (one) => addDemoOffers(one, dataDir));
  const product = await startProductProcess({
    project,
    dataDir,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.server.port}`,
      MAIL_FROM: 'Your names <offers@example.com>',
      MAIL_TO: ADMIN.email,
      SITE_URL: 'https://names.example.com',
    },
  });
  const look = {
    deviceScaleFactor: SCALE,
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  } as const;
  await using wide = await browser.newContext({ ...look, viewport: WIDE });
  await using phone = await browser.newContext({ ...look, viewport: PHONE });
  const [visitor, owner, mail, editor] = [
    await wide.newPage(),
    await wide.newPage(),
    await wide.newPage(),
    await wide.newPage(),
  ];
  const [buyer, buyersMail] = [await phone.newPage(), await phone.newPage()];
  await editor.setViewportSize({ width: WIDTH, height: HEIGHT });
  const frames: Buffer[] = [];
  const take = async (caption: string, ...screens: Buffer[]) => {
    await editor.setContent(frameOf(caption, screens));
    frames.push(await editor.screenshot({ path: join(folder, `film-${frames.length + 1}.png`) }));
  };
  const openMail = async (page: Page, address: string, subject: RegExp) => {
    const find = () =>
      smtp.mails.find(({ to, parsed }) => to.includes(address) && subject.test(parsed.subject ?? ''));
    await waitUntil(() => find() !== undefined, product.log());
    const { parsed } = find() ?? {};
    if (!parsed) throw new Error(`no mail to ${address}`);
    await page.setContent(headOf(parsed) + parsed.html);
    return parsed;
  };

  try {
    const site = `http://${NAME}.localhost:${product.port}`;
    await visitor.goto(site);
    await writeStill(visitor, join(pictures, 'page.webp'), effort);
    await take('A visitor opens one of your names …', await visitor.screenshot());
    await buyer.goto(site);
    const opened = await buyer.screenshot();
    await fillIn(buyer, BUYER);
    const filled = await buyer.screenshot();
    await buyer.getByRole('button', { name: 'Submit Offer' }).click();
    await scrollTo(buyer.getByText('Offer Submitted!'), 28);
    await take('… and makes an offer, here on a phone', opened, filled, await buyer.screenshot());

    await openMail(mail, ADMIN.email, new RegExp(NAME));
    await take('You get a mail', await mail.screenshot());
    await owner.goto(`${product.origin}/admin/login`);
    await owner.getByLabel('Email').fill(ADMIN.email);
    await owner.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await owner.getByRole('button', { name: 'Sign In' }).click();
    const row = owner.getByRole('row').filter({ hasText: BUYER.name });
    await row.waitFor();
    await writeStill(owner, join(pictures, 'dashboard.webp'), effort);
    await owner.getByRole('button', { name: new RegExp(`^Answer the offer of ${BUYER.name}`) }).click();
    const panel = owner.getByRole('region', { name: new RegExp(`^Answer to ${BUYER.name}`) });
    await panel.getByLabel('Your amount').fill(COUNTER);
    await panel.getByRole('group', { name: 'The mail' }).getByText('Amount').waitFor();
    await scrollTo(row, HEAD_HEIGHT);
    await take('You make a counter-offer in the dashboard', await owner.screenshot());
    await panel.getByRole('button', { name: 'Send' }).click();

    const counter = await openMail(buyersMail, BUYER.email, /^Counter-offer/);
    const read = await buyersMail.screenshot();
    await buyer.goto(site + LINK.exec(counter.text ?? '')?.[0]);
    const accept = buyer.getByRole('button', { name: `Accept ${COUNTER}` });
    await accept.waitFor();
    const answer = await buyer.screenshot();
    await accept.click();
    await accept.click();
    await buyer.getByRole('heading', { name: 'Agreed', exact: true }).waitFor();
    await take('The buyer follows the link in the mail, and accepts', read, answer, await buyer.screenshot());

    await row.getByRole('button', { name: `Reserve ${NAME}` }).click();
    await row.getByText('· reserved').waitFor();
    await scrollTo(row, HEAD_HEIGHT);
    await take('Agreed: both of you see the steps that follow', await owner.screenshot());
    for (const step of ['paid', 'transferred', 'sold']) {
      await row.getByRole('button', { name: `Mark as ${step}`, exact: true }).click();
      await row.getByRole('button', { name: `Undo: Mark as ${step}` }).waitFor();
    }
    await row.getByText('· sold on your pages').waitFor();
    await row.getByRole('button', { name: /^Undo/ }).waitFor({ state: 'hidden' });
    await scrollTo(row, HEAD_HEIGHT);
    await take('Paid, transferred, sold: nothing goes to a marketplace', await owner.screenshot());
  } finally {
    await product.stop();
    remove();
    rmSync(dataDir, { recursive: true });
  }
  const delay = frames.map((_, at) => (at === frames.length - 1 ? LAST_FRAME_MS : FRAME_MS));
  // With fewer colours, it has 20 % fewer bytes.
  const plain = await Promise.all(
    frames.map((frame) => sharp(frame).png({ palette: true, colours: 64, dither: 0 }).toBuffer()),
  );
  const { size } = await sharp(plain, { join: { animated: true } })
    .webp({ lossless: true, effort, delay, loop: 0 })
    .toFile(join(pictures, 'offer.webp'));
  return { frames: frames.length, bytes: size };
}

async function writeStill(page: Page, file: string, effort: number): Promise<void> {
  await page.setViewportSize(STILL);
  await page.mouse.move(0, 0);
  await sharp(await page.screenshot())
    .webp({ lossless: true, effort })
    .toFile(file);
  await page.setViewportSize(WIDE);
}

/** @param top where it is then, from the top of the screen */
async function scrollTo(element: Locator, top: number): Promise<void> {
  await element.evaluate((one, to) => scrollBy(0, one.getBoundingClientRect().top - to), top);
}

/** Fills the form in and waits for the bot check. */
async function fillIn(page: Page, { offer, name, email }: typeof BUYER): Promise<void> {
  await page.getByRole('textbox', { name: 'Your Offer' }).fill(offer);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Submit Offer', disabled: false }).waitFor();
}

/** What a mail program shows above a mail. */
function headOf({ subject, headerLines }: ParsedMail): string {
  const lines = headerLines.filter(({ key }) => ['from', 'to'].includes(key)).map(({ line }) => line);
  return `<meta name="viewport" content="width=device-width">
    <div style="padding:16px 0;margin-bottom:24px;font:15px/24px system-ui;color:#555;border-bottom:1px solid #ddd">
    <b style="font-size:20px;line-height:32px;color:#111">${subject}</b>
    ${lines.map((line) => `<br>${line.replaceAll('<', '&lt;')}`).join('')}</div>`;
}

/** A frame: the caption above one wide screen, which fades where it goes on, or above several of a phone. */
function frameOf(caption: string, screens: readonly Buffer[]): string {
  const pictures = screens.map((screen) => `<img src="data:image/png;base64,${screen.toString('base64')}">`);
  return `<!doctype html><style>
      body { margin: 0; color: #fff; background: #141317 }
      p { margin: 0 32px; font: 600 22px/${CAPTION_HEIGHT}px system-ui }
      div { display: flex; justify-content: center; align-items: center; gap: 40px; height: ${WIDE.height}px }
      img { display: block; width: ${screens.length === 1 ? WIDTH : PHONE_SHOWN}px }
      div:has(:only-child) { background: #f7f6f3 }
      img:only-child { mask: linear-gradient(#000 calc(100% - 56px), transparent) }
      img:not(:only-child) { border-radius: 20px }
    </style><p>${caption}</p><div>${pictures.join('')}</div>`;
}
