/** Nothing moves under a visitor's finger. */
import type { Page } from '@playwright/test';
import { expect, fillIn, submitButton, test } from './fixtures.ts';

test('A domain’s page stands still while it loads and while its script comes', async ({ page }) => {
  const shifts = await watchShifts(page);
  await page.goto('/sites/lap.app/');
  await page.getByRole('radio', { name: 'lap.app' }).hover();
  await fillIn(page, { amount: '1', name: 'Ada', email: 'ada@example.com' });
  await expect(submitButton(page)).toBeEnabled();
  expect(await shifts()).toEqual([]);
});

test('The sign-in page stands still when it takes the spinner’s place', async ({ page }) => {
  const shifts = await watchShifts(page);
  await page.goto('/admin/login');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  expect(await shifts()).toEqual([]);
});

/** @returns what has moved by itself so far, by its size */
async function watchShifts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!entry.hadRecentInput) shifts.push(entry.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () =>
    page.evaluate(async () => {
      // Shifts are told with the frame after them.
      await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
      return (window as unknown as { shifts: number[] }).shifts;
    });
}
