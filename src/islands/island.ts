import { memo } from 'react';

/**
 * Makes a component an island. Astro knows a memo for React's at a glance; to find out about a plain function it
 * renders it once for nothing, on each of thousands of pages.
 */
export const island = memo;
