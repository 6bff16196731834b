/** The installed Chromium, as the browser tests start it. */
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../scripts/find-browser.ts';

export const BROWSER_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function withBrowser<Result>(use: (browser: Browser) => Promise<Result>): Promise<Result> {
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...BROWSER_ARGUMENTS, '--enable-precise-memory-info'],
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
