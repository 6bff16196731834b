import sharp from 'sharp';
import { escapeXml } from '../../../src/seo/inter.ts';
import { SHARE_IMAGE } from '../../../src/seo/share-image.ts';
import { drawnName } from './drawn-name.ts';
import { fitName, LINE_HEIGHT, ROOM, TRACKING } from './fit-name.ts';
import type { Look } from './look.ts';

const { width, height } = SHARE_IMAGE;
/** On every side, in pixels. */
const MARGIN = (width - ROOM.width) / 2;
/** Lower end of the name, in pixels from the top. */
const NAME_END = 474;
/** Space left of most letters, of the font size: the name moves to the left by it, to stand in line with the others. */
const SIDE_BEARING = 0.04;
/** How far letters such as p reach below the baseline, of the font size. */
const DESCENDER = 0.2;
/** A few steps from the page's colour to each of the three others. */
const COLOURS = 16;

/**
 * The share image of a page, as a PNG.
 * @param name the page's domain; absent for the page with nothing selected
 */
export async function drawShareImage(look: Look, name?: string): Promise<Buffer> {
  const svg = Buffer.from(await svgOf(look, name));
  return await sharp(svg).png({ palette: true, colours: COLOURS, dither: 0, effort: 1 }).toBuffer();
}

export async function svgOf({ header, forSale, home, colours }: Look, name?: string): Promise<string> {
  const { lines, size } = await fitName(name === undefined ? home.headline : drawnName(name));
  const lineHeight = size * LINE_HEIGHT;
  const baseline = NAME_END - size * DESCENDER - (lines.length - 1) * lineHeight;
  const x = MARGIN - size * SIDE_BEARING;
  const shown = lines.map(
    (line, n) => `<tspan x="${x}" y="${baseline + n * lineHeight}">${asTyped(escapeXml(line))}</tspan>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter" font-weight="700">
    <rect width="100%" height="100%" fill="${colours.page}"/>
    <circle cx="${MARGIN + 11}" cy="${MARGIN + 11}" r="11" fill="${colours.accent}"/>
    <text x="${MARGIN + 40}" y="${MARGIN + 23}" font-size="34" fill="${colours.ink}">${escapeXml(header)}</text>
    <text font-size="${size}" letter-spacing="${size * TRACKING}" fill="${colours.accent}">${shown.join('')}</text>
    <text x="${MARGIN}" y="550" font-size="44" font-weight="500" letter-spacing="-0.44" fill="${colours.inkSoft}">${escapeXml(name === undefined ? home.line : forSale)}</text>
  </svg>`;
}

/**
 * Inter draws an x between digits as a multiplication sign. librsvg 2.63 ignores font-feature-settings, but shapes an
 * element of its own apart from its neighbours.
 */
function asTyped(markup: string): string {
  return markup.replace(/(?<=\d)x(?=\d)/g, '<tspan>x</tspan>');
}
