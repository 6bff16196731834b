import { $selected, deselectDomain, selectDomain } from '../stores/selection.ts';

/** Name of the domain that was selected, and is not among the cards that are shown. */
let missing: string | undefined;

/**
 * Updates the store with the selected card (components/DomainCards.astro), also with one selected before hydration.
 * @returns a function that stops it
 */
export function followCards(): () => void {
  const chosen = document.querySelector<HTMLInputElement>('.cards :checked');
  if (chosen) select(chosen);
  // Results of a search have come before.
  if (chosen && !isVisible(chosen)) reselect();

  // Not `change`: a click on the selected card clears a success too. Arrow keys also fire `click`.
  const follow = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.matches('.cards input')) select(target);
  };
  addEventListener('click', follow);
  const stopSorting = followSorting();
  return () => {
    removeEventListener('click', follow);
    stopSorting();
  };
}

/**
 * After other cards are shown, or more is known of them: the selected one is one of them, or none is selected until it is shown
 * again or the visitor selects another. The page's script (show-selected-card.ts) shows it.
 */
export function reselect(): void {
  const selected = $selected.get();
  const name = selected?.name ?? missing;
  if (!name) return;
  const cards = [...document.querySelectorAll<HTMLInputElement>('.cards input')];
  const detail = cards.find((card) => card.value === name && isVisible(card));
  if (detail && !selected) select(detail);
  if (!detail && selected) deselectDomain();
  missing = detail ? undefined : name;
  if (detail || selected) dispatchEvent(new CustomEvent('select-card', { detail }));
}

function isVisible({ labels }: HTMLInputElement): boolean {
  return !!labels?.[0]?.getClientRects().length;
}

/** Sorts the page's cards by price (components/DomainCards.astro). */
function followSorting(): () => void {
  const select = document.querySelector<HTMLSelectElement>('.sort select');
  const cards = [...document.querySelectorAll<HTMLElement>('.cards > .card')];
  const placeOf = (card: HTMLElement) => {
    const { rank } = card.dataset;
    if (!select?.value) return 0;
    return rank === undefined ? cards.length : select.value === 'up' ? Number(rank) : -rank;
  };
  const sort = () => {
    const { activeElement } = document;
    cards[0]?.parentElement?.append(...[...cards].sort((one, other) => placeOf(one) - placeOf(other)));
    // A card that is moved loses it.
    if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  };
  // Chosen before hydration.
  if (select?.value) sort();
  select?.addEventListener('change', sort);
  return () => select?.removeEventListener('change', sort);
}

function select({ value: name, dataset: { shown, minimum } }: HTMLInputElement): void {
  missing = undefined;
  selectDomain({ name, ...(shown && { shown }), ...(minimum && { hasMinimum: true }) });
}
