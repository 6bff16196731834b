import { useStore } from '@nanostores/react';
import { $selected, type Selection } from '../stores/selection.ts';

/**
 * The selected domain: the visitor's choice, before that the page's own (`initial`).
 * Hydration always starts from `initial`, as the prerendered markup does, even if another island was faster.
 */
export function useSelection(initial: Selection | null): Selection | null {
  return useStore($selected, { ssr: 'initial' }) ?? initial;
}
