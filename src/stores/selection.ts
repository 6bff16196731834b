import { atom } from 'nanostores';
import { selectForBotCheck } from './bot-check.ts';
import { startOver } from './offer.ts';

/** The selected domain, for the headline, the form and the broker panel. */
export interface Selection {
  /** In ASCII, as in URLs and offers. */
  name: string;
  /** Decoded, where that differs: a browser cannot decode an `xn--` name. */
  shown?: string;
  /** Whether the broker's page is linked; absent: the broker panel does not show. */
  hasBroker?: boolean;
}

/**
 * The domain that the visitor has selected; null until then, when the page's own domain applies.
 * Never set while a page is prerendered: all pages of a build share this module.
 */
export const $selected = atom<Selection | null>(null);

/** Selects a domain and clears the success or error of an earlier offer. */
export function selectDomain(selection: Selection): void {
  $selected.set(selection);
  selectForBotCheck(selection.name);
  startOver();
}
