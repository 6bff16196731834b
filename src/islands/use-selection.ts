import { useStore } from '@nanostores/react';
import { $selected, type Selection } from '../stores/selection.ts';

/**
 * The selected domain: the visitor's selection, or the page's own domain (`initial`) before that.
 * Hydration always starts from `initial`, like the prerendered markup, even if another island was hydrated first.
 */
export function useSelection(initial: Selection | null): Selection | null {
  return useStore($selected, { ssr: 'initial' }) ?? initial;
}
