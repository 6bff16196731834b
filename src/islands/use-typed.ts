import { type RefObject, useEffect, useState } from 'react';

/**
 * Keeps the input typed before hydration, and the focus, also where React recreates the form because browser translation
 * or an extension changed its markup. Fields that React kept are not touched: autofill may be writing to them.
 */
export function useTyped(form: RefObject<HTMLFormElement | null>, submitted: boolean): void {
  // Read during rendering, while the old fields are still in the document.
  const [[fields, focused]] = useState(oldFields);
  useEffect(() => {
    for (const old of fields) {
      const field = form.current?.elements.namedItem(old.name);
      const isText =
        field instanceof HTMLInputElement ||
        (import.meta.env.OFFER_MESSAGE && field instanceof HTMLTextAreaElement);
      if (!isText || field === old) continue;
      field.value = old.value;
      if (old === focused) field.focus({ preventScroll: true });
    }
  }, [form, fields, focused]);

  // Over a reload of the same tab. Storage throws where the browser blocks it.
  useEffect(() => {
    const { current } = form;
    if (!current) return;
    try {
      if (submitted) sessionStorage.removeItem(KEY);
      const stored = new URLSearchParams(sessionStorage.getItem(KEY) ?? '');
      for (const field of current.querySelectorAll<Field>('[name]'))
        if (!field.value && stored.get(field.name)) {
          field.value = stored.get(field.name) ?? '';
          // A press before that saw an empty field.
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
    } catch {}
    // A folded message would be sent unseen.
    if (import.meta.env.OFFER_MESSAGE && current.querySelector('textarea')?.value)
      current.querySelector('details')?.setAttribute('open', '');
  }, [form, submitted]);
}

/** Of what page-scripts/remember-press.ts stores. */
const KEY = 'offer';

type Field = HTMLInputElement | HTMLTextAreaElement;

function oldFields(): [Field[], Element | null] {
  if (!globalThis.document) return [[], null];
  const fields = document.querySelectorAll<Field>(
    import.meta.env.OFFER_MESSAGE ? '#offer [name]' : '#offer input',
  );
  return [[...fields], document.activeElement];
}
