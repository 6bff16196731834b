import { type Selection, selectDomain } from '../stores/selection.ts';

/**
 * Tells the store what is chosen among the cards (components/DomainCards.astro), also what was chosen before any script
 * was there. Answers how to end it.
 * @param initial what the page began with
 */
export function followCards(initial: Selection | null): () => void {
  const chosen = document.querySelector<HTMLInputElement>('.cards :checked');
  if (chosen && chosen.value !== initial?.name) selectDomain(selectionOf(chosen));

  // Not `change`: a click on the chosen card counts as well. Arrow keys click, too.
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
