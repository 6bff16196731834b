import { shownName } from '../catalogue/shown-name.ts';

/**
 * The icon of a page, as a data URI: the first letter of its domain on a colour of its own, or a dot where none is
 * selected. In the page itself, so that it costs no request.
 */
export function iconOf(domain?: string): string {
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'>${domain ? letter(domain) : DOT}</svg>`;
}

const DOT = "<circle cx='8' cy='8' r='7' fill='%232f4bd8'/>";

function letter(domain: string): string {
  const [first = ''] = shownName(domain).toUpperCase();
  return `<rect width='16' height='16' rx='4' fill='hsl(${hueOf(domain)},60%25,30%25)'/><text x='8' y='12' fill='white' font-family='sans-serif' font-size='11' font-weight='700' text-anchor='middle'>${encodeURIComponent(first)}</text>`;
}

/** From 0 to 359: always the same for a name. So dark and strong, white can be read on any of them. */
function hueOf(domain: string): number {
  let hue = 0;
  for (const character of domain) hue = (hue * 31 + character.charCodeAt(0)) % 360;
  return hue;
}
