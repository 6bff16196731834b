/**
 * The README's moving picture: an offer from the form to an agreement, on real screens and with the mails that the product
 * sent.
 */
import { join } from 'node:path';
import type { ParsedMail } from 'mailparser';
import type { Browser, Page } from 'playwright';
import sharp from 'sharp';
import { startSmtpServer } from '../../supabase/functions/deliver/fake-smtp-server.ts';
import { ADMIN, startProduct } from '../support/product.ts';
import { waitUntil } from '../support/terminal.ts';

const WIDTH = 1120;
const HEIGHT = 700;
const CAPTION_HEIGHT = 56;
/** READMEs show it at some 800 pixels: twice as many for displays with small ones. */
const SCALE = 1.5;
const FRAME_MS = 2_400;
const LAST_FRAME_MS = 4_000;

const BUYER = { offer: '$8,000', name: 'Ada Lovelace', email: 'ada@example.com' };
const COUNTER = '$9,500';
const LINK = /\/offer\/#[0-9a-f]{32}/;

/**
 * Plays the story once and writes the picture.
 * @param file the picture
 * @param folder where each frame is written, too, to be looked at
 */
export async function makeFilm(
  browser: Browser,
  file: string,
  folder: string,
): Promise<{ frames: number; bytes: number }> {
  await using smtp = await startSmtpServer();
  const product = await startProduct({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.server.port}`,
      MAIL_FROM: 'Your names <offers@example.com>',
      MAIL_TO: ADMIN.email,
      SITE_URL: 'https://names.example.com',
    },
  });
  await using context = await browser.newContext({
    viewport: { width: WIDTH, height: HEIGHT - CAPTION_HEIGHT },
    deviceScaleFactor: SCALE,
    colorScheme: 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  const frames: Buffer[] = [];
  const [buyer, owner, mail, editor] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ];
  await editor.setViewportSize({ width: WIDTH, height: HEIGHT });
  const take = async (page: Page, caption: string) => {
    const screen = (await page.screenshot()).toString('base64');
    await editor.setContent(frameOf(caption, screen));
    frames.push(await editor.screenshot({ path: join(folder, `film-${frames.length + 1}.png`) }));
  };
  const openMail = async (address: string, subject: RegExp) => {
    const find = () =>
      smtp.mails.find(({ to, parsed }) => to.includes(address) && subject.test(parsed.subject ?? ''));
    await waitUntil(() => find() !== undefined, product.log());
    const { parsed } = find() ?? {};
    if (!parsed) throw new Error(`no mail to ${address}`);
    await mail.setContent(headOf(parsed) + parsed.html);
    return parsed;
  };

  try {
    const site = `http://lap.app.localhost:${product.port}`;
    await buyer.goto(site);
    await take(buyer, 'A visitor opens one of your names …');
    await fillIn(buyer, BUYER);
    await take(buyer, '… and makes an offer');
    await buyer.getByRole('button', { name: 'Submit Offer' }).click();
    await buyer.getByText('Offer Submitted!').waitFor();
    await take(buyer, 'The offer is stored on your server');

    await openMail(ADMIN.email, /lap\.app/);
    await take(mail, 'You get a mail');
    await owner.goto(`${product.origin}/admin/login`);
    await owner.getByLabel('Email').fill(ADMIN.email);
    await owner.getByLabel('Password', { exact: true }).fill(ADMIN.password);
    await owner.getByRole('button', { name: 'Sign In' }).click();
    await owner.getByRole('button', { name: /^Answer the offer of Ada/ }).click();
    const panel = owner.getByRole('region', { name: /^Answer to Ada/ });
    const row = owner.getByRole('row').filter({ hasText: 'Ada' });
    // The head of the table stays above it.
    const scrollToRow = () => row.evaluate((one) => scrollBy(0, one.getBoundingClientRect().top - 52));
    await panel.getByLabel('Your amount').fill(COUNTER);
    await panel.getByRole('group', { name: 'The mail' }).getByText('Amount').waitFor();
    await scrollToRow();
    await take(owner, 'You make a counter-offer in the dashboard');
    await panel.getByRole('button', { name: 'Send' }).click();

    const counter = await openMail(BUYER.email, /^Counter-offer/);
    await take(mail, 'The buyer gets it by mail, with a link');
    await buyer.goto(site + LINK.exec(counter.text ?? '')?.[0]);
    const accept = buyer.getByRole('button', { name: `Accept ${COUNTER}` });
    await accept.waitFor();
    await take(buyer, 'The buyer can accept, make another offer or withdraw');
    await accept.click();
    await accept.click();
    await buyer.getByRole('heading', { name: 'Agreed', exact: true }).waitFor();
    await take(buyer, 'Accepted');
    await row.getByText(`Agreed: ${COUNTER}`).waitFor();
    await scrollToRow();
    await take(owner, 'Agreed: payment and transfer are between the two of you');
  } finally {
    await product.stop();
  }
  const delay = frames.map((_, at) => (at === frames.length - 1 ? LAST_FRAME_MS : FRAME_MS));
  const { size } = await sharp(frames, { join: { animated: true } })
    .webp({ lossless: true, effort: 6, delay, loop: 0 })
    .toFile(file);
  return { frames: frames.length, bytes: size };
}

/** Fills the form in and waits for the bot check. */
async function fillIn(page: Page, { offer, name, email }: typeof BUYER): Promise<void> {
  await page.getByLabel('Your Offer').fill(offer);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Submit Offer', disabled: false }).waitFor();
}

/** What a mail program shows above a mail. */
function headOf({ subject, headerLines }: ParsedMail): string {
  const lines = headerLines.filter(({ key }) => ['from', 'to'].includes(key)).map(({ line }) => line);
  return `<div style="padding:16px 0;margin-bottom:24px;font:15px/24px system-ui;color:#555;border-bottom:1px solid #ddd">
    <b style="font-size:20px;line-height:32px;color:#111">${subject}</b>
    ${lines.map((line) => `<br>${line.replaceAll('<', '&lt;')}`).join('')}</div>`;
}

/** A frame: the caption above the screen. */
function frameOf(caption: string, screen: string): string {
  return `<!doctype html><style>
      body { margin: 0; color: #fff; background: #141317 }
      p { margin: 0 32px; font: 600 22px/${CAPTION_HEIGHT}px system-ui }
      img { display: block; width: ${WIDTH}px }
    </style><p>${caption}</p><img src="data:image/png;base64,${screen}">`;
}
