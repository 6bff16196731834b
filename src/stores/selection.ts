import { atom } from 'nanostores';
import { selectForBotCheck } from './bot-check.ts';
import { startOver } from './offer.ts';

/** The selected domain. The headline, the form's line and the broker panel show it by page-scripts/show-selected-card.ts. */
export interface Selection {
  /** In ASCII, as in URLs and offers. */
  name: string;
  /** Decoded, where that differs: a browser cannot decode an `xn--` name. */
  shown?: string;
  /** Whether it has a minimum, whose amount is on no page. */
  hasMinimum?: true;
}

/**
 * The selected card's domain; null where none is selected, and until the form is hydrated.
 * Never set while a page is prerendered: all pages of a build share this module.
 */
export const $selected = atom<Selection | null>(null);

/** Selects none: the selected one is not among the domains that the page shows any more. */
export function deselectDomain(): void {
  $selected.set(null);
  startOver();
}

/** Selects a domain and clears the success or error of an earlier offer. */
export function selectDomain(selection: Selection): void {
  $selected.set(selection);
  selectForBotCheck(selection.name);
  startOver();
}
