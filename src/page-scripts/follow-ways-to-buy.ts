/**
 * Shows the selected card's price and ways to buy with the press, as its own page does (components/Terms.astro,
 * WaysToBuy.astro). In each page that has any: bytes count. A script of its own, so that the others do without.
 */
export {};

/** @param card null: none is selected */
function show(card: HTMLInputElement | null): void {
  const data: DOMStringMap = card?.dataset ?? {};
  const { price, buyNow, instalments } = data;
  const isFirst = !!(price && buyNow);
  toggle('.buy', isFirst);
  toggle('.terms > .price', !!price && !isFirst);
  const ways = document.querySelector<HTMLElement>('.ways');
  const isBelow = !isFirst && !!(buyNow || instalments);
  if (ways) ways.style.visibility = isBelow ? 'visible' : 'hidden';
  if (isBelow) ways?.removeAttribute('hidden');
  for (const part of document.querySelectorAll<HTMLElement>('[data-way]')) {
    const value = data[part.dataset.way ?? ''] ?? '';
    if (part instanceof HTMLAnchorElement) {
      part.hidden = !value;
      part.href = value;
    } else part.textContent = part.closest('[hidden]') ? '' : value;
  }
}

function toggle(selector: string, isShown: boolean): void {
  document.querySelector(selector)?.toggleAttribute('hidden', !isShown);
}

addEventListener('select-card', ({ detail }) => show(detail));
