/** What the head of a page tells search engines and networks. */
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

export function content(page: Page, selector: string): Promise<string | null> {
  return page.locator(selector).getAttribute('content');
}

export function addresses(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
}

export async function alternates(page: Page): Promise<Record<string, string>> {
  const links = page.locator('link[rel=alternate]');
  return Object.fromEntries(
    await links.evaluateAll((all) =>
      all.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')]),
    ),
  );
}

export async function openGraph(page: Page): Promise<Record<string, string>> {
  const tags = page.locator('meta[property^="og:"]');
  return Object.fromEntries(
    await tags.evaluateAll((all) =>
      all.map((tag) => [tag.getAttribute('property')?.slice('og:'.length), tag.getAttribute('content')]),
    ),
  );
}

interface ProductData {
  name: string;
  description: string;
  offers: Record<string, string>;
}

export async function productOf(page: Page): Promise<ProductData> {
  const scripts = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(scripts).toHaveLength(1);
  return JSON.parse(scripts[0] ?? '');
}
