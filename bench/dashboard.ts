/** Measures the dashboard with many offers, compared with a hundred, and on a phone with a slow processor and network. */
import type { Browser, CDPSession, Page } from 'playwright';
import { loadCatalogue } from '../src/catalogue/load.ts';
import { seedOffers } from '../tests/support/calls.ts';
import { ADMIN, type Product, startProductProcess } from '../tests/support/product.ts';
import { withBrowser } from './browser.ts';
import { atMost, median, type Row, ratioAtMost } from './rows.ts';
import { SLOW } from './visit.ts';

const FEW = 100;
const ROUNDS = 7;
const FRAMES = 100;
const PHONE_SLOWDOWN = 4;
const PHONE_GOAL_MS = 4_500;
const MEGABYTE = 1024 * 1024;

export async function measureDashboard(offers: number): Promise<Row[]> {
  const few = await productWith(FEW);
  const many = await productWith(offers);
  try {
    return await withBrowser(async (browser) => {
      const [small, large] = [await signIn(browser, few), await signIn(browser, many)];
      const first = { few: [] as number[], many: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        first.few.push(await firstRows(small));
        first.many.push(await firstRows(large));
      }
      const scrolled = await scrollThrough(large, offers);
      const area = 'dashboard';
      const phone: Row[] = [];
      for (const token of ['valid', 'over'] as const) {
        const visits: Visit[] = [];
        for (let round = 0; round < ROUNDS; round += 1) visits.push(await visitOnPhone(browser, few, token));
        const what = `on a phone (processor ${PHONE_SLOWDOWN}× slower, 400 ms, 400 kbit/s), access token ${token}`;
        const times = visits.map(({ firstRow }) => firstRow);
        phone.push({
          area,
          what: `first rows ${what}, ms`,
          ours: median(times),
          goal: atMost(PHONE_GOAL_MS),
          note: `each: ${times.map(Math.round).join(', ')}`,
        });
        phone.push({
          area,
          what: `bytes before them ${what}`,
          ours: median(visits.map(({ bytes }) => bytes)),
        });
      }
      const count = offers.toLocaleString('en-US');
      return [
        {
          area,
          what: `first rows of ${count} offers, ms`,
          ours: median(first.many),
          peer: { name: `${FEW} offers`, value: median(first.few) },
          goal: ratioAtMost(1.3),
          note: `each visit: ${first.many.map(Math.round).join(', ')} compared with ${first.few.map(Math.round).join(', ')}`,
        },
        { area, what: 'script heap at the last offer, MB', ours: scrolled.heap, goal: atMost(40) },
        {
          area,
          what: 'DOM nodes at most while scrolling',
          ours: Math.max(...scrolled.nodes),
          peer: { name: 'after the first steps', value: scrolled.nodes[1] ?? Number.NaN },
          goal: ratioAtMost(1.1),
          note: scrolled.nodes.join(', '),
        },
        {
          area,
          what: 'work of the page for a frame while scrolling, ms',
          ours: scrolled.work,
          goal: atMost(1000 / 60),
          note: `${scrolled.slowFrames} of ${FRAMES} frames came later than 50 ms`,
        },
        {
          area,
          what: 'row number of the last visible offer',
          ours: scrolled.lastRow,
          peer: { name: 'all', value: offers },
          goal: { of: 'ratio', atLeast: 1, atMost: 1 },
        },
        {
          area,
          what: 'requests with an offset',
          ours: scrolled.offsets,
          goal: atMost(0),
          note: `${scrolled.reads} reads of offers in all`,
        },
        ...phone,
      ];
    });
  } finally {
    await Promise.all([few.stop(), many.stop()]);
  }
}

async function productWith(offers: number): Promise<Product> {
  const product = await startProductProcess();
  const domains = loadCatalogue().domains.map(({ name }) => name);
  await seedOffers(product, offers, domains);
  return product;
}

async function signIn(browser: Browser, { origin }: Product): Promise<Page> {
  const page = await browser.newPage();
  await page.addInitScript(recordFirstRow);
  await page.goto(`${origin}/admin/login`);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await rows(page).first().waitFor();
  return page;
}

const rows = (page: Page) => page.locator('tr[data-index]');

/** Time from the navigation, signed in, to the first rows, in milliseconds of the page's clock. */
async function firstRows(page: Page): Promise<number> {
  await page.reload();
  const noted = await page.waitForFunction(() => (window as unknown as { firstRow?: number }).firstRow);
  const time = await noted.jsonValue();
  await page.waitForLoadState('networkidle');
  return time ?? Number.NaN;
}

interface Visit {
  /** Time from the navigation to the first rows, in milliseconds of the page's clock. */
  readonly firstRow: number;
  /** Of the responses until then, compressed. */
  readonly bytes: number;
}

/** A visit with an empty cache, signed in before. */
async function visitOnPhone(browser: Browser, product: Product, token: 'valid' | 'over'): Promise<Visit> {
  const signedIn = await signIn(browser, product);
  const storageState = await signedIn.context().storageState();
  await signedIn.close();
  const context = await browser.newContext({
    storageState,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    const page = await context.newPage();
    if (token === 'over') {
      await page.goto(`${product.origin}/robots.txt`);
      await page.evaluate(endAccessToken);
    }
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', { ...SLOW, offline: false });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: PHONE_SLOWDOWN });
    await page.addInitScript(recordFirstRow);
    await page.goto(`${product.origin}/admin/dashboard`, { waitUntil: 'commit' });
    const noted = await page.waitForFunction(() => (window as unknown as { firstRow?: number }).firstRow);
    const firstRow = (await noted.jsonValue()) ?? Number.NaN;
    const bytes = await page.evaluate((until) => {
      const received = [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ] as PerformanceResourceTiming[];
      return received
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= until)
        .reduce((total, { encodedBodySize }) => total + encodedBodySize, 0);
    }, firstRow);
    return { firstRow, bytes };
  } finally {
    await context.close();
  }
}

/** Runs in a page without scripts: the stored session has to be refreshed before it is used. */
function endAccessToken() {
  for (const [key, value] of Object.entries(localStorage))
    if (key.endsWith('-auth-token'))
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), expires_at: 1 }));
}

/** Runs in the page, before its own scripts. */
function recordFirstRow() {
  const look = () => {
    if (!document.querySelector('tr[data-index] a[href^="mailto:"]')) return requestAnimationFrame(look);
    Object.assign(window, { firstRow: performance.now() });
    return 0;
  };
  look();
}

/** Scrolls in small steps, then in jumps to the end. */
async function scrollThrough(page: Page, offers: number) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await waitForRows(page);
  const nodes = [await nodesOf(page)];
  const workedBefore = await metric(devtools, 'TaskDuration');
  const slowFrames = await page.evaluate(scrollSmoothly, FRAMES);
  const work = ((await metric(devtools, 'TaskDuration')) - workedBefore) * (1000 / FRAMES);
  await waitForRows(page);
  nodes.push(await nodesOf(page));
  for (const share of [0.25, 0.5, 0.75, 1]) {
    await page.evaluate((to) => scrollTo(0, document.documentElement.scrollHeight * to), share);
    await waitForRows(page);
    nodes.push(await nodesOf(page));
  }
  // Measuring rows may have changed the page's height.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const last = page.locator(`tr[data-index="${offers - 1}"]:not(.placeholder)`);
  await last.waitFor();
  const reads = requested.filter((url) => url.includes('/rest/v1/'));
  return {
    nodes,
    slowFrames,
    work,
    lastRow: Number(await last.getAttribute('aria-rowindex')) - 1,
    heap: await heapOf(devtools),
    offsets: reads.filter((url) => /[?&]offset=/.test(url)).length,
    reads: reads.length,
  };
}

/** Waits until the lower part of the screen shows an offer: filters may fill the middle, and after a jump it shows placeholders. */
async function waitForRows(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const row = document.elementFromPoint(innerWidth / 2, innerHeight * 0.9)?.closest('tr[data-index]');
    return row && !document.querySelector('tr.placeholder');
  });
}

const nodesOf = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await metric(devtools, 'JSHeapUsedSize')) / MEGABYTE;
}

async function metric(devtools: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** Runs in the page: scrolls 120 pixels per frame. Returns how many frames took longer than 50 ms. */
async function scrollSmoothly(frames: number): Promise<number> {
  let slow = 0;
  let before = await new Promise<number>(requestAnimationFrame);
  for (let frame = 0; frame < frames; frame += 1) {
    scrollBy(0, 120);
    const now = await new Promise<number>(requestAnimationFrame);
    if (now - before > 50) slow += 1;
    before = now;
  }
  return slow;
}
