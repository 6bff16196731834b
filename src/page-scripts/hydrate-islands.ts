/**
 * The script of pages with islands (components/Island.astro): all of them hydrate on the visitor's first interaction with one,
 * with a card or with the cards' order, so that reading loads no script. Radio buttons and inputs work before, and the islands keep their values.
 * If a script fails to load, a notice shows (components/Notices.astro), and the next interaction retries, or a pause that grows.
 */
import './remember-press.ts';
import './show-selected-card.ts';

/** Time after which a try that goes on counts as failed. */
const SCRIPTS_TIMEOUT_MS = 15_000;

/** Lets the next try begin. */
let touch: () => void;
/** Whether the last try failed. */
let failed = false;

async function hydrateIslands(): Promise<void> {
  for (let pauseMs = 10_000; ; pauseMs = Math.min(pauseMs * 2, 60_000)) {
    await new Promise<void>((begin) => {
      touch = begin;
    });
    failed = await Promise.race([
      loadScripts().then(
        () => false,
        () => true,
      ),
      new Promise<boolean>((end) => setTimeout(end, SCRIPTS_TIMEOUT_MS, true)),
    ]);
    showNotice(failed);
    if (!failed) return;
    setTimeout(() => touch(), pauseMs);
  }
}

/**
 * Loads what hydrates the islands, and then what they need after that: each in one round, by the lists that the build wrote.
 * First by `fetch`, which can be repeated if it fails: a failed import of a module only after a reload of the page
 * (whatwg/html#6768).
 */
async function loadScripts(): Promise<void> {
  const islands = [...document.querySelectorAll<HTMLElement>('[data-island]')];
  const loaded: Promise<unknown>[] = [];
  for (const round of ['island', 'then']) {
    const lists = islands.map(({ dataset }) => dataset[round]?.split(' ').map(urlOf) ?? []);
    await Promise.all(
      [...new Set(lists.flat())].map(async (url) => {
        const response = await fetch(url);
        if (!response.ok) throw new Error(url);
        // To its end, so that it is in the browser's cache.
        await response.text();
      }),
    );
    for (const [url] of lists) if (url) loaded.push(import(/* @vite-ignore */ url));
  }
  await Promise.all(loaded);
}

/** @param script of a build the file's name, in `astro dev` the path */
function urlOf(script: string): string {
  return import.meta.env.DEV ? script : `/_astro/${script}.js`;
}

function showNotice(isMissing: boolean): void {
  document.querySelector('#not-loaded')?.toggleAttribute('hidden', !isMissing);
}

void hydrateIslands();
// `pointerover` comes before all other events of a mouse or finger. A mouse that stays sends none again: `click` retries then.
for (const type of ['pointerover', 'focusin', 'keydown', 'click', 'input'])
  addEventListener(
    type,
    ({ target }) => {
      if (target instanceof Element && target.closest('[data-island], .cards, .sort')) touch();
    },
    true,
  );
// Retries what failed to load while offline.
addEventListener('online', () => failed && touch());

// `pageshow` fires after the first paint, and for a page from the back/forward cache, which missed the other events.
for (const type of ['online', 'offline', 'pageshow'])
  addEventListener(type, () =>
    document.querySelector('#offline')?.toggleAttribute('hidden', navigator.onLine),
  );
addEventListener('pageshow', () => {
  try {
    // Typed before a reload (islands/use-typed.ts).
    if (sessionStorage.offer) touch();
  } catch {
    // The browser blocks storage.
  }
});
