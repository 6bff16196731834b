/** The pictures shown with a link to a page, in pixels. */
export const SHARE_IMAGE = { width: 1200, height: 630 };

/** The address of a domain's picture, or of the one for pages with nothing selected. */
export function shareImagePath(domain?: string): string {
  return `/share/${domain ?? 'home'}.png`;
}
