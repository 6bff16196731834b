/**
 * Shows the selected card's domain (components/DomainCards.astro) in the headline, the title, the form's line and the broker
 * panel, and keeps it in the URL's fragment (components/Storefront.astro). All of that is plain HTML and changes with the
 * press: React, which comes seconds later on a slow phone, renders none of it. In every page: bytes count.
 */
export {};

declare global {
  interface WindowEventMap {
    /** A card was selected. follow-ways-to-buy.ts listens, too. */
    'select-card': CustomEvent<HTMLInputElement>;
  }
}

/** Of the headline before it changes. Measured when the layout is known: later it would be computed once more. */
let height = 0;

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);
const findAll = <E extends HTMLElement>(selector: string) => document.querySelectorAll<E>(selector);

function measure(): void {
  height = find('h1')?.getBoundingClientRect().height ?? 0;
}

function show(card: HTMLInputElement): void {
  const { value, dataset, nextElementSibling } = card;
  const name = nextElementSibling as HTMLElement;
  // What takes the place of texts of a page without a domain.
  for (const template of findAll<HTMLTemplateElement>('template[data-of]')) {
    find(template.dataset.of ?? '')?.replaceChildren(template.content);
    template.remove();
  }
  const text = name.textContent;
  document.title = find('h1')?.dataset.title?.replace('{domain}', text) ?? '';
  for (const other of findAll('.for strong, .broker strong')) other.textContent = text;
  const strong = find('h1 strong');
  strong?.replaceChildren(...name.cloneNode(true).childNodes);
  if (strong) strong.dataset.size = name.dataset.size;
  const description = card.parentElement?.querySelector('span')?.cloneNode(true) as HTMLElement | undefined;
  if (description) {
    // Cards hide one that all have. With its language: only some descriptions may be in that of the page.
    description.hidden = false;
    find('.described')?.replaceChildren(description);
  }
  const broker = find('.broker');
  if (broker) broker.dataset.of = dataset.broker ?? '';
  const link = find<HTMLAnchorElement>('.broker a');
  if (link) link.href = (link.dataset.of ?? '').replaceAll('{domain}', value);
  // Until here the style sheets hide the price and the ways to buy of the page's own domain.
  for (const other of findAll<HTMLInputElement>('.cards input')) other.defaultChecked = other === card;
  // In the frame that paints this, which computes the layout anyway.
  requestAnimationFrame(() => {
    history.replaceState(null, '', `#${value}`);
    for (const other of findAll<HTMLAnchorElement>('.languages a')) other.hash = value;
  });
}

function select(card: HTMLInputElement): void {
  dispatchEvent(new CustomEvent('select-card', { detail: card }));
}

for (const type of ['pointerdown', 'keydown']) addEventListener(type, measure, true);

addEventListener('select-card', ({ detail }) => show(detail));

// Not `change`: a click on the selected card clears a success too, and scrolls to the form. Arrow keys also fire `click`.
addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches('.cards input'))) return;
  // What is below the headline stays where it is.
  const headline = find('h1');
  if (headline) headline.style.minHeight = `${height}px`;
  select(target);
  // Arrow keys keep the card in view. The style sheet decides whether the scrolling is smooth.
  if (!target.matches(':focus-visible'))
    requestAnimationFrame(() => find('#offer')?.scrollIntoView({ block: 'nearest' }));
});

// The URL's fragment, a reload or the back button may have selected another card than the page was prerendered with.
for (const type of ['DOMContentLoaded', 'pageshow'])
  addEventListener(type, () => {
    const card = find<HTMLInputElement>('.cards :checked:not([checked])');
    if (card) select(card);
  });
