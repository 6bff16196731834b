import type { ClientDirective } from 'astro';

/**
 * `client:interaction`: all islands of the page hydrate on the visitor's first interaction with one of them or with a card,
 * so that reading loads no script. Radio buttons and inputs work before hydration, and the islands keep their values. If a
 * script fails to load, a notice shows (components/Notices.astro), and the next interaction retries.
 */
const hydrateOnInteraction: ClientDirective = async (load, _options, island) => {
  // Astro has then tried twice and logged the error.
  island.addEventListener('astro:hydration-error', () => failed.add(island));
  do {
    const mine = interaction;
    await mine.begun;
    failed.delete(island);
    const timeout = setTimeout(showNotice, ISLANDS_TIMEOUT_MS, true);
    await mine.scripts.then(
      async () => (await load())(),
      () => failed.add(island),
    );
    clearTimeout(timeout);
    showNotice(failed.size > 0);
    if (failed.has(island) && interaction === mine) interaction = nextInteraction();
  } while (failed.has(island));
};
export default hydrateOnInteraction;

/** Time after which the notice `not-loaded` shows. */
const ISLANDS_TIMEOUT_MS = 15_000;

/** Islands whose script failed to load. */
const failed = new Set<EventTarget>();

function showNotice(isMissing: boolean): void {
  document.querySelector('#not-loaded')?.toggleAttribute('hidden', !isMissing);
}

/**
 * Brings the scripts of all islands, and all that they import, into the browser's cache: a failed `fetch` can be repeated,
 * a failed `import` only after a reload of the page (whatwg/html#6768).
 */
async function fetchScripts(): Promise<void> {
  const fetched = new Set<string>();
  const fetchWithImports = async (url: string): Promise<void> => {
    if (fetched.has(url)) return;
    fetched.add(url);
    const response = await fetch(url);
    if (!response.ok) throw new Error(url);
    const imports = (await response.text()).matchAll(IMPORT);
    await Promise.all(
      Array.from(imports, ([, file = '']) => fetchWithImports(new URL(file, response.url).href)),
    );
  };
  const islands = [...document.querySelectorAll('astro-island')];
  const urls = islands.flatMap((island) =>
    ['component-url', 'renderer-url'].map((name) => island.getAttribute(name)),
  );
  await Promise.all(urls.map((url) => url && fetchWithImports(url)));
}

/** An import at the beginning of a script, as the build writes it. */
const IMPORT = /import(?:[^"]*from)?"([^"]+)";/gy;

let touch: () => void;
function nextInteraction() {
  const begun = new Promise<void>((resolve) => {
    touch = resolve;
  });
  return { begun, scripts: begun.then(fetchScripts) };
}
let interaction = nextInteraction();

function contacted(target: EventTarget | null): void {
  if (target instanceof Element && target.closest('astro-island, .cards')) touch();
}

for (const type of ['pointerover', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'click', 'input']) {
  addEventListener(type, ({ target }) => contacted(target), { capture: true, passive: true });
}
// Retries what failed to load while offline.
addEventListener('online', () => failed.size > 0 && touch());
// A reload or the back button may restore a selection that the page was not prerendered with.
addEventListener('pageshow', () => {
  contacted(document.querySelector('.cards :checked:not([checked])'));
  try {
    // Typed before a reload (islands/use-typed.ts).
    if (sessionStorage.offer) touch();
  } catch {
    // The browser blocks storage.
  }
});

/**
 * Shows the offline notice (components/Notices.astro). Here, in the islands' directive: as a separate script it doubled the
 * longest task after the first paint.
 */
function showOffline(): void {
  const notice = document.querySelector<HTMLElement>('#offline');
  // Assigning the same value would make the browser recalculate styles.
  if (notice && notice.hidden !== navigator.onLine) notice.hidden = navigator.onLine;
}

// `pageshow` fires after the first paint, and for a page from the back/forward cache, which missed the other events.
for (const type of ['online', 'offline', 'pageshow']) addEventListener(type, showOffline);
