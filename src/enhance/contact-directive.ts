import type { ClientDirective } from 'astro';
import './connection-notice.ts';

/**
 * `client:contact`: all islands of the page hydrate on the visitor's first interaction with one of them or with a card,
 * so that reading loads no script. It is inlined into each page and therefore small: even Astro's `astro-island` element
 * is loaded with the islands (island.ts). Radio buttons and inputs work before hydration, and the islands keep their
 * values. If a script fails to load, a notice shows (components/Notices.astro), and the next interaction retries.
 */
const hydrateOnContact: ClientDirective = async (load, _options, island) => {
  for (;;) {
    const mine = contact;
    await mine;
    waiting.delete(island);
    island.addEventListener('astro:hydration-error', fail);
    await (await load())();
    showNotice(waiting.size > 0);
    if (!waiting.has(island)) return;
    if (contact === mine) contact = nextContact();
  }
};
export default hydrateOnContact;

/** Islands whose script failed to load. */
const waiting = new Set<EventTarget | null>();

/** Called after Astro has tried twice and logged the error. */
function fail({ currentTarget }: Event): void {
  waiting.add(currentTarget);
}

function showNotice(failed: boolean): void {
  document.querySelector('#not-loaded')?.toggleAttribute('hidden', !failed);
}

let touch: () => void;
const nextContact = () =>
  new Promise<void>((resolve) => {
    touch = resolve;
  });
let contact = nextContact();

let tries = 0;
let arriving = false;
/** Time after which the notice `not-loaded` shows. */
const ISLANDS_TIMEOUT_MS = 15_000;

/** Fetches the islands' scripts; the islands start by themselves. Some browsers cache a failed import, hence the query. */
async function fetchIslands(): Promise<void> {
  if (arriving || customElements.get('astro-island')) return;
  arriving = true;
  const again = tries++ ? `?${tries}` : '';
  const files = [...document.querySelectorAll('astro-island')].flatMap((island) =>
    ['component-url', 'renderer-url'].map((name) => island.getAttribute(name)),
  );
  const timeout = new Promise((_, reject) => setTimeout(reject, ISLANDS_TIMEOUT_MS));
  const all = files.map((file) => import(/* @vite-ignore */ file + again));
  await Promise.race([Promise.all(all), timeout]).catch(() => showNotice(true));
  arriving = false;
}

function contacted(target: EventTarget | null): void {
  if (!(target instanceof Element && target.closest('astro-island, .cards'))) return;
  touch();
  void fetchIslands();
}

for (const type of ['pointerover', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'click', 'input']) {
  addEventListener(type, ({ target }) => contacted(target), { capture: true, passive: true });
}
// Retries what failed to load while offline.
addEventListener('online', () => tries > 0 && contacted(document.querySelector('astro-island')));
// A reload or the back button may restore a selection that the page was not prerendered with.
addEventListener('pageshow', () => contacted(document.querySelector('.cards :checked:not([checked])')));
