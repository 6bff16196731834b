import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

/**
 * What axe finds against WCAG 2.2 AA and its own best practice, on the page in both colour schemes: one line for each
 * element, and one for each that it cannot judge. In the dark scheme the rules about colours alone are checked: nothing
 * else depends on it.
 * @param but rules of best practice that do not hold there
 */
export async function axeFindings(page: Page, but: string[] = []): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  // As an expression, because the page's policy lets no other script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE);
  const light = await findingsOf(page, OPTIONS, ALWAYS_CHECKED, but);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findingsOf(page, { ...OPTIONS, runOnly: OF_COLOURS }, ['color-contrast'], but);
  return [...light, ...dark.map((line) => `dark: ${line}`)];
}

async function findingsOf(
  page: Page,
  options: RunOptions,
  always: readonly string[],
  but: readonly string[],
): Promise<string[]> {
  const { passes, violations, incomplete } = await page.evaluate(runAxe, options);
  const judged = new Set([...passes, ...violations, ...incomplete].map(({ id }) => id));
  const idle = always.filter((rule) => !judged.has(rule)).map((rule) => `${rule}: was not judged`);
  const found = [...violations, ...incomplete].filter(({ id }) => !but.includes(id));
  return [...idle, ...found.flatMap(linesOf)];
}

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: {
    // The broker's panel is an alternative to the form, and so stands beside it in the main part.
    'landmark-complementary-is-top-level': { enabled: false },
  },
  // Of what is well, the rule's name is enough.
  resultTypes: ['violations', 'incomplete'],
  selectors: false,
};

/** Rules whose result depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Every page has a title, a language and some text; where one is not judged, axe itself has not worked. */
const ALWAYS_CHECKED = ['document-title', 'html-has-lang', 'color-contrast'];

function linesOf({ id, nodes }: AxeResults['violations'][number]): string[] {
  return nodes.map(({ html, any, all, none }) => {
    const why = [...any, ...all, ...none].map(({ message }) => message).join(' ');
    return `${id}: ${html.slice(0, 160)} ${why}`;
  });
}

/** Runs in the page; again where the page changed meanwhile, which axe reports as elements that it cannot judge. */
async function runAxe(options: RunOptions): Promise<AxeResults> {
  const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
  for (let tries = 1; ; tries += 1) {
    let changes = 0;
    const observer = new MutationObserver((records) => {
      changes += records.length;
    });
    observer.observe(document, { subtree: true, childList: true });
    const results = await axe.run(options);
    observer.disconnect();
    if (changes === 0 || tries === 5) return results;
  }
}
