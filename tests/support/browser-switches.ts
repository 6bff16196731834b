/** What Chromium is started with wherever the project starts it: in tests, in the bench, for pictures. */
export const BROWSER_SWITCHES: readonly string[] = [
  '--headless',
  // In containers, as root.
  '--no-sandbox',
  '--disable-gpu',
  // Nothing of its own accord: a visit costs what the page asks for.
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
