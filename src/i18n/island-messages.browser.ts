import type { IslandMessages } from './messages.ts';

/** The islands' messages in the page's language, embedded by components/Storefront.astro. */
export function islandMessages(): IslandMessages {
  known ??= JSON.parse(document.querySelector('#messages')?.textContent ?? '');
  return known as IslandMessages;
}
let known: IslandMessages | undefined;
