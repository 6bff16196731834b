import sharp from 'sharp';
import { shownName } from '../catalogue/shown-name.ts';
import './inter.ts';

/** Width and height, in pixels: twice what a tab shows. */
export const ICON_SIZE = 32;
/** Number of different colours, evenly spread over all hues. */
const COLOURS = 36;
/** Four need 2 bits a pixel. Each page contains its icon, and with 16 colours it is 100 to 180 bytes larger. */
const COLOURS_IN_ICON = 4;
const WHITE = [255, 255, 255];
/** The byte of a pixel at the left of the letter, where it never reaches. */
const OWN_COLOUR_AT = ((ICON_SIZE / 2) * ICON_SIZE + 4) * 4;

/** The light form of `accent` in src/styles/tokens.css, in every scheme: a tab may be light or dark in either. */
const ACCENT = '#2a23e0';

/** By SVG: ten thousand domains share a thousand of them. */
const icons = new Map<string, Promise<string>>();

/**
 * The icon of a page, as a data URI: the first letter of its domain on a colour of its own, or a disc without a domain
 * and for letters other than A to Z. It is part of the page, so that it costs no request, and a PNG, because browsers
 * create a second document for an SVG icon, which takes longer than the page's layout.
 * @param accent colour of the disc, `#rrggbb`
 */
export function iconOf(domain?: string, accent = ACCENT): Promise<string> {
  const svg = svgOf(domain, accent);
  const icon = icons.get(svg) ?? draw(svg);
  icons.set(svg, icon);
  return icon;
}

function svgOf(domain: string | undefined, accent: string): string {
  const colour = domain ? `hsl(${hueOf(domain)},60%,30%)` : accent;
  const letter = domain && letterOf(domain);
  const shape = letter
    ? `<rect width="32" height="32" rx="7" fill="${colour}"/><text x="16" y="24.7" text-anchor="middle" font-family="Inter" font-weight="700" font-size="24" fill="#fff">${letter}</text>`
    : `<circle cx="16" cy="16" r="14" fill="${colour}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${ICON_SIZE}" height="${ICON_SIZE}">${shape}</svg>`;
}

async function draw(svg: string): Promise<string> {
  const size = { width: ICON_SIZE, height: ICON_SIZE, channels: 4 } as const;
  const drawn = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
  const png = await sharp(inFewColours(drawn), { raw: size })
    .png({ palette: true, colours: COLOURS_IN_ICON, dither: 0 })
    .toBuffer();
  return `data:image/png;base64,${withoutDensity(png).toString('base64')}`;
}

/** Every pixel in the nearest of four colours: none, the icon's, white, and the one between these two. */
function inFewColours(drawn: Buffer): Buffer {
  const own = [...drawn.subarray(OWN_COLOUR_AT, OWN_COLOUR_AT + 3)];
  const lighter = own.map((channel) => Math.round((channel + 255) / 2));
  const result = Buffer.alloc(drawn.length);
  for (let at = 0; at < drawn.length; at += 4) {
    if ((drawn[at + 3] ?? 0) < 128) continue;
    const [red = 0] = own;
    const whiteness = ((drawn[at] ?? 0) - red) / (255 - red);
    const colour = whiteness < 0.25 ? own : whiteness < 0.75 ? lighter : WHITE;
    result.set([...colour, 255], at);
  }
  return result;
}

/** Without the chunk `pHYs`, which browsers ignore. */
function withoutDensity(png: Buffer): Buffer {
  const name = png.indexOf('pHYs');
  return name < 0 ? png : Buffer.concat([png.subarray(0, name - 4), png.subarray(name + 17)]);
}

/** The first letter or digit without its accent; undefined in other scripts than Latin. */
function letterOf(domain: string): string | undefined {
  const letter = shownName(domain).normalize('NFD').charAt(0).toUpperCase();
  return /[A-Z0-9]/.test(letter) ? letter : undefined;
}

/** In degrees; the same for a name at each build. White is readable on all of them at 30 % lightness. */
function hueOf(domain: string): number {
  let colour = 0;
  for (const character of domain) colour = (colour * 31 + character.charCodeAt(0)) % COLOURS;
  return colour * (360 / COLOURS);
}
