/**
 * Measures the first press on a card and the first tap into the form, on a phone with a slow processor and network, and on
 * one whose processor is 20 times slower.
 */
import type { Browser, CDPSession, Page } from 'playwright';
import { startProductProcess } from '../tests/support/product.ts';
import { withBrowser } from './browser.ts';
import { atMost, median, type Row } from './rows.ts';
import { SLOW } from './visit.ts';

const ROUNDS = 5;
/** Goals in milliseconds, by how many times slower the processor is. */
const PRESS_GOALS = new Map([
  [4, 200],
  [20, 350],
]);
const HYDRATION_SLOWDOWN = 4;
const HYDRATION_GOAL = 2_200;

export async function measureFirstPress(): Promise<Row[]> {
  const product = await startProductProcess();
  try {
    return await withBrowser(async (browser) => {
      const rows: Row[] = [];
      for (const path of ['/', '/sites/lap.app/']) {
        const url = product.origin + path;
        for (const [slowdown, goal] of PRESS_GOALS) {
          const presses = await repeat(() => visitSlowly(browser, url, slowdown, pressCard));
          const painted = presses.map((press) => press.headline);
          const what = `${path}, processor ${slowdown}× slower: first press on a card to`;
          rows.push(
            rowOf(`${what} the headline’s paint, ms`, painted, goal),
            rowOf(
              `${what} the next paint (event timing), ms`,
              presses.map((press) => press.duration),
              goal,
            ),
          );
        }
        const hydrated = await repeat(() => visitSlowly(browser, url, HYDRATION_SLOWDOWN, tapField));
        rows.push(
          rowOf(`${path}: first tap into the form until it is hydrated, ms`, hydrated, HYDRATION_GOAL),
        );
      }
      return rows;
    });
  } finally {
    await product.stop();
  }
}

function rowOf(what: string, values: number[], goal: number): Row {
  return {
    area: 'first press',
    what,
    ours: median(values),
    goal: atMost(goal),
    note: `each: ${values.map(Math.round).join(', ')}`,
  };
}

async function repeat<Result>(once: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < ROUNDS; round += 1) results.push(await once());
  return results;
}

async function visitSlowly<Result>(
  browser: Browser,
  url: string,
  slowdown: number,
  measure: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  try {
    const page = await context.newPage();
    const devtools: CDPSession = await context.newCDPSession(page);
    await devtools.send('Network.emulateNetworkConditions', { ...SLOW, offline: false });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(observe);
    await page.goto(url, { waitUntil: 'networkidle' });
    return await measure(page);
  } finally {
    await context.close();
  }
}

interface Press {
  /** From the press to the first paint after the headline has changed, in ms. */
  readonly headline: number;
  /** The longest of the press's events, as Chromium's event timing measures them: to the next paint, in ms. */
  readonly duration: number;
}

async function pressCard(page: Page): Promise<Press> {
  const card = page.getByRole('radio', { checked: false }).first();
  await card.scrollIntoViewIfNeeded();
  await card.tap();
  const seen = await page.waitForFunction(() => {
    const { headlinePaint, events } = (window as unknown as { seen: Seen }).seen;
    const click = events.findLast(({ name }) => name === 'click');
    return headlinePaint && click ? { headlinePaint, events } : undefined;
  });
  const { headlinePaint, events } = (await seen.jsonValue()) as { headlinePaint: number } & Seen;
  return {
    headline: headlinePaint - Math.min(...events.map(({ start }) => start)),
    duration: Math.max(...events.map(({ duration }) => duration)),
  };
}

/** Returns the milliseconds from the tap until React has hydrated the form. */
async function tapField(page: Page): Promise<number> {
  const field = page.getByLabel('Your Offer');
  await field.scrollIntoViewIfNeeded();
  await field.tap();
  const seen = await page.waitForFunction(() => {
    const { hydrated, pressed } = (window as unknown as { seen: Seen }).seen;
    return hydrated && pressed ? hydrated - pressed : undefined;
  });
  return (await seen.jsonValue()) as number;
}

interface Seen {
  readonly events: { name: string; start: number; duration: number }[];
  readonly pressed?: number;
  readonly headlinePaint?: number;
  readonly hydrated?: number;
}

/** Runs in the page, before its own scripts. */
function observe() {
  const events: { name: string; start: number; duration: number }[] = [];
  const seen: Record<string, unknown> = { events };
  Object.assign(window, { seen });
  addEventListener(
    'pointerdown',
    ({ timeStamp }) => {
      seen.pressed ??= timeStamp;
    },
    { capture: true },
  );
  new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries())
      if (/^(?:pointer(?:down|up)|click)$/.test(name)) events.push({ name, start: startTime, duration });
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  addEventListener('DOMContentLoaded', () => {
    const headline = document.querySelector('h1') as Element;
    new MutationObserver(() => {
      // The frame that shows it ends before the next task after its callbacks.
      requestAnimationFrame(() =>
        setTimeout(() => {
          seen.headlinePaint ??= performance.now();
        }),
      );
    }).observe(headline, { childList: true, subtree: true, characterData: true });
    // The form's first effect starts the bot check, or reports that it waits for a domain.
    new MutationObserver(() => {
      if (!document.querySelector('.check.idle')) seen.hydrated ??= performance.now();
    }).observe(document.querySelector('#offer') as Element, {
      childList: true,
      subtree: true,
      attributes: true,
    });
  });
}
