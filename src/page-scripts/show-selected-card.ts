/**
 * Shows the selected card's domain (components/DomainCards.astro, islands/DomainSearch.tsx) in the headline, the title, the
 * form's line and the broker panel, and keeps it in the URL's fragment (components/Storefront.astro). All of that is plain HTML
 * and changes with the press: React, which comes seconds later on a slow phone, renders none of it. In every page: bytes count.
 */
export {};

declare global {
  interface WindowEventMap {
    /** A card was selected; null: none is any more. follow-ways-to-buy.ts listens, too. */
    'select-card': CustomEvent<HTMLInputElement | null>;
  }
}

/** Of the page as it came. */
const { title } = document;

/** Whether a page without a domain of its own shows one. */
let isShown = false;
/** What changes above the form, with its height before. Measured when the layout is known: later it would be computed once more. */
let heights: [part: HTMLElement, height: number][] = [];

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);
const findAll = <E extends HTMLElement>(selector: string) => document.querySelectorAll<E>(selector);

function measure(): void {
  heights = [...findAll('h1, .lead, .hero .terms')].map((part) => [
    part,
    part.getBoundingClientRect().height,
  ]);
}

function show(card: HTMLInputElement | null): void {
  if (isShown === !card) swapTexts();
  isShown = !!card;
  document.title = title;
  showBroker(card ? (card.dataset.broker ?? '') : 'unselected');
  if (card) insert(card);
  for (const other of findAll<HTMLInputElement>('.cards input')) {
    // Cards of the page and of its search are groups of their own.
    other.checked = other === card;
    // Until here the style sheets hide the price and the ways to buy of the page's own domain.
    other.defaultChecked = other === card;
  }
  // In the frame that paints this, which computes the layout anyway.
  requestAnimationFrame(() => {
    const hash = card ? `#${card.value}` : '';
    // Browsers limit how often.
    if (location.hash !== hash) history.replaceState(null, '', hash || location.pathname + location.search);
    for (const other of findAll<HTMLAnchorElement>('.languages a')) other.hash = hash;
  });
}

/** Swaps the texts of a page without a domain and those with one, which are in templates. */
function swapTexts(): void {
  for (const template of findAll<HTMLTemplateElement>('template[data-of]')) {
    const place = find(template.dataset.of ?? '');
    const texts = [...(place?.childNodes ?? [])];
    place?.replaceChildren(template.content);
    template.content.append(...texts);
  }
}

/** Swaps the broker panel and the one in the template of this state; without one, the state is shown (BrokerPanel.astro). */
function showBroker(state: string): void {
  const template = find<HTMLTemplateElement>(`template[data-broker="${state}"]`);
  if (!template) return;
  const shown = find('.broker');
  template.before(template.content);
  template.dataset.broker = shown?.dataset.broker ?? '';
  if (shown) template.content.append(shown);
}

function insert({ value, nextElementSibling, parentElement }: HTMLInputElement): void {
  const name = nextElementSibling as HTMLElement;
  const text = name.textContent;
  document.title = find('h1')?.dataset.title?.replace('{domain}', text) ?? '';
  for (const other of findAll('h1 strong, .for strong, .broker strong')) {
    other.textContent = text;
    other.dataset.size = name.dataset.size;
  }
  find('h1 strong')?.replaceChildren(...name.cloneNode(true).childNodes);
  const description = parentElement?.querySelector('span')?.cloneNode(true) as HTMLElement | undefined;
  if (description) {
    // Cards hide one that all have. With its language: only some descriptions may be in that of the page.
    description.hidden = false;
    find('.described')?.replaceChildren(description);
  }
  const link = find<HTMLAnchorElement>('.broker a');
  if (link) link.href = (link.dataset.of ?? '').replaceAll('{domain}', value);
}

function select(card: HTMLInputElement): void {
  dispatchEvent(new CustomEvent('select-card', { detail: card }));
}

for (const type of ['pointerdown', 'keydown']) addEventListener(type, measure, true);

addEventListener('select-card', ({ detail }) => show(detail));

// Not `change`: a click on the selected card clears a success too, and scrolls to the form. Arrow keys also fire `click`.
addEventListener('click', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches('.cards input'))) return;
  // What is below stays where it is.
  for (const [part, height] of heights) part.style.minHeight = `${height}px`;
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
