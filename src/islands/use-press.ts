import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { Press } from '../page-scripts/remember-press.ts';

/**
 * The press on the button that page-scripts/remember-press.ts remembers, also from before hydration.
 * @param onPress called for each new press
 * @returns the press, and what ends it, without a message where there is no reason
 */
export function usePress(
  form: RefObject<HTMLFormElement | null>,
  onPress: () => void,
): [press: Press | undefined, end: (reason?: Press) => void] {
  const [press, setPress] = useState<Press>();
  // Read during rendering, while a form that React recreates is still in the document.
  const [former] = useState(dataOfPage);
  const pressed = useEffectEvent(onPress);
  useEffect(() => {
    const { current } = form;
    if (!current) return;
    const follow = () => {
      const now = current.dataset.press as Press | undefined;
      setPress(now);
      if (now === 'waiting') pressed();
    };
    Object.assign(current.dataset, { ...former, ...current.dataset });
    follow();
    current.addEventListener('press', follow);
    return () => current.removeEventListener('press', follow);
  }, [form, former]);

  const end = (reason?: Press) => {
    delete form.current?.dataset.press;
    setPress(reason);
  };
  return [press, end];
}

function dataOfPage(): DOMStringMap {
  return { ...globalThis.document?.querySelector<HTMLElement>('#offer form')?.dataset };
}
