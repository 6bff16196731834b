import type { ClientDirective } from 'astro';

/**
 * `client:contact`: every island of the page hydrates with the visitor's first contact with any of them, so that
 * reading costs no script. Inlined into each page, hence small. The markup works before: a chosen card and typed
 * text are the browser's, and the islands take them over.
 */
const hydrateOnContact: ClientDirective = async (load) => {
  await contact;
  const hydrate = await load();
  await hydrate();
};
export default hydrateOnContact;

const contact = new Promise<void>((resolve) => {
  for (const type of ['pointerover', 'pointerdown', 'touchstart', 'focusin', 'keydown', 'click', 'input']) {
    addEventListener(
      type,
      ({ target }) => {
        if (target instanceof Element && target.closest('astro-island')) resolve();
      },
      { capture: true, passive: true },
    );
  }
  // A reload or the back button may bring back a choice that the page was not prerendered with.
  addEventListener('pageshow', () => {
    if (document.querySelector('astro-island :checked:not([checked])')) resolve();
  });
});
