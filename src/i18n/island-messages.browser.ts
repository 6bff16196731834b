import type { IslandTexts } from './messages.ts';

/** What the islands say, in the page's language: components/Storefront.astro has written it there. */
export function islandTexts(): IslandTexts {
  known ??= JSON.parse(document.querySelector('#texts')?.textContent ?? '');
  return known as IslandTexts;
}
let known: IslandTexts | undefined;
