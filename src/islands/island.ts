/** Bundles the `astro-island` element with the islands instead of each page (node/site-builder/astro-extras/finish-page.ts). */
import '#island-runtime';
import { memo } from 'react';

/**
 * Marks a component as an island. Astro recognises `memo` as React at once; a plain function it would render once more
 * on each of thousands of pages to find out.
 */
export const island = memo;
