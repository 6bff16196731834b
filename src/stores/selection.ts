import { atom } from 'nanostores';
import { selectForBotCheck } from './bot-check.ts';
import { startOver } from './offer.ts';

/** What the headline, the form and the broker panel need to know of the selected domain. */
export interface Selection {
  /** As it is addressed and offered for. */
  name: string;
  /** As a person reads it, where that is another text; a browser cannot decode an `xn--` name. */
  shown?: string;
  hasBroker: boolean;
}

/**
 * The domain the visitor has chosen; null until then, and the page's own domain counts.
 * Never set while a page is prerendered: all pages of a build share this module.
 */
export const $selected = atom<Selection | null>(null);

/** Chooses a domain. An earlier success or error is about another offer and goes away. */
export function selectDomain(selection: Selection): void {
  $selected.set(selection);
  selectForBotCheck(selection.name);
  startOver();
}
