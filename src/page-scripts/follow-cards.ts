import { type Selection, selectDomain } from '../stores/selection.ts';

/**
 * Updates the store with the selected card (components/DomainCards.astro), also with one selected before hydration. The
 * selection is kept in the URL's fragment (components/Storefront.astro), without a new entry in the history.
 * @param initial the selection that the page was prerendered with
 * @returns a function that stops it
 */
export function followCards(initial: Selection | null): () => void {
  const chosen = document.querySelector<HTMLInputElement>('.cards :checked');
  if (chosen && chosen.value !== initial?.name) select(chosen, location.hash !== `#${chosen.value}`);

  // Not `change`: a click on the selected card clears a success too. Arrow keys also fire `click`.
  const follow = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.matches('.cards input')) select(target, true);
  };
  addEventListener('click', follow);
  return () => removeEventListener('click', follow);
}

/** @param now whether the visitor selects it now, instead of returning to it */
function select(card: HTMLInputElement, now: boolean): void {
  const { value: name, dataset } = card;
  const { shown, broker } = dataset;
  selectDomain({ name, ...(shown && { shown }), ...(broker && { hasBroker: broker === 'true' }) });
  history.replaceState(null, '', `#${name}`);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.languages a')) link.hash = name;
  // Arrow keys keep the card in view. The style sheet decides whether the scrolling is smooth.
  if (now && !card.matches(':focus-visible'))
    document.querySelector('#offer')?.scrollIntoView({ block: 'nearest' });
}
