/**
 * Shows the selected card's price and ways to buy with the press, as its own page does (components/Terms.astro,
 * WaysToBuy.astro). In each page that has any: bytes count. A script of its own, so that the others do without.
 */
export {};

// `detail` is null where no card is selected.
addEventListener('select-card', ({ detail }) => {
  const data: DOMStringMap = detail?.dataset ?? {};
  const { price, priceLang, buyNow, instalments } = data;
  const isFirst = !!(price && buyNow);
  const isBelow = !isFirst && !!(buyNow || instalments);
  const find = (selector: string) => document.querySelector<HTMLElement>(selector);
  find('.buy')?.toggleAttribute('hidden', !isFirst);
  find('.terms > .price')?.toggleAttribute('hidden', !price || isFirst);
  const ways = find('.ways');
  if (ways) ways.style.visibility = isBelow ? 'visible' : 'hidden';
  if (isBelow) ways?.removeAttribute('hidden');
  for (const part of document.querySelectorAll<HTMLElement>('[data-way]')) {
    const value = data[part.dataset.way ?? ''] ?? '';
    if (part instanceof HTMLAnchorElement) {
      part.hidden = !value;
      part.href = value;
    } else {
      part.textContent = part.closest('[hidden]') ? '' : value;
      part.translate = !!priceLang;
      if (priceLang) part.lang = priceLang;
      else part.removeAttribute('lang');
    }
  }
});
