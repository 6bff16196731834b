/**
 * Finds a Chromium for the browser tests: an installed one (first its headless shell, which is faster), then Playwright's
 * own, then the distribution's package.
 * As a command, installs Chromium if it is missing; as a module, exports its path.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright';

/** Path of the browser's program, or undefined where there is none. */
export function findBrowser(): string | undefined {
  const installed = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
    (name) => `/usr/bin/${name}`,
  );
  return [...installed, chromium.executablePath()].find((path) => existsSync(path));
}

if (import.meta.main && !findBrowser()) {
  console.log('No Chromium is installed: trying Playwright’s download, then the distribution’s package …');
  const playwright = join(createRequire(import.meta.url).resolve('playwright/package.json'), '../cli.js');
  run(process.execPath, [playwright, 'install', 'chromium']);
  if (!findBrowser()) run('sh', ['-c', 'apt-get update && apt-get install -y chromium']);
  if (!findBrowser()) {
    console.error(
      '\nThe browser tests need Chromium. Install it (Debian: apt-get install chromium) and try again.\n',
    );
    process.exit(1);
  }
}

function run(command: string, args: string[]): void {
  spawnSync(command, args, { stdio: 'inherit' });
}
