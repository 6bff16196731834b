/** Measures the search of a large catalogue: when its index is fetched, and how long a keystroke takes. */
import { startProductProcess } from '../tests/support/product.ts';
import { withBrowser } from './browser.ts';
import { largeProject } from './large-project.ts';
import { atMost, median, type Row } from './rows.ts';

const TYPED = 'silverlamp4';

export async function measureSearch(domains: number): Promise<Row[]> {
  const { folder, catalogue } = await largeProject(domains);
  const product = await startProductProcess({ project: folder, env: { CATALOGUE: catalogue } });
  try {
    return await withBrowser(async (browser) => {
      const page = await browser.newPage();
      let fetched = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/names.json')) fetched += 1;
      });
      await page.goto(`${product.origin}/domains/`, { waitUntil: 'networkidle' });
      const field = page.getByRole('searchbox');
      await field.focus();
      const before = fetched;
      // The first letter fetches the names; each later one is measured.
      await field.pressSequentially('s');
      await page.getByRole('status').filter({ hasText: 'domains' }).waitFor();
      await field.clear();
      await page.evaluate(recordKeystrokes);
      for (let round = 0; round < 3; round += 1) {
        for (const letter of TYPED) await page.keyboard.type(letter, { delay: 60 });
        await field.clear();
      }
      const durations = await page.evaluate(() => (window as unknown as { keystrokes: number[] }).keystrokes);
      const area = 'search';
      return [
        { area, what: 'fetches of the index before the first use', ours: before, goal: atMost(0) },
        { area, what: 'fetches of the index in all', ours: fetched, goal: atMost(1) },
        {
          area,
          what: 'a keystroke to its results, ms, worst',
          ours: Math.max(...durations),
          goal: atMost(50),
          note: `${durations.length} keystrokes, the first one (which fetches the index) left out; median ${median(durations).toFixed(1)}`,
        },
      ];
    });
  } finally {
    await product.stop();
  }
}

/** Runs in the page: records the time from a letter to the layout of its results. */
function recordKeystrokes() {
  const keystrokes: number[] = [];
  Object.assign(window, { keystrokes });
  document.querySelector('input[type=search]')?.addEventListener(
    'input',
    (event) => {
      if ((event as InputEvent).inputType !== 'insertText') return;
      // A message is handled after the frame's styles, layout and paint.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => keystrokes.push(performance.now() - event.timeStamp);
        port2.postMessage(undefined);
      });
    },
    { capture: true },
  );
}
