/** Visits a page with an empty cache, and records the browser's metrics and requests. */
import type { Browser, Page, Request } from 'playwright';
import { sum } from './rows.ts';

export interface Visit {
  /** First and largest contentful paint, in milliseconds after the navigation began. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Cumulative layout shift. */
  readonly shift: number;
  /** Total blocking time: what long tasks took beyond 50 ms each, in milliseconds. */
  readonly blockedMs: number;
  /** The same including the time before the first paint. */
  readonly longTaskMs: number;
  readonly requests: number;
  /** Compressed bytes of all bodies. */
  readonly bytes: number;
  /** Compressed bytes of script, after `afterwards`. */
  readonly scriptBytes: number;
}

interface Options {
  /** How many times slower the processor is. */
  readonly slowdown: number;
  /** Default: loopback, not throttled. */
  readonly network?: Network | undefined;
  /** Actions after the visit; they count for `scriptBytes` only. */
  readonly afterwards?: ((page: Page) => Promise<void>) | undefined;
}

export interface Network {
  /** From a request to the response's first byte, in milliseconds. */
  readonly latency: number;
  /** In bytes per second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

/** Lighthouse's phone: 150 ms per round trip and 1.6 Mbit/s, in DevTools' units per request. */
export const PHONE: Network = {
  latency: 562.5,
  downloadThroughput: 184_320,
  uploadThroughput: 84_375,
};

/** 400 ms a request and 400 kbit/s. */
export const SLOW: Network = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

/** Time for the page's own scripts to finish. */
const SETTLE_MS = 400;

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
    await page.waitForFunction(() => (window as unknown as { seen: Entries }).seen.firstPaint > 0);
    await page.waitForTimeout(SETTLE_MS);
    const seen = await page.evaluate(() => (window as unknown as { seen: Entries }).seen);
    const before = [...fetched];
    if (afterwards) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await afterwards(page);
    }
    return {
      firstPaint: seen.firstPaint,
      largestPaint: seen.largestPaint,
      shift: seen.shift,
      blockedMs: blockedAfter(seen),
      longTaskMs: sum(seen.tasks.map(({ duration }) => duration - 50)),
      requests: before.length,
      bytes: await bytesOf(before),
      scriptBytes: await bytesOf(fetched.filter(isScript)),
    };
  } finally {
    await context.close();
  }
}

interface Entries extends Pick<Visit, 'firstPaint' | 'largestPaint' | 'shift'> {
  readonly tasks: readonly { startTime: number; duration: number }[];
}

/** Computed at the end, because a task's entry may arrive before the paint's. Time before the first paint is not counted. */
function blockedAfter({ firstPaint, tasks }: Entries): number {
  if (Number.isNaN(firstPaint)) return Number.NaN;
  return tasks.reduce((total, { startTime, duration }) => {
    const blocks = startTime + duration - Math.max(startTime + 50, firstPaint);
    return total + Math.max(0, blocks);
  }, 0);
}

/** Runs in the page, before its own scripts. */
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

/** A file that was preloaded is requested a second time, from the browser's memory. */
async function bytesOf(requests: readonly Request[]): Promise<number> {
  const byUrl = new Map(requests.toReversed().map((request) => [request.url(), request]));
  const bodies = await Promise.all(
    [...byUrl.values()].map(async (request) => {
      const response = await request.response();
      const length = response?.headers()['content-length'];
      return length === undefined ? (await request.sizes()).responseBodySize : Number(length);
    }),
  );
  return bodies.reduce((total, length) => total + length, 0);
}
