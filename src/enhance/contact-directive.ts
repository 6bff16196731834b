import type { ClientDirective } from 'astro';
import './connection-notice.ts';

/**
 * `client:contact`: every island of the page hydrates with the visitor's first contact with any of them, or with a
 * card, so that reading costs no script. Inlined into each page, hence small: not even Astro's own element for islands
 * is there before (island.ts). The markup works before: a chosen card and typed text are the browser's, and the islands
 * take them over. Where the script does not arrive, the page says so (components/Notices.astro), and the next contact
 * tries again.
 */
const hydrateOnContact: ClientDirective = async (load, _options, island) => {
  for (;;) {
    const mine = contact;
    await mine;
    waiting.delete(island);
    island.addEventListener('astro:hydration-error', fail);
    await (await load())();
    say(waiting.size > 0);
    if (!waiting.has(island)) return;
    if (contact === mine) contact = nextContact();
  }
};
export default hydrateOnContact;

/** Islands whose script did not arrive. */
const waiting = new Set<EventTarget | null>();

/** Astro has tried twice by then, and tells the console why. */
function fail({ currentTarget }: Event): void {
  waiting.add(currentTarget);
}

function say(failed: boolean): void {
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

/** Fetches all that the islands are made of; they start by themselves. Some browsers remember what failed to arrive. */
async function fetchIslands(): Promise<void> {
  if (arriving || customElements.get('astro-island')) return;
  arriving = true;
  const again = tries++ ? `?${tries}` : '';
  const files = [...document.querySelectorAll('astro-island')].flatMap((island) =>
    ['component-url', 'renderer-url'].map((name) => island.getAttribute(name)),
  );
  const late = new Promise((_, give) => setTimeout(give, ISLANDS_TIMEOUT_MS));
  const all = files.map((file) => import(/* @vite-ignore */ file + again));
  await Promise.race([Promise.all(all), late]).catch(() => say(true));
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
// What did not arrive for want of a network.
addEventListener('online', () => tries > 0 && contacted(document.querySelector('astro-island')));
// A reload or the back button may bring back a choice that the page was not prerendered with.
addEventListener('pageshow', () => contacted(document.querySelector('.cards :checked:not([checked])')));
