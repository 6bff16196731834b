/**
 * Remembers a press on the offer form's button, also while that is disabled, and Enter in a field, as the form's `data-press`,
 * and until when, which a device that sleeps passes without the timer. From hydration on stores/press.ts carries it out
 * (islands/use-press.ts); both read it there, and the event `press` reports each change.
 * Editing any field, choosing another card or 15 minutes end it: nothing may be sent that the visitor did not see at the press.
 * In every page: bytes count.
 */

const PRESS_TIMEOUT_MS = 900_000;

let timeout: ReturnType<typeof setTimeout>;

function setPress(press: 'waiting' | 'changed' | 'late', isEnabled = false): void {
  const form = document.querySelector<HTMLFormElement>('#offer form');
  const button = form?.querySelector<HTMLButtonElement>('.action button');
  const isBegun = press === 'waiting';
  if (!form || !(isBegun ? button?.disabled !== isEnabled : form.dataset.press === 'waiting')) return;
  form.dataset.press = press;
  form.dataset.until = `${Date.now() + PRESS_TIMEOUT_MS}`;
  button?.setAttribute('aria-busy', `${isBegun}`);
  form.dispatchEvent(new Event('press'));
  clearTimeout(timeout);
  if (isBegun) timeout = setTimeout(setPress, PRESS_TIMEOUT_MS, 'late');
}

addEventListener('click', ({ target }) => {
  if ((target as Element).matches('.action')) setPress('waiting');
});
// Enter, but not one that ends a composition: there Safari has only another code.
addEventListener('keydown', ({ target, keyCode }) => {
  if (keyCode === 13 && (target as Element).matches('#offer input')) setPress('waiting');
});
// A press on the button while it is enabled.
addEventListener('submit', () => setPress('waiting', true), true);
// Cards are fields, too.
addEventListener('input', ({ target }) => {
  setPress('changed');
  const { form } = target as HTMLInputElement;
  try {
    // For islands/use-typed.ts, also of a page that is left before hydration.
    if (form) sessionStorage.offer = new URLSearchParams(new FormData(form) as never);
  } catch {
    // The browser blocks storage.
  }
});

export type FormPress = Parameters<typeof setPress>[0];
