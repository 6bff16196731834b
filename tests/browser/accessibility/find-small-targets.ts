import type { Page } from '@playwright/test';

/**
 * Finds targets that are too small, one line each: below 24 by 24 CSS pixels, or less than 44 high for buttons, fields
 * and cards. Inline links are as high as their line.
 */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, textarea, [tabindex="0"]',
    )) {
      if (!element.checkVisibility()) continue;
      // A label is part of its field's target: of a card it is all of it.
      const target = element.closest('label.card') ?? element;
      const { width, height } = target.getBoundingClientRect();
      const least = target.matches('button, input, select, .card, .button') ? 44 : 24;
      if (width >= 24 && height >= least) continue;
      found.push(`${target.outerHTML.slice(0, 120)} is ${Math.round(width)} × ${Math.round(height)}`);
    }
    return found;
  });
}
