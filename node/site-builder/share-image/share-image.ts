import sharp from 'sharp';
import { escapeMarkup } from '#contract/escape-markup.ts';
import type { Logo } from '../../../src/look/look.ts';
import { widthOf } from '../../../src/seo/inter.ts';
import { SHARE_IMAGE } from '../../../src/seo/share-image.ts';
import { drawnName } from './drawn-name.ts';
import { fitName, LINE_HEIGHT, ROOM, TRACKING } from './fit-name.ts';
import type { ImageLook } from './look.ts';

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
/** A logo brings colours of its own. */
const COLOURS_WITH_LOGO = 128;
/** The logo, in pixels. */
const LOGO = { height: 40, maxWidth: 320, gap: 20 };
/** The dot where there is no logo, in pixels. */
const DOT = { radius: 11, gap: 18 };
/** The header's text and the line below the name, where they are not too long: font sizes in pixels. */
const HEADER_SIZE = 34;
const LINE_SIZE = 44;

/**
 * The share image of a page, as a PNG.
 * @param name the page's domain; absent for the page with nothing selected
 */
export async function drawShareImage(look: ImageLook, name?: string): Promise<Buffer> {
  const svg = Buffer.from(await svgOf(look, name));
  return await sharp(svg)
    .png({ palette: true, colours: look.logo ? COLOURS_WITH_LOGO : COLOURS, dither: 0, effort: 1 })
    .toBuffer();
}

export async function svgOf(
  { header, forSale, home, colours, logo }: ImageLook,
  name?: string,
): Promise<string> {
  const { lines, size } = await fitName(name === undefined ? home.headline : drawnName(name));
  const lineHeight = size * LINE_HEIGHT;
  const baseline = NAME_END - size * DESCENDER - (lines.length - 1) * lineHeight;
  const x = MARGIN - size * SIDE_BEARING;
  const shown = lines.map(
    (line, n) => `<tspan x="${x}" y="${baseline + n * lineHeight}">${asTyped(escapeMarkup(line))}</tspan>`,
  );
  const mark = logo ? logoMark(logo, colours.ink) : dotMark(colours.accent);
  const line = name === undefined ? home.line : forSale;
  const headerSize = await sizeWithin(ROOM.width - mark.width, header, HEADER_SIZE);
  const lineSize = await sizeWithin(ROOM.width, line, LINE_SIZE);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Inter" font-weight="700">
    <rect width="100%" height="100%" fill="${colours.page}"/>
    ${mark.svg}
    <text x="${MARGIN + mark.width}" y="${MARGIN + 23}" font-size="${headerSize}" fill="${colours.ink}">${escapeMarkup(header)}</text>
    <text font-size="${size}" letter-spacing="${size * TRACKING}" fill="${colours.accent}">${shown.join('')}</text>
    <text x="${MARGIN}" y="550" font-size="${lineSize}" font-weight="500" letter-spacing="-0.44" fill="${colours.inkSoft}">${escapeMarkup(line)}</text>
  </svg>`;
}

interface Mark {
  readonly svg: string;
  /** With the gap after it, in pixels. */
  readonly width: number;
}

function dotMark(colour: string): Mark {
  const { radius, gap } = DOT;
  const centre = MARGIN + radius;
  const svg = `<circle cx="${centre}" cy="${centre}" r="${radius}" fill="${colour}"/>`;
  return { svg, width: 2 * radius + gap };
}

/** @param ink what `currentColor` means */
function logoMark({ viewBox, presentation, content, ratio }: Logo, ink: string): Mark {
  const width = Math.min(LOGO.height * ratio, LOGO.maxWidth);
  const height = width / ratio;
  const y = MARGIN + DOT.radius - height / 2;
  return {
    svg: `<svg x="${MARGIN}" y="${y}" width="${width}" height="${height}" viewBox="${viewBox}"><g color="${ink}"><g${presentation}>${content}</g></g></svg>`,
    width: width + LOGO.gap,
  };
}

/** The font size at which a line fits, at most `size`. */
async function sizeWithin(room: number, line: string, size: number): Promise<number> {
  const width = await widthOf([line], size);
  return width <= room ? size : Math.floor((size * room) / width);
}

/**
 * Inter draws an x between digits as a multiplication sign. librsvg 2.63 ignores font-feature-settings, but shapes an
 * element of its own apart from its neighbours.
 */
function asTyped(markup: string): string {
  return markup.replace(/(?<=\d)x(?=\d)/g, '<tspan>x</tspan>');
}
