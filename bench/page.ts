/**
 * Measures a domain's page before and after the first contact, and the same page made by peers: over loopback, and on a
 * phone (processor 4× slower, Lighthouse's slow 4G).
 */
import type { Browser, Page } from 'playwright';
import { startProductProcess } from '../tests/support/product.ts';
import { withBrowser } from './browser.ts';
import { makeCatalogue } from './catalogue.ts';
import { buildPeer } from './peers.ts';
import { atMost, median, type Row, ratioAtMost } from './rows.ts';
import { type Served, serveFolder } from './serve-folder.ts';
import { type Network, PHONE, type Visit, visit } from './visit.ts';

/** Visits of each page, alternating, so that load on the machine affects all. Medians of nine visits differed by 25 %. */
const ROUNDS = 15;
/** More visits on a phone: first paints of one page vary by more than the pages differ. */
const PHONE_ROUNDS = 25;
/**
 * Order of the visits in a round, rotated by one each round, so that no page always follows the heaviest one, which the
 * browser still disposes of during the next visit.
 */
const ORDER = [0, 1, 3, 2];
/** Decimal, the stricter of the two definitions. */
const KILOBYTE = 1000;

type Name = 'ours' | 'plain' | 'vite-react' | 'next-export';

export async function measurePage(): Promise<Row[]> {
  const few = makeCatalogue(8);
  const product = await startProductProcess();
  const folders: Record<Exclude<Name, 'ours'>, string> = {
    plain: 'bench/peers/plain',
    'vite-react': (await buildPeer('vite-react', few)).folder,
    'next-export': (await buildPeer('next-export', few)).folder,
  };
  const served = Object.fromEntries(
    await Promise.all(
      Object.entries(folders).map(async ([name, folder]) => [name, await serveFolder(folder)]),
    ),
  ) as Record<Exclude<Name, 'ours'>, Served>;
  const urls: Record<Name, string> = {
    ours: `http://lap.app.localhost:${product.port}/`,
    plain: `${served.plain.origin}/`,
    'vite-react': `${served['vite-react'].origin}/`,
    'next-export': `${served['next-export'].origin}/sites/${few[1]?.name}/`,
  };
  try {
    return await withBrowser(async (browser) => {
      const slow4 = await visitAlternately(browser, urls, 4);
      const slow10 = await visitAlternately(browser, urls, 10);
      const phone = await visitAlternately(browser, urls, 4, { rounds: PHONE_ROUNDS, network: PHONE });
      const touched = await visit(browser, urls.ours, { slowdown: 1, afterwards: touchForm });
      return rowsOf(slow4, slow10, phone, touched);
    });
  } finally {
    for (const one of Object.values(served)) one.close();
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
  const visits: Visits = { ours: [], plain: [], 'vite-react': [], 'next-export': [] };
  const names = Object.keys(urls) as Name[];
  for (let round = 0; round < rounds; round += 1) {
    for (const place of ORDER) {
      const name = names[(round + place) % names.length] as Name;
      visits[name].push(await visit(browser, urls[name], { slowdown, network }));
    }
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
  const peerOf = (name: Exclude<Name, 'ours'>, visits: Visits, field: keyof Visit) => ({
    name,
    value: medianOf(visits, name, field),
  });
  const area = 'page';
  const paint = medianOf(slow4, 'ours', 'firstPaint');
  const peers = ['plain', 'vite-react', 'next-export'] as const;
  return [
    ...peers.map((name) => ({
      area,
      what: 'bytes before contact, compressed',
      ours: medianOf(slow4, 'ours', 'bytes'),
      peer: peerOf(name, slow4, 'bytes'),
      goal: atMost(9 * KILOBYTE),
    })),
    {
      area,
      what: 'requests before contact',
      ours: medianOf(slow4, 'ours', 'requests'),
      peer: peerOf('vite-react', slow4, 'requests'),
      goal: atMost(2),
    },
    {
      area,
      what: 'script files before contact, bytes',
      ours: medianOf(slow4, 'ours', 'scriptBytes'),
      peer: peerOf('next-export', slow4, 'scriptBytes'),
      goal: atMost(0),
    },
    ...peers.map((name) => ({
      area,
      what: 'first paint, processor 4× slower, ms',
      ours: paint,
      peer: peerOf(name, slow4, 'firstPaint'),
      goal: ratioAtMost(1.05),
    })),
    ...peers.map((name) => ({
      area,
      what: 'first paint on a phone, ms',
      ours: medianOf(phone, 'ours', 'firstPaint'),
      peer: peerOf(name, phone, 'firstPaint'),
      goal: ratioAtMost(1.05),
    })),
    ...peers.map((name) => ({
      area,
      what: 'largest paint on a phone, ms',
      ours: medianOf(phone, 'ours', 'largestPaint'),
      peer: peerOf(name, phone, 'largestPaint'),
      goal: ratioAtMost(1.05),
    })),
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
      peer: peerOf('plain', slow4, 'blockedMs'),
      goal: atMost(0),
      note: `each visit: ${slow4.ours.map((one) => Math.round(one.blockedMs)).join(', ')}; plain ${slow4.plain.map((one) => Math.round(one.blockedMs)).join(', ')}`,
    },
    {
      area,
      what: 'blocked at 10×, ms',
      ours: medianOf(slow10, 'ours', 'blockedMs'),
      peer: peerOf('plain', slow10, 'blockedMs'),
      goal: atMost(50),
    },
    ...peers.map((name) => ({
      area,
      what: 'long tasks at 10×, before the first paint too, ms',
      ours: medianOf(slow10, 'ours', 'longTaskMs'),
      peer: peerOf(name, slow10, 'longTaskMs'),
    })),
    ...(['vite-react', 'next-export'] as const).map((name) => ({
      area,
      what: 'script in all after contact, bytes',
      ours: touched.scriptBytes,
      peer: peerOf(name, slow4, 'scriptBytes'),
      goal: atMost(88_000),
      note: 'ours with its bot check; the peers have none, and next-export has no supabase-js',
    })),
  ];
}
