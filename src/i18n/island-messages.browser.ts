import type { IslandTexts } from './messages.ts';

/** The islands' messages in the page's language, embedded by components/Storefront.astro. */
export function islandTexts(): IslandTexts {
  known ??= JSON.parse(document.querySelector('#texts')?.textContent ?? '');
  return known as IslandTexts;
}
let known: IslandTexts | undefined;
