import type { ClientDirective } from 'astro';

/**
 * `client:contact`: every island of the page hydrates with the visitor's first contact with any of them, so that
 * reading costs no script. Inlined into each page, hence small. The markup works before: a chosen card and typed
 * text are the browser's, and the islands take them over. Where the script does not arrive, the page says so
 * (components/Notices.astro), and the next contact tries again.
 */
const hydrateOnContact: ClientDirective = async (load) => {
  for (;;) {
    await contact;
    try {
      const hydrate = await load();
      say(false);
      return await hydrate();
    } catch {
      say(true);
      contact = nextContact();
    }
  }
};
export default hydrateOnContact;

function nextContact(): Promise<void> {
  return new Promise((resolve) => {
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
}

let contact = nextContact();

function say(notLoaded: boolean): void {
  document.querySelector('#not-loaded')?.toggleAttribute('hidden', !notLoaded);
}
