import type { Page } from '@playwright/test';

/**
 * What is too small to hit with a finger or a trembling hand, one line each: below 24 by 24 CSS pixels, or where it is
 * a button, a field or a card, less than 44 high. Links within a sentence are as high as its lines.
 */
export function tooSmall(page: Page): Promise<string[]> {
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
