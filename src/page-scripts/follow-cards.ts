import { selectDomain } from '../stores/selection.ts';

/**
 * Updates the store with the selected card (components/DomainCards.astro), also with one selected before hydration.
 * @returns a function that stops it
 */
export function followCards(): () => void {
  const chosen = document.querySelector<HTMLInputElement>('.cards :checked');
  if (chosen) select(chosen);

  // Not `change`: a click on the selected card clears a success too. Arrow keys also fire `click`.
  const follow = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.matches('.cards input')) select(target);
  };
  addEventListener('click', follow);
  return () => removeEventListener('click', follow);
}

function select({ value: name, dataset: { shown } }: HTMLInputElement): void {
  selectDomain({ name, ...(shown && { shown }) });
}
