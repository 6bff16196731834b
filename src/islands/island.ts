/** Astro's element that hydrates an island: with the islands, and not in each page (node/site-builder/astro-extras/finish-page.ts). */
import '#island-runtime';
import { memo } from 'react';

/**
 * Makes a component an island. Astro knows a memo for React's at a glance; to find out about a plain function it
 * renders it once for nothing, on each of thousands of pages.
 */
export const island = memo;
