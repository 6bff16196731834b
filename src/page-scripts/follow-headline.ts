import { breakBeforeEnding } from '../domain-name/break-before-ending.ts';
import { sizeOf } from '../domain-name/size-of.ts';
import { $selected } from '../stores/selection.ts';

/** Shows the selected domain in the headline, as components/Headline.astro does. @returns a function that stops it */
export function followHeadline(): () => void {
  return $selected.subscribe((selected) => {
    if (selected) showInHeadline(selected.shown ?? selected.name);
  });
}

function showInHeadline(name: string): void {
  const headline = document.querySelector('h1');
  if (!headline) return;
  // What is below stays where it is.
  headline.style.minHeight = `${headline.getBoundingClientRect().height}px`;
  // The headline with a domain, for a page prerendered without one.
  const other = headline.parentElement?.querySelector('template');
  if (other) headline.replaceChildren(other.content);
  other?.remove();
  const strong = headline.querySelector('strong');
  if (!strong) return;
  const [stem, ending] = breakBeforeEnding(name);
  const dot = document.createElement('i');
  dot.append('.');
  strong.replaceChildren(stem, document.createElement('wbr'), dot, ending);
  strong.dataset.size = `${sizeOf(name)}`;
  const ofCard = document.querySelector('.cards :checked ~ span');
  if (!ofCard) return;
  // With its language: only some descriptions may be in that of the page.
  const description = ofCard.cloneNode(true) as HTMLElement;
  // Cards hide one that all have.
  description.hidden = false;
  document.querySelector('.described')?.replaceChildren(description);
}
