/**
 * Measures a domain's page before and after the first contact, and the same page as plain HTML: over loopback, and on a
 * phone (processor 4× slower, Lighthouse's slow 4G).
 */
import type { Browser, Page } from 'playwright';
import { startProductProcess } from '../tests/support/product.ts';
import { withBrowser } from './browser.ts';
import { atMost, median, type Row, ratioAtMost } from './rows.ts';
import { serveFolder } from './serve-folder.ts';
import { type Network, PHONE, type Visit, visit } from './visit.ts';

/** Visits of each page, alternating, so that load on the machine affects all. Medians of nine visits differed by 25 %. */
const ROUNDS = 15;
/** More visits on a phone: first paints of one page vary by more than the pages differ. */
const PHONE_ROUNDS = 25;
/** Decimal, the stricter of the two definitions. */
const KILOBYTE = 1000;

type Name = 'ours' | 'plain';

export async function measurePage(): Promise<Row[]> {
  const product = await startProductProcess();
  const plain = await serveFolder('bench/peers/plain');
  const urls = { ours: `http://lap.app.localhost:${product.port}/`, plain: `${plain.origin}/` };
  try {
    return await withBrowser(async (browser) => {
      const slow4 = await visitAlternately(browser, urls, 4);
      const slow10 = await visitAlternately(browser, urls, 10);
      const phone = await visitAlternately(browser, urls, 4, { rounds: PHONE_ROUNDS, network: PHONE });
      const touched = await visit(browser, urls.ours, { slowdown: 1, afterwards: touchForm });
      return rowsOf(slow4, slow10, phone, touched);
    });
  } finally {
    plain.close();
    await product.stop();
  }
}

type Visits = Record<Name, Visit[]>;

async function visitAlternately(
  browser: Browser,
  urls: Record<Name, string>,
  slowdown: number,
  { rounds = ROUNDS, network }: { rounds?: number; network?: Network } = {},
): Promise<Visits> {
  const visits: Visits = { ours: [], plain: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['ours', 'plain'] as const)
      visits[name].push(await visit(browser, urls[name], { slowdown, network }));
  }
  return visits;
}

/** The first contact with the form loads all scripts: the islands and the bot check's worker. */
async function touchForm(page: Page): Promise<void> {
  await page.getByLabel('Your Offer').focus();
  await page.getByRole('button', { name: 'Submit Offer' }).and(page.locator(':enabled')).waitFor();
}

function rowsOf(slow4: Visits, slow10: Visits, phone: Visits, touched: Visit): Row[] {
  const medianOf = (visits: Visits, name: Name, field: keyof Visit) =>
    median(visits[name].map((one) => one[field]));
  const plain = (visits: Visits, field: keyof Visit) => ({
    name: 'plain',
    value: medianOf(visits, 'plain', field),
  });
  const area = 'page';
  return [
    {
      area,
      what: 'bytes before contact, compressed',
      ours: medianOf(slow4, 'ours', 'bytes'),
      peer: plain(slow4, 'bytes'),
      goal: atMost(9 * KILOBYTE),
    },
    {
      area,
      what: 'requests before contact',
      ours: medianOf(slow4, 'ours', 'requests'),
      peer: plain(slow4, 'requests'),
      goal: atMost(2),
    },
    {
      area,
      what: 'script files before contact, bytes',
      ours: medianOf(slow4, 'ours', 'scriptBytes'),
      peer: plain(slow4, 'scriptBytes'),
      goal: atMost(0),
    },
    {
      area,
      what: 'first paint, processor 4× slower, ms',
      ours: medianOf(slow4, 'ours', 'firstPaint'),
      peer: plain(slow4, 'firstPaint'),
      goal: ratioAtMost(1.05),
    },
    {
      area,
      what: 'first paint on a phone, ms',
      ours: medianOf(phone, 'ours', 'firstPaint'),
      peer: plain(phone, 'firstPaint'),
      goal: ratioAtMost(1.05),
    },
    {
      area,
      what: 'largest paint on a phone, ms',
      ours: medianOf(phone, 'ours', 'largestPaint'),
      peer: plain(phone, 'largestPaint'),
      goal: ratioAtMost(1.05),
    },
    {
      area,
      what: 'largest paint after the first, ms',
      ours: median(slow4.ours.map((one) => one.largestPaint - one.firstPaint)),
      goal: atMost(0),
      note: `each visit: ${slow4.ours.map((one) => Math.round(one.largestPaint - one.firstPaint)).join(', ')}; plain ${slow4.plain.map((one) => Math.round(one.largestPaint - one.firstPaint)).join(', ')}`,
    },
    { area, what: 'layout shift', ours: Math.max(...slow4.ours.map(({ shift }) => shift)), goal: atMost(0) },
    {
      area,
      what: 'blocked at 4×, ms',
      ours: medianOf(slow4, 'ours', 'blockedMs'),
      peer: plain(slow4, 'blockedMs'),
      goal: atMost(0),
      note: `each visit: ${slow4.ours.map((one) => Math.round(one.blockedMs)).join(', ')}; plain ${slow4.plain.map((one) => Math.round(one.blockedMs)).join(', ')}`,
    },
    {
      area,
      what: 'blocked at 10×, ms',
      ours: medianOf(slow10, 'ours', 'blockedMs'),
      peer: plain(slow10, 'blockedMs'),
      goal: atMost(50),
    },
    {
      area,
      what: 'long tasks at 10×, before the first paint too, ms',
      ours: medianOf(slow10, 'ours', 'longTaskMs'),
      peer: plain(slow10, 'longTaskMs'),
    },
    {
      area,
      what: 'script in all after contact, bytes',
      ours: touched.scriptBytes,
      goal: atMost(88_000),
    },
  ];
}
