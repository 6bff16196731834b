import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import type { FormPress } from '../page-scripts/remember-press.ts';
import type { OfferFields } from '../stores/offer.ts';
import { $press, endPress, restorePress, storePress, takePressBack } from '../stores/press.ts';

/**
 * Follows the press that page-scripts/remember-press.ts remembers in the form, also from before hydration, and shows there
 * whether it waits.
 * @param onPress called for each new press, with the time at which it is too old
 * @param fieldsOf what the form would send
 */
export function usePress(
  form: RefObject<HTMLFormElement | null>,
  onPress: (form: HTMLFormElement, until: number) => void,
  fieldsOf: (form: HTMLFormElement) => OfferFields,
): void {
  // Read during rendering, while a form that React recreates is still in the document.
  const [former] = useState(dataOfPage);
  const pressed = useEffectEvent(onPress);
  const restored = useEffectEvent((current: HTMLFormElement) => restorePress(() => fieldsOf(current)));
  useEffect(() => {
    const { current } = form;
    if (!current) return;
    const show = () => {
      const isWaiting = $press.get()?.status === 'waiting';
      if (!isWaiting) delete current.dataset.press;
      const button = current.querySelector('.action button');
      if (isWaiting) button?.setAttribute('aria-busy', 'true');
      else button?.removeAttribute('aria-busy');
    };
    const follow = () => {
      const press = current.dataset.press as FormPress | undefined;
      if (press === 'waiting') pressed(current, Number(current.dataset.until));
      else if (press) endPress(press);
      show();
    };
    Object.assign(current.dataset, { ...former, ...current.dataset });
    follow();
    const until = restored(current);
    if (until) Object.assign(current.dataset, { press: 'waiting', until });
    const stopShowing = $press.listen(show);
    show();
    const hide = () => (document.hidden ? storePress() : takePressBack());
    current.addEventListener('press', follow);
    document.addEventListener('visibilitychange', hide);
    return () => {
      stopShowing();
      current.removeEventListener('press', follow);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [form, former]);
}

function dataOfPage(): DOMStringMap {
  return { ...globalThis.document?.querySelector<HTMLElement>('#offer form')?.dataset };
}
