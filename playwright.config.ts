import { defineConfig } from '@playwright/test';
import { BROWSER_SWITCHES } from './tests/support/browser-switches.ts';
import { findBrowser } from './tests/support/find-browser.ts';

const executablePath = findBrowser();

/** The product as a person sees it: the built site behind the real gateway, in a real browser. */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/support/build-once.ts',
  // A test that passes the second time hides a fault that happens once in a while.
  retries: 0,
  workers: 2,
  // They end what hangs. A test that needs more says why.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // The dots leave the reasons of failures at the end of a long log.
  reporter: process.env.CI ? 'dot' : 'list',
  use: {
    // Recording takes as long as the tests themselves: `npx playwright test FILE --trace retain-on-failure` where one fails.
    trace: 'off',
    // Where a page scrolls smoothly, a press by coordinates hits what has moved there since.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        ...BROWSER_SWITCHES,
        // Domains for sale lead here, as their owner's DNS would: so the tests exercise real host names.
        // (Browsers open .app names over https alone; tests of those go by .localhost or by the header Host.)
        '--host-resolver-rules=MAP *.example 127.0.0.1',
      ],
    },
  },
});
