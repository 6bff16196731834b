import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Moves the focus on where an element had it that is removed with its component. @param heir gets the removed element */
export function useFocusBack(
  box: RefObject<HTMLElement | null>,
  heir: (removed: HTMLElement) => HTMLElement | null,
) {
  const last = useRef(heir);
  last.current = heir;
  useLayoutEffect(() => {
    const { current } = box;
    return () => {
      if (current?.contains(document.activeElement)) last.current(current)?.focus({ preventScroll: true });
    };
  }, [box]);
}
