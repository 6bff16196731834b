/** Chromium's command-line switches in tests, in the bench and for pictures. */
export const BROWSER_SWITCHES: readonly string[] = [
  '--headless',
  // In containers, as root.
  '--no-sandbox',
  '--disable-gpu',
  // No background requests: only those of the page are measured.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
