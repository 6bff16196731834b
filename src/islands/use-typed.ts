import { type RefObject, useEffect, useState } from 'react';

/**
 * Keeps what was typed before hydration, and the focus, also where React has to make the form anew: a translated page,
 * or an extension that put something into it, is not the markup it expects.
 */
export function useTyped(form: RefObject<HTMLFormElement | null>): void {
  // Read while React renders: the old fields are still there.
  const [typed] = useState(readForm);
  useEffect(() => {
    for (const [name, value, focused] of typed) {
      const field = form.current?.elements.namedItem(name);
      if (!(field instanceof HTMLInputElement) || field.value === value) continue;
      field.value = value;
      if (focused) field.focus({ preventScroll: true });
    }
  }, [form, typed]);
}

function readForm() {
  if (!globalThis.document) return [];
  const fields = document.querySelectorAll<HTMLInputElement>('#offer input');
  return [...fields].map((field) => [field.name, field.value, field === document.activeElement] as const);
}
