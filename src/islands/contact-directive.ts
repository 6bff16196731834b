import type { ClientDirective } from 'astro';

/**
 * `client:contact`: every island of the page hydrates with the visitor's first contact with any of them, so that
 * reading costs no script. Inlined into each page, hence small. The markup works before: a chosen card and typed
 * text are the browser's, and the islands take them over. Where the script does not arrive, the page says so
 * (components/Notices.astro), and the next contact tries again.
 */
const hydrateOnContact: ClientDirective = async (load, _options, island) => {
  for (;;) {
    const mine = contact;
    await mine;
    waiting.delete(island);
    island.addEventListener('astro:hydration-error', fail);
    await (await load())();
    document.querySelector('#not-loaded')?.toggleAttribute('hidden', waiting.size === 0);
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

let touch: () => void;
const nextContact = () =>
  new Promise<void>((resolve) => {
    touch = resolve;
  });
let contact = nextContact();

for (const type of ['pointerover', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'click', 'input']) {
  addEventListener(
    type,
    ({ target }) => {
      if (target instanceof Element && target.closest('astro-island')) touch();
    },
    { capture: true, passive: true },
  );
}
// A reload or the back button may bring back a choice that the page was not prerendered with.
addEventListener('pageshow', () => {
  if (document.querySelector('astro-island :checked:not([checked])')) touch();
});
