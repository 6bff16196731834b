/** Starts the installed Chromium as the browser tests do. */
import { type Browser, chromium } from 'playwright';
import { BROWSER_SWITCHES } from '../tests/support/browser-switches.ts';
import { findBrowser } from '../tests/support/find-browser.ts';

export async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...BROWSER_SWITCHES, '--enable-precise-memory-info'],
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
