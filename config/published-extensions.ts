/**
 * File name extensions of files for browsers. The site publishes and serves only these. No backup (`.backup`), export
 * (`.csv`, `.json`), database or archive has one of them, so that a misplaced copy of customers' data stays private.
 */
export const PUBLISHED_EXTENSIONS = [
  ...['css', 'html', 'js', 'mjs', 'txt', 'webmanifest', 'xml'],
  ...['avif', 'gif', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'webp'],
  ...['mp4', 'pdf', 'webm', 'woff', 'woff2'],
] as const;
