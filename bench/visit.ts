/** One visit with an empty cache: what the browser measures and what it fetches. */
import type { Browser, Page, Request } from '@playwright/test';

export interface Visit {
  /** First and largest contentful paint, in milliseconds after the navigation began. */
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** Cumulative layout shift. */
  readonly shift: number;
  /** Total blocking time: what long tasks took beyond 50 ms each, in milliseconds. */
  readonly blocked: number;
  readonly requests: number;
  /** Compressed bytes of all bodies. */
  readonly bytes: number;
  /** Compressed bytes of script, after `afterwards`. */
  readonly scriptBytes: number;
}

interface Options {
  /** How many times slower the processor is. */
  readonly slowdown: number;
  /** What the visitor does afterwards; counts for the script only. */
  readonly afterwards?: ((page: Page) => Promise<void>) | undefined;
}

/** Long enough for what a page does of its own accord, in milliseconds. */
const SETTLED = 400;

export async function visit(
  browser: Browser,
  url: string,
  { slowdown, afterwards }: Options,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const fetched: Request[] = [];
    page.on('request', (request) => !request.url().startsWith('data:') && fetched.push(request));
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(SETTLED);
    const timings = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
    const before = [...fetched];
    if (afterwards) {
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await afterwards(page);
    }
    return {
      ...timings,
      requests: before.length,
      bytes: await bytesOf(before),
      scriptBytes: await bytesOf(fetched.filter(isScript)),
    };
  } finally {
    await context.close();
  }
}

type Seen = Pick<Visit, 'firstPaint' | 'largestPaint' | 'shift' | 'blocked'>;

/** Runs in the page, before anything of its own. */
function observe() {
  const seen = { firstPaint: Number.NaN, largestPaint: Number.NaN, shift: 0, blocked: 0 };
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
  watch('longtask', (entry) => {
    // As Lighthouse counts: what stood in the way before anything was painted shows in the first paint.
    const blocks = entry.startTime + entry.duration - Math.max(entry.startTime + 50, seen.firstPaint);
    if (blocks > 0) seen.blocked += blocks;
  });
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
