import { type RefObject, useEffect, useState } from 'react';

/**
 * Keeps what was typed before hydration, and the focus, also where React has to make the form anew: a translated page,
 * or an extension that put something into it, is not the markup it expects. Fields that stay are left alone: a browser
 * may be filling them in meanwhile.
 */
export function useTyped(form: RefObject<HTMLFormElement | null>): void {
  // Taken while React renders: the old fields are still there, and hold what was typed when they are not any more.
  const [[fields, focused]] = useState(oldFields);
  useEffect(() => {
    for (const old of fields) {
      const field = form.current?.elements.namedItem(old.name);
      if (!(field instanceof HTMLInputElement) || field === old) continue;
      field.value = old.value;
      if (old === focused) field.focus({ preventScroll: true });
    }
  }, [form, fields, focused]);
}

function oldFields(): [HTMLInputElement[], Element | null] {
  if (!globalThis.document) return [[], null];
  return [[...document.querySelectorAll<HTMLInputElement>('#offer input')], document.activeElement];
}
