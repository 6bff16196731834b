/** One visit with an empty cache: what the browser measures and what it fetches. */
import type { Browser, Page, Request } from '@playwright/test';
import { sum } from './rows.ts';

export interface Visit {
  /** First and largest contentful paint, in milliseconds after the navigation began. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Cumulative layout shift. */
  readonly shift: number;
  /** Total blocking time: what long tasks took beyond 50 ms each, in milliseconds. */
  readonly blocked: number;
  /** The same with the time before the first paint. */
  readonly blockedWithin: number;
  readonly requests: number;
  /** Compressed bytes of all bodies. */
  readonly bytes: number;
  /** Compressed bytes of script, after `afterwards`. */
  readonly scriptBytes: number;
}

interface Options {
  /** How many times slower the processor is. */
  readonly slowdown: number;
  /** The machine's own loopback where there is none. */
  readonly network?: Network | undefined;
  /** What the visitor does afterwards; counts for the script only. */
  readonly afterwards?: ((page: Page) => Promise<void>) | undefined;
}

export interface Network {
  /** From a request to the answer's first byte, in milliseconds. */
  readonly latency: number;
  /** In bytes a second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

/** What Lighthouse applies for a phone: 150 ms a round trip and 1.6 Mbit/s, as DevTools counts them for a request. */
export const PHONE: Network = {
  latency: 562.5,
  downloadThroughput: 184_320,
  uploadThroughput: 84_375,
};

/** Long enough for what a page does of its own accord, in milliseconds. */
const SETTLED = 400;

export async function visit(
  browser: Browser,
  url: string,
  { slowdown, network, afterwards }: Options,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const fetched: Request[] = [];
    page.on('request', (request) => !request.url().startsWith('data:') && fetched.push(request));
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    if (network) await devtools.send('Network.emulateNetworkConditions', { ...network, offline: false });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: 'networkidle' });
    // A slow processor may paint long after the network is idle.
    await page.waitForFunction(() => (window as unknown as { seen: Seen }).seen.firstPaint > 0);
    await page.waitForTimeout(SETTLED);
    const seen = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
    const before = [...fetched];
    if (afterwards) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await afterwards(page);
    }
    return {
      firstPaint: seen.firstPaint,
      largestPaint: seen.largestPaint,
      shift: seen.shift,
      blocked: blockedAfter(seen),
      blockedWithin: sum(seen.tasks.map(({ duration }) => duration - 50)),
      requests: before.length,
      bytes: await bytesOf(before),
      scriptBytes: await bytesOf(fetched.filter(isScript)),
    };
  } finally {
    await context.close();
  }
}

interface Seen extends Pick<Visit, 'firstPaint' | 'largestPaint' | 'shift'> {
  readonly tasks: readonly { startTime: number; duration: number }[];
}

/** Once all is known: a task's entry may arrive before the paint's. What delays the first paint shows in that. */
function blockedAfter({ firstPaint, tasks }: Seen): number {
  if (Number.isNaN(firstPaint)) return Number.NaN;
  return tasks.reduce((total, { startTime, duration }) => {
    const blocks = startTime + duration - Math.max(startTime + 50, firstPaint);
    return total + Math.max(0, blocks);
  }, 0);
}

/** Runs in the page, before anything of its own. */
function observe() {
  const tasks: { startTime: number; duration: number }[] = [];
  const seen = { firstPaint: Number.NaN, largestPaint: Number.NaN, shift: 0, tasks };
  Object.assign(window, { seen });
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.firstPaint = entry.startTime;
  });
  watch('largest-contentful-paint', (entry) => {
    seen.largestPaint = entry.startTime;
  });
  watch('layout-shift', (entry) => {
    seen.shift += (entry as PerformanceEntry & { value: number }).value;
  });
  watch('longtask', ({ startTime, duration }) => tasks.push({ startTime, duration }));
}

const isScript = (request: Request) => /\.m?js(?:\?|$)/.test(request.url());

async function bytesOf(requests: readonly Request[]): Promise<number> {
  const bodies = await Promise.all(
    requests.map(async (request) => {
      const response = await request.response();
      const length = response?.headers()['content-length'];
      return length === undefined ? (await request.sizes()).responseBodySize : Number(length);
    }),
  );
  return bodies.reduce((total, length) => total + length, 0);
}
