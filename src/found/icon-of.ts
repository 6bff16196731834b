import { shownName } from '../catalogue/shown-name.ts';
import { ICON_LETTERS } from './icon-letters.ts';
import { pngOf } from './png.ts';

/** Width and height, in pixels: twice what a tab shows. */
export const ICON_SIZE = 32;

/**
 * The icon of a page, as a data URI: the first letter of its domain on a colour of its own, or a disc where none is
 * selected. In the page itself, so that it costs no request, and not as an SVG: for that a browser makes a document of
 * its own, which holds up the page for longer than laying it out.
 */
export function iconOf(domain?: string): string {
  const letter = domain && ICON_LETTERS[letterOf(domain)];
  const colour = domain ? colourOf(domain) : ACCENT;
  const rows = Buffer.from(letter || (ICON_LETTERS.disc ?? ''), 'base64');
  const picture = letter ? onPaper(colour) : asDisc(colour);
  const png = pngOf({ width: ICON_SIZE, height: ICON_SIZE, depth: 2, rows, ...picture });
  return `data:image/png;base64,${png.toString('base64')}`;
}

type Colour = readonly [red: number, green: number, blue: number];

/** As `accent` in src/styles/tokens.css, and lighter: it is seen on light and on dark. */
const ACCENT: Colour = [0x2f, 0x4b, 0xd8];

/** Without its accent, where it has one. A disc stands for all letters that are not drawn. */
function letterOf(domain: string): string {
  return shownName(domain).normalize('NFD').charAt(0).toUpperCase();
}

/** The corners, the paper, the letter's edge and the letter. */
function onPaper(paper: Colour) {
  const edge = paper.map((channel) => Math.round((channel + 255) / 2));
  return { palette: [...paper, ...paper, ...edge, 255, 255, 255], opacity: [0] };
}

/** What is around it, the disc and its edge. */
function asDisc(colour: Colour) {
  return { palette: [...colour, ...colour, ...colour], opacity: [0, 255, 128] };
}

/** Always the same for a name, and so dark and strong that white can be read on it: hsl(hue, 60 %, 30 %). */
function colourOf(domain: string): Colour {
  let hue = 0;
  for (const character of domain) hue = (hue * 31 + character.charCodeAt(0)) % 360;
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (0.3 - 0.18 * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
