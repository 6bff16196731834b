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
  const letter = domain && letterOf(domain);
  const picture = letter && letter in ICON_LETTERS ? letter : 'disc';
  const turn = domain ? turnOf(domain) : undefined;
  const of = `${picture} ${turn}`;
  let icon = icons.get(of);
  if (!icon) {
    icon = drawn(picture, turn === undefined ? ACCENT : colourAt(turn));
    icons.set(of, icon);
  }
  return icon;
}
/** Ten thousand domains share a thousand of them. */
const icons = new Map<string, string>();

function drawn(picture: string, colour: Colour): string {
  const isDisc = picture === 'disc';
  const png = pngOf({
    width: ICON_SIZE,
    height: ICON_SIZE,
    depth: 2,
    palette: isDisc ? asDisc(colour) : onPaper(colour),
    opacity: isDisc ? [0, 255, 128] : [0],
    rows: Buffer.from(ICON_LETTERS[picture] ?? '', 'base64'),
  });
  return `data:image/png;base64,${png.toString('base64')}`;
}

type Colour = readonly [red: number, green: number, blue: number];

/** The light form of `accent` in src/styles/tokens.css, in every scheme: a tab may be light or dark in either. */
const ACCENT: Colour = [0x2f, 0x4b, 0xd8];

/** Without its accent, where it has one. A disc stands for all letters that are not drawn. */
function letterOf(domain: string): string {
  return shownName(domain).normalize('NFD').charAt(0).toUpperCase();
}

/** The corners, which are not seen, the paper, the letter's edge and the letter. */
function onPaper(paper: Colour): number[] {
  const edge = paper.map((channel) => Math.round((channel + 255) / 2));
  return [...paper, ...paper, ...edge, 255, 255, 255];
}

/** What is around it, which is not seen, the disc, and its edge, which is half seen. */
function asDisc(colour: Colour): number[] {
  return [...colour, ...colour, ...colour];
}

/** As many colours, all around the circle. */
const TURNS = 36;

/** Where on the circle a name's colour is: always the same. */
function turnOf(domain: string): number {
  let turn = 0;
  for (const character of domain) turn = (turn * 31 + character.charCodeAt(0)) % TURNS;
  return turn;
}

/** So dark and strong that white can be read on it: hsl(hue, 60 %, 30 %). */
function colourAt(turn: number): Colour {
  const channel = (offset: number) => {
    const at = (offset + (turn * 12) / TURNS) % 12;
    return Math.round(255 * (0.3 - 0.18 * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
