import { type Selection, selectDomain } from '../stores/selection.ts';

/**
 * Updates the store with the selected card (components/DomainCards.astro), also with one selected before hydration.
 * @param initial the selection that the page was prerendered with
 * @returns a function that stops it
 */
export function followCards(initial: Selection | null): () => void {
  const chosen = document.querySelector<HTMLInputElement>('.cards :checked');
  if (chosen && chosen.value !== initial?.name) selectDomain(selectionOf(chosen));

  // Not `change`: a click on the selected card clears a success too. Arrow keys also fire `click`.
  const follow = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.matches('.cards input'))
      selectDomain(selectionOf(target));
  };
  addEventListener('click', follow);
  return () => removeEventListener('click', follow);
}

function selectionOf({ value: name, dataset: { shown, broker } }: HTMLInputElement): Selection {
  return { name, ...(shown && { shown }), hasBroker: broker !== undefined };
}
