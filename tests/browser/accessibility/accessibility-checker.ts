import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { axeFindings } from './axe.ts';
import { findOverflow } from './find-overflow.ts';

/** Checks the current page. `state` is for the report; `but` are axe's best practices that do not apply to it. */
export type CheckAccessibility = (state: string, but?: string[]) => Promise<void>;

/**
 * Checks a page in both colour schemes, on screens from 320 pixels and with text at 200 %.
 * Without motion, so that no animation is measured halfway.
 */
export async function accessibilityChecker(page: Page): Promise<CheckAccessibility> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return async (state, but) => {
    expect.soft(await axeFindings(page, but), `${state}: what axe finds`).toEqual([]);
    await page.emulateMedia({ colorScheme: null });
    expect.soft(await findSmallTargets(page), `${state}: too small to hit`).toEqual([]);
    const before = page.viewportSize();
    for (const [width, text] of SIZES) {
      await page.setViewportSize({ width, height: 800 });
      await enlargeText(page, text);
      const size = `${state}, ${width} pixels wide, text at ${text}`;
      expect.soft(await findOverflow(page), `${size}: does not fit`).toEqual([]);
      expect.soft(await findSmallTargets(page), `${size}: too small to hit`).toEqual([]);
    }
    await enlargeText(page, '');
    if (before) await page.setViewportSize(before);
  };
}

/** Narrow is also what 1280 pixels are at a zoom of 400 %, or at 200 % with large text. */
const SIZES = [
  [320, '100%'],
  [320, '200%'],
  [640, '200%'],
  [1280, '200%'],
] as const;

async function enlargeText(page: Page, size: string): Promise<void> {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
}

/**
 * Finds targets that are too small, one line each: below 24 by 24 CSS pixels, or less than 44 high for buttons, fields
 * and cards. Inline links are as high as their line.
 */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, textarea, [tabindex="0"]',
    )) {
      if (!element.checkVisibility()) continue;
      // A label is part of its field's target: of a card it is all of it.
      const target = element.closest('.card') ?? element;
      const { width, height } = target.getBoundingClientRect();
      const least = target.matches('button, input, select, .card, .button') ? 44 : 24;
      if (width >= 24 && height >= least) continue;
      found.push(`${target.outerHTML.slice(0, 120)} is ${Math.round(width)} × ${Math.round(height)}`);
    }
    return found;
  });
}
