import type { Page } from '@playwright/test';

/** Texts and controls that a person cannot see in full at this size of the screen, one line each. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} pixels too wide`);
    // The badge beside it shows an offer's status.
    for (const select of document.querySelectorAll<HTMLSelectElement>('select:not([data-offer])')) {
      const { width } = select.getBoundingClientRect();
      select.style.width = 'max-content';
      if (select.getBoundingClientRect().width > width + 1) found.push(`“${select.value}” is cut off`);
      select.style.width = '';
    }
    for (const element of document.querySelectorAll('body *')) {
      // What a field holds is scrolled in it, and the titles of columns are for screen readers where rows are cards.
      if (!element.checkVisibility() || element.closest('input, option, thead')) continue;
      const what = `${element.tagName.toLowerCase()} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > clientWidth + 1)) found.push(`${what} leaves the screen`);
      const { overflowX, overflowY } = getComputedStyle(element);
      const cutOff = (overflow: string, inside: number, box: number) =>
        /hidden|clip/.test(overflow) && inside > box + 1;
      if (
        cutOff(overflowX, element.scrollWidth, element.clientWidth) ||
        cutOff(overflowY, element.scrollHeight, element.clientHeight)
      ) {
        found.push(`${what} is cut off`);
      }
    }
    return found;
  });
}
