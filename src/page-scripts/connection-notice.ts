/**
 * Shows the offline notice (components/Notices.astro). Bundled with the islands' directive: as a separate module it
 * doubled the longest task after the first paint.
 */
function show(): void {
  const notice = document.querySelector<HTMLElement>('#offline');
  // Assigning the same value would make the browser recalculate styles.
  if (notice && notice.hidden !== navigator.onLine) notice.hidden = navigator.onLine;
}

// `pageshow` fires after the first paint, and for a page from the back/forward cache, which missed the other events.
for (const type of ['online', 'offline', 'pageshow']) addEventListener(type, show);
