/**
 * Says in the page when there is no network (components/Notices.astro). In one script with the islands' directive: as
 * a module of its own it was part of the longest task after the first paint, and made that twice as long.
 */
function show(): void {
  const note = document.querySelector<HTMLElement>('#offline');
  // Set again to what it is, it would make the browser style the page anew.
  if (note && note.hidden !== navigator.onLine) note.hidden = navigator.onLine;
}

// The last comes after the first paint, and where the back button brings back a page that missed the others.
for (const type of ['online', 'offline', 'pageshow']) addEventListener(type, show);
