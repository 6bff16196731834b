import type { Page } from '@playwright/test';
import { expect } from '../fixtures.ts';
import { findingsOfAxe } from './axe.ts';
import { withoutRoom } from './room.ts';
import { tooSmall } from './targets.ts';

/** Judges the page as it stands, and says in which state it was; `but` are axe's best practices that do not hold there. */
export type Look = (state: string, but?: string[]) => Promise<void>;

/**
 * Eyes for one page: in both colour schemes, on a screen from 320 pixels on and with the text at twice its size.
 * Without motion, so that nothing is caught halfway.
 */
export async function lookAt(page: Page): Promise<Look> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return async (state, but) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect.soft(await findingsOfAxe(page, but), `${state}, ${colorScheme}: what axe finds`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
    expect.soft(await tooSmall(page), `${state}: too small to hit`).toEqual([]);
    const before = page.viewportSize();
    for (const [width, text] of SIZES) {
      await page.setViewportSize({ width, height: 800 });
      await enlargeText(page, text);
      const size = `${state}, ${width} pixels wide, text at ${text}`;
      expect.soft(await withoutRoom(page), `${size}: does not fit`).toEqual([]);
      expect.soft(await tooSmall(page), `${size}: too small to hit`).toEqual([]);
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
