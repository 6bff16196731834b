import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the heading of the list where the row that had it is gone: an offer that was given another status
 * leaves a list of one status. Otherwise the keyboard would start at the top of the page.
 * @param list changes with the rows
 */
export function useFocusAfterRow(list: unknown): void {
  const focused = useRef<Element | null>(null);

  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element && target.closest('tr') ? target : null;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a row can only leave with another list
  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement !== document.body) return;
    document.getElementById('offers-title')?.focus({ preventScroll: true });
  }, [list]);
}
